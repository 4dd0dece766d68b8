/*
 * The heatmap strip above the graph: selecting a time range with mouse, touch and keys, and the
 * graph of that range.
 */
'use strict';
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

/* The stacks of the samples in a time range, added up, as folded text. */
function reference(from, to) {
	const sums = new Map();
	let at = 0;
	for (const line of fs.readFileSync(path.join(process.argv[2], 'times.folded'), 'utf8').split('\n')) {
		const mark = /^# time: ([\d.]+) s/.exec(line),
			stack = /^([^#].*) ([\d.]+)$/.exec(line);
		if (mark) at = Number(mark[1]);
		if (stack && at >= from && at < to) sums.set(stack[1], (sums.get(stack[1]) || 0) + Number(stack[2]));
	}
	return Array.from(sums, ([stack, sum]) => `${stack} ${sum}`).sort();
}

const folded = page =>
	page.run(() =>
		fg
			.folded()
			.split('\n')
			.filter(line => line && line[0] !== '#')
			.sort()
	);
const time = page => page.run(() => fg.state().time);
const brushedTo = (page, from, to) =>
	page.until((...wanted) => fg.state().time.join() === wanted.join(), String(from), String(to));

/* The middle of a cell of the heatmap strip, which has 20 columns and 20 rows. */
const cell = (page, column, row) =>
	page.run(
		(c, r) => {
			const {left, top, width, height} = document.querySelector('.cells').getBoundingClientRect();
			return [left + (width * (c + 0.5)) / 20, top + (height * (r + 0.5)) / 20];
		},
		column,
		row
	);

async function drag(page, from, to) {
	const press = {button: 'left', buttons: 1, clickCount: 1};
	await page.mouse('mouseMoved', ...from);
	await page.mouse('mousePressed', ...from, press);
	await page.mouse('mouseMoved', (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, press);
	await page.mouse('mouseMoved', ...to, press);
	await page.mouse('mouseReleased', ...to, press);
}

suite({
	'the strip is that of the still picture': async open => {
		const page = await open('times.svg');
		assert.deepEqual(
			await page.run(() => {
				const paths = of => Array.from(of.querySelectorAll('[class^=heat][d]'), e => e.getAttribute('d'));
				return paths(document.querySelector('.cells'));
			}),
			await page.run(() => Array.from(document.querySelectorAll('#fg-strip path'), e => e.getAttribute('d')))
		);
		assert.ok(await page.run(() => document.querySelector('.cells').getBoundingClientRect().height > 20));
		const plain = await open('plain.svg');
		assert.ok(await plain.run(() => document.querySelector('.heatmap').hidden));
		assert.match(await plain.run(() => fg.time(1, 2)), /no times/);
	},
	'a drag shows the samples of that time, exactly': async open => {
		const page = await open('times.svg');
		await drag(page, await cell(page, 12, 0), await cell(page, 12, 9));
		await brushedTo(page, 12, 12.5);
		assert.deepEqual(await folded(page), reference(12, 12.5));
		assert.equal(await page.run(() => fg.state().total), 1050); /* in tenths: 10 steps of 10.5 */
		await page.until(() => Array.from(document.querySelectorAll('.labels text')).some(e => e.textContent === 'early'));
		assert.ok(!(await page.run(() => fg.folded().includes('late'))));
		assert.match(await page.run(() => document.querySelector('.figure').textContent), /^105 samples, 12 s to 12.5 s$/);
		assert.match(await page.run(() => document.querySelector('.chips').textContent), /12 s to 12.5 s/);
		/*
		 * A backward drag selects the same range. A drag over several columns continues
		 * from the end of one at the start of the next.
		 */
		await drag(page, await cell(page, 13, 1), await cell(page, 11, 10));
		await brushedTo(page, 11.5, 13.1);
		assert.deepEqual(await folded(page), reference(11.5, 13.1));
	},
	'a click takes a second, and leaves it': async open => {
		const page = await open('times.svg'),
			at = await cell(page, 3, 5);
		await page.click(...at);
		await brushedTo(page, 3, 4);
		assert.deepEqual(await folded(page), reference(3, 4));
		await page.click(...at);
		await page.until(() => !fg.state().time.length);
		assert.deepEqual(await folded(page), reference(0, 99));
	},
	'a finger brushes too': async open => {
		const page = await open('times.svg', {touch: true, width: 390, height: 700});
		const points = async (...at) => ({touchPoints: at.length ? [{x: at[0], y: at[1]}] : []});
		await page.call('Input.dispatchTouchEvent', {type: 'touchStart', ...(await points(...(await cell(page, 2, 0))))});
		await page.call('Input.dispatchTouchEvent', {type: 'touchMove', ...(await points(...(await cell(page, 3, 9))))});
		await page.call('Input.dispatchTouchEvent', {type: 'touchMove', ...(await points(...(await cell(page, 4, 19))))});
		await page.call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
		await brushedTo(page, 2, 5);
		assert.deepEqual(await folded(page), reference(2, 5));
	},
	'keys move the range and its end, and take it off': async open => {
		const page = await open('times.svg');
		await page.run(() => document.querySelector('.heatmap').focus());
		await page.key('ArrowRight');
		await brushedTo(page, 0, 1);
		await page.key('ArrowRight');
		await brushedTo(page, 1, 2);
		await page.key('ArrowDown');
		await brushedTo(page, 1.05, 2.05);
		await page.key('ArrowRight', 8);
		await brushedTo(page, 1.05, 3.05);
		assert.match(await page.run(() => document.querySelector('.heatmap').getAttribute('aria-valuetext')), /1.05 s to 3.05 s/);
		await page.key('End');
		await brushedTo(page, 18, 20);
		await page.key('ArrowRight');
		await brushedTo(page, 18, 20);
		await page.key('Escape');
		await page.until(() => !fg.state().time.length);
		assert.equal(await page.run(() => document.activeElement.className), 'heatmap');
	},
	'with zoom, search, filters, undo, links and the way back': async open => {
		const page = await open('times.svg');
		await page.run(() => fg.zoom('main;spike'));
		await page.run(() => fg.time(12, 12.5));
		assert.deepEqual(await folded(page), reference(12, 12.5).filter(line => /spike/.test(line)));
		await page.run(() => fg.reset());
		assert.deepEqual(await time(page), []);
		await page.run(() => fg.undo());
		assert.deepEqual(await time(page), ['12', '12.5']);
		await page.run(() => fg.undo());
		assert.deepEqual(await page.run(() => [fg.state().zoom, fg.state().time]), [['main', 'spike'], []]);
		await page.run(() => fg.redo());
		await page.run(() => fg.zoom(''));
		assert.equal((await page.run(() => fg.search('early'))).count, 1);
		assert.equal((await page.run(() => fg.search('late'))).count, 0);
		await page.run(() => fg.search(''));
		await page.run(() => fg.hide('spike'));
		assert.deepEqual(
			await folded(page),
			['main;early 85', 'main;work;second 20']
		);
		await page.run(() => fg.toggle('reverse'));
		assert.equal(await page.run(() => fg.state().total), 1050);
		const hash = await page.run(() => (fg.state(), location.hash));
		await page.until(() => /time=/.test(location.hash));
		const other = await open('times.svg');
		await other.run(to => (location.hash = to), await page.run(() => location.hash));
		await brushedTo(other, 12, 12.5);
		assert.equal(await other.run(() => fg.state().total), 1050, hash);
		for (const bad of ['%3B5', '%3B5%3B4', '%3Bx%3By', '%3B1%3B2%3B3', '%3B-5%3B4', '1,2']) {
			await other.run(to => (location.hash = to), `#time=${bad}`);
			await other.until(() => !fg.state().time.length);
		}
	},
	'the summary tells of the time that is shown': async open => {
		const page = await open('times.svg');
		await page.run(() => void fg.time(12, 13));
		const [whole, own] = await page.run(() => Array.from(document.querySelectorAll('.panel p'), e => e.textContent));
		const sums = reference(12, 13).map(line => Number(line.split(' ')[1])),
			sum = sums.reduce((a, b) => a + b);
		assert.ok(whole.startsWith(`${sum} samples, `), whole);
		assert.ok(own.includes(`${((100 * Math.max(...sums)) / sum).toFixed(1)} %`), own);
		assert.match(own, /late|early/);
		await page.run(() => void fg.time());
		assert.notEqual(await page.run(() => document.querySelector('.panel h2').textContent), 'This view');
	},
	'V saves the strip and its brush too': async open => {
		const page = await open('times.svg');
		await page.run(() => {
			const make = URL.createObjectURL;
			URL.createObjectURL = blob => {
				blob.text().then(text => (window.saved = text));
				return make.call(URL, blob);
			};
		});
		await page.run(() => void fg.time(2, 5));
		await page.key('V');
		const file = path.join(process.argv[2], 'saved-strip.svg');
		fs.writeFileSync(file, await page.until(() => window.saved));
		const still = await open('saved-strip.svg');
		const {strip, marks, fills} = await still.run(() => {
			const cells = document.querySelector('svg svg'),
				strip = cells?.getBoundingClientRect();
			return {
				strip: strip && [strip.width, strip.height],
				marks: Array.from(document.querySelectorAll('text'), e => e.textContent),
				fills: Array.from(cells?.querySelectorAll('path') || [], e => getComputedStyle(e).stroke)
			};
		});
		assert.ok(strip && strip[0] > 500 && strip[1] > 20, String(strip));
		assert.ok(marks.includes('20 s') && marks.includes('2 s to 5 s') === false, marks.join());
		assert.ok(fills.length > 1 && !fills.includes('none'), fills.join());
		assert.ok(!/<style|<script|class=|style=/.test(fs.readFileSync(file, 'utf8')));
	},
	'a time in which nothing ran': async open => {
		const page = await open('times.svg');
		await page.click(...(await cell(page, 7, 3)));
		await brushedTo(page, 7, 8);
		assert.deepEqual(await folded(page), []);
		assert.equal(await page.run(() => fg.state().frames), 1);
		for (const tab of ['inspector', 'functions', 'tree', 'summary']) await page.run(to => fg.tab(to), tab);
		await page.run(() => fg.search('main'));
		await page.run(() => fg.sandwich('main'));
		await page.run(() => fg.reset());
		assert.deepEqual(await folded(page), reference(0, 99));
	},
	'a flame chart, too': async open => {
		const page = await open('chart.svg');
		await page.run(() => fg.time(12, 13));
		assert.equal(await page.run(() => fg.state().total), 2100);
		assert.match(await page.run(() => document.querySelector('.axis').textContent), /210 samples wide/);
		assert.equal(await page.run(() => document.querySelectorAll('.labels text').length > 3), true);
	},
	'the command selects the range, with the same stacks': async open => {
		const page = await open('times.svg');
		await page.run(() => fg.time(12, 12.5));
		const {line, notes} = await page.run(() => fg.command());
		assert.equal(line, 'fg-filter --time-order --from=12 --to=12.5 FILE | fg-render --heatmap');
		assert.deepEqual(notes, []);
		const filter = line.replace('--time-order', '').replace(/FILE.*/, `'${path.join(process.argv[2], 'times.folded')}'`),
			text = execFileSync('sh', ['-c', filter], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
		assert.deepEqual(text.split('\n').filter(l => l && l[0] !== '#').sort(), await folded(page));
		await page.run(() => fg.hide('work'));
		assert.match(await page.run(() => fg.command().line), /^fg-filter --time-order --from=12 --to=12\.5 --hide /);
		await page.run(() => fg.reset());
		await page.run(() => fg.hide('work'));
		assert.match(
			await page.run(() => fg.command().line),
			/^fg-filter --time-order --hide '\^work\$' FILE \| fg-render --heatmap$/
		);
	},
	'on paper the marks stand where they do on the screen': async open => {
		for (const [picture, part] of [['times.svg', '.marks'], ['chart.svg', '.axis']]) {
			const page = await open(picture);
			const [screen, paper] = await page.run(name => {
				const part = document.querySelector(name);
				const marks = () => {
					const {left, width} = part.getBoundingClientRect();
					return Array.from(part.querySelectorAll('.tick'), e => (e.getBoundingClientRect().left - left) / width);
				};
				/* In one task, so that nothing is redrawn for the new width. */
				const screen = marks();
				part.style.width = '400px';
				return [screen, marks()];
			}, part);
			assert.ok(screen.length > 3);
			screen.forEach((at, k) => assert.ok(Math.abs(at - paper[k]) < 0.003, `${at} ${paper[k]}`));
		}
	},
	'on a small screen': async open => {
		const page = await open('times.svg', {width: 320, height: 256});
		const {width, height} = await page.run(() => {
			const {width, height} = document.querySelector('.cells').getBoundingClientRect();
			return {width, height};
		});
		assert.ok(width > 290 && height >= 24, `${width} x ${height}`);
		await page.click(...(await cell(page, 12, 2)));
		await brushedTo(page, 12, 13);
	}
});
