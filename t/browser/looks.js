/*
 * Looks of the page: figures that fit, names that break between their parts, labels of a
 * differential, scales, rows that use the space.
 */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

const heights = page => page.run(() => Array.from(document.querySelectorAll('.labels text'), e => +e.getAttribute('y')).sort((a, b) => b - a));

/* The figures of the list of changes, each of which must be one line inside the panel. */
async function figures(page) {
	const cells = await page.run(() =>
		Array.from(document.querySelectorAll('.ranking td:not(.bar):not(:last-child)'), e => {
			const range = document.createRange();
			range.selectNodeContents(e);
			return [e.textContent, range.getClientRects().length, range.getBoundingClientRect().right];
		}).filter(([text]) => text)
	);
	const right = await page.run(() => document.querySelector('.panel').getBoundingClientRect().right);
	for (const [text, lines, end] of cells) assert.ok(lines === 1 && end < right, `${text} ${lines} ${end} ${right}`);
	return cells.map(([text]) => text);
}

suite({
	'figures and intervals of a differential are one line each, inside the panel': async open => {
		assert.ok((await figures(await open('changes.svg'))).includes('+11,888 samples'));
	},
	'a figure too long for the panel is without its unit, in one line': async open => {
		const texts = await figures(await open('large.svg'));
		assert.ok(texts.includes('−294,595,353') && texts.includes('−2.38 %'), texts.join());
	},
	'figures that fill the panel together are without the unit, each in one line': async open => {
		const texts = await figures(await open('sampled.svg', {width: 1024, height: 700}));
		assert.ok(texts.includes('+1,080') && texts.includes('−8.9 to −2.7 %'), texts.join());
	},
	'the header of a differential is one row at 1024 pixels': async open => {
		const page = await open('sampled.svg', {width: 1024, height: 700});
		const tops = await page.run(() => Array.from(document.querySelectorAll('header>:not([hidden])'), e => e.getBoundingClientRect()).map(({top, bottom}) => [top, bottom]));
		assert.ok(Math.max(...tops.map(([top]) => top)) < Math.min(...tops.map(([, bottom]) => bottom)), JSON.stringify(tops));
	},
	'a long name breaks after ::, / and _': async open => {
		const page = await open('changes.svg');
		assert.equal(await page.run(() => getComputedStyle(document.querySelector('.legend button')).textDecorationLine), 'none');
		const parts = await page.run(() => Array.from(document.querySelector('.ranking a').childNodes, e => (e.localName === 'wbr' ? '|' : e.data)).join(''));
		assert.equal(parts, 'some_|long_|name_|space::|of/|a_|function');
	},
	'the header of a differential has the labels that differ, of base first': async open => {
		const page = await open('changes.svg');
		assert.equal(await page.run(() => document.querySelector('.about').innerText.trim()), 'build 13 → 12 a, arch x,y → z');
	},
	'the header of a differential without such labels has the names of the files': async open => {
		const page = await open('files.svg');
		assert.equal(await page.run(() => document.querySelector('.about').innerText.trim()), 'file old; 1.folded → new.folded');
	},
	'no figure of a differential has another minus sign than −': async open => {
		const page = await open('changes.svg');
		for (const tab of ['summary', 'inspector', 'functions', 'tree']) {
			await page.run(tab => fg.tab(tab), tab);
			const text = await page.run(() => document.querySelector('.app').innerText + document.querySelector('#fg-static').textContent);
			assert.doesNotMatch(text, /(^|[\s(])-\d/);
			if (tab !== 'inspector') assert.match(text, /−\d/);
		}
	},
	'the strip of time has a scale, in the static picture too': async open => {
		const page = await open('times.svg');
		const scales = await page.run(() => ['.scale', '#fg-scale'].map(at => document.querySelector(at)).map(e => [e.textContent.replace(/\s+/g, ' ').trim(), e.querySelectorAll('path').length]));
		assert.deepEqual(scales.map(([text, shades]) => [text.replace('0 ', '0'), shades]), [['09 samples in 1 s', 5], ['09 samples in 1 s', 5]]);
	},
	'rows of a shallow graph are 26 pixels high, those of --height=20 are 20': async open => {
		for (const [file, want] of [['shallow.svg', 26], ['given.svg', 20]]) {
			const y = Array.from(new Set(await heights(await open(file))));
			assert.deepEqual(y.slice(1).map((v, k) => Math.round(y[k] - v)), y.slice(1).map(() => want));
		}
	},
	'a deep graph has rows of 18 pixels': async open => {
		const y = Array.from(new Set(await heights(await open('deep.svg'))));
		assert.equal(Math.round(y[0] - y[1]), 18);
	},
	'3,000 children show where they are wide, and how wide': async open => {
		const page = await open('flat.svg');
		const bars = await page.run(() => Array.from(document.querySelectorAll('.dim path'), e => e.getAttribute('d')).join('').match(/h1v\d+/g) || []);
		assert.ok(bars.length > 300, bars.length);
		assert.ok(new Set(bars).size >= 3, String(new Set(bars).size));
		assert.match(await page.run(() => document.querySelector('.labels').textContent), /3,000 others, 100 %/);
	},
	'the widest of 3,000 children fills its row, though a pixel has eight of them': async open => {
		const page = await open('flat.svg', {width: 390});
		const [all, tall] = await page.run(() => [
			Array.from(document.querySelectorAll('.dim path'), e => e.getAttribute('d')).join('').match(/h1v\d+/g).map(d => +d.slice(3)),
			+document.querySelector('.others').getAttribute('d').match(/v(\d+)/)[1]
		]);
		assert.equal(Math.max(...all), tall);
	},
	'no function of 3,000 is called the hottest': async open => {
		const page = await open('flat.svg');
		const told = () => page.run(() => document.querySelector('.panel').textContent);
		assert.match(await told(), /Most self time: no function has 0.1 %/);
		await page.run(() => fg.hide('f0'));
		assert.match(await told(), /This view.*Most self time: no function has 0.1 %\..*Entire profile/s);
	},
	'root on top is remembered for the next picture, not for a flame chart': async open => {
		const flip = async file => (await open(file)).run(() => fg.state().flip);
		const page = await open('shallow.svg');
		assert.equal(await page.run(() => fg.state().flip), false);
		await page.key('i');
		assert.equal(await flip('deep.svg'), true);
		assert.equal(await flip('chart.svg'), false);
		await page.key('i');
		assert.equal(await flip('deep.svg'), false);
	},
	'a click on slower in the legend keeps the stacks with slower functions, one with Shift hides these': async open => {
		const page = await open('diff.svg');
		const after = shift =>
			page.run(shift => {
				document.querySelector('.legend button').dispatchEvent(new MouseEvent('click', {shiftKey: shift, bubbles: true}));
				return [fg.folded().split('\n').filter(line => line && line[0] !== '#'), document.querySelector('.chips').textContent, fg.command().line];
			}, shift);
		assert.deepEqual(await after(false), [['app;same 200 201', 'app;slower 100 150'], 'only stacks with slower ×', "fg-filter --focus '^same$|^slower$' FILE | fg-render"]);
		assert.equal((await after(false))[1], '');
		assert.deepEqual((await after(true))[0], ['app 300 351', 'app;added 0 40', 'app;faster 100 60', 'app;removed 60 0']);
		await page.key('u');
		assert.deepEqual(await page.run(() => fg.state().filters), []);
	},
	'the call tree has a run of other code as one row, which Enter opens': async open => {
		const page = await open('runs.svg');
		const rows = () => page.run(() => Array.from(document.querySelectorAll('.calls .line'), e => `${e.getAttribute('aria-level')} ${e.title}`));
		await page.run(() => fg.tab('tree'));
		assert.deepEqual(await rows(), ['1 5 frames: p … eval', '2 f', '2 other']);
		await page.run(() => document.querySelector('.calls').focus());
		await page.key('Enter');
		assert.deepEqual(await rows(), ['1 p', '2 _start', '3 main', '4 run', '5 eval', '6 f', '4 other']);
	},
	'a printed differential has its bars in colour, and fits the paper': async open => {
		const page = await open('changes.svg');
		await page.call('Emulation.setEmulatedMedia', {media: 'print'});
		assert.deepEqual(
			await page.run(() => {
				const bar = document.querySelector('.ranking i');
				return [getComputedStyle(bar).printColorAdjust, bar.getBoundingClientRect().width > 0, document.documentElement.scrollWidth <= innerWidth];
			}),
			['exact', true, true]
		);
	}
});
