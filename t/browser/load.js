/*
 * How a file becomes the interactive viewer: compressed columns, reasons that prevent it, saved
 * pages.
 */
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {suite} = require('./suite.js');

const folder = process.argv[2];
const read = file => fs.readFileSync(path.join(folder, file), 'utf8');
const write = (file, text) => fs.writeFileSync(path.join(folder, file), text);

/*
 * The state of a page: interactive or not, whether the static SVG is visible, and the line with the
 * reason.
 */
const shown = page =>
	page.run(() => ({
		live: document.querySelectorAll('foreignObject').length,
		still: document.querySelector('#fg-static').getBoundingClientRect().width > 0,
		why: document.querySelector('#fg-static').lastElementChild.textContent
	}));

async function staysStill(page, why) {
	const {live, still, why: said} = await shown(page);
	assert.deepEqual([live, still], [0, true]);
	assert.match(said, why);
}

/* An HTML page that contains an SVG, with a content security policy. */
const pageOf = (svg, policy) =>
	'<!doctype html>' +
	`<meta http-equiv=Content-Security-Policy content="${policy}"><body>` +
	svg.replace(/^<\?xml.*\n/, '');

suite({
	'a picture is live before the page has loaded where its static SVG does not show everything': async open => {
		write('inline.html', pageOf(read('plain.svg'), ''));
		for (const [file, size] of [
			['plain.svg', {width: 1000}],
			['plain.svg', {height: 300}],
			['hash.svg', {}],
			['large.svg', {}],
			['inline.html', {}]
		]) {
			write('hash.svg', read('plain.svg'));
			const at = {
				rest: true,
				before: 'addEventListener("load", () => (window.atLoad = typeof fg.state));',
				...size
			};
			const page = await open(
				file === 'hash.svg' ? pathToFileURL(path.join(folder, file)).href + '#search=read' : file,
				at
			);
			assert.equal(await page.run(() => window.atLoad), 'function', file);
			assert.deepEqual((await shown(page)).still, false);
		}
	},
	'of others nothing runs before the first input, whatever that is': async open => {
		const inputs = {
			'a movement of the pointer': page => page.mouse('mouseMoved', 300, 200),
			'the wheel': page => page.mouse('mouseWheel', 300, 200, {deltaX: 0, deltaY: 10}),
			'a touch': page => page.tap(300, 200),
			'the key /': page => page.key('/'),
			'Ctrl-F': page => page.key('f', 2),
			't': page => page.key('t'),
			'the focus': page => page.run(() => document.documentElement.focus()),
			'a new address': page => page.run(() => void (location.hash = '#search=read')),
			'a small window': page =>
				page.call('Emulation.setDeviceMetricsOverride', {
					width: 700,
					height: 700,
					deviceScaleFactor: 1,
					mobile: false
				}),
			'fg.start()': page => page.run(() => fg.start())
		};
		for (const [what, act] of Object.entries(inputs)) {
			const page = await open('plain.svg', {rest: true, touch: what === 'a touch'});
			await new Promise(done => setTimeout(done, 50));
			assert.deepEqual(
				await page.run(() => [
					document.querySelectorAll('foreignObject').length,
					document.adoptedStyleSheets.length,
					document.documentElement.fgData,
					Object.keys(fg).join(),
					document.documentElement.getAttribute('role')
				]),
				[0, 0, null, 'start', 'img']
			);
			assert.equal((await shown(page)).still, true);
			await act(page);
			await page.until(() => fg.state);
			assert.deepEqual(await shown(page), {...(await shown(page)), live: 1, still: false}, what);
			assert.equal(await page.run(() => fg.state().total), 100);
			if (what === 'the key /' || what === 'Ctrl-F')
				await page.until(() => document.activeElement.matches('.query'));
			if (what === 't') await page.until(() => fg.state().tab === 'functions');
			if (what === 'a new address') assert.equal(await page.run(() => fg.state().search), 'read');
		}
	},
	'the static SVG has the text of the first panel': async open => {
		for (const file of ['plain.svg', 'wide.svg', 'two.svg', 'tested.svg', 'script.svg', 'waits.svg', 'hostile.svg']) {
			const page = await open(file, {rest: true});
			const text = at =>
				page.run(
					at => Array.from(document.querySelectorAll(at), e => e.textContent).join('').replace(/\s/g, ''),
					at
				);
			const still = await text('#fg-panel text');
			assert.ok(still.length > 40, file);
			await page.run(() => fg.start?.());
			assert.equal(still, await text('.panel p, .panel td'), file);
		}
	},
	'damaged data leave the still picture, which says why': async open => {
		const damages = {
			ids: text => text.slice(0, 30) + (text[30] === 'A' ? 'B' : 'A') + text.slice(31),
			names: text => text.slice(0, -8),
			style: () => '',
			script: () => 'no base 91',
			value0: () => 'AAAAAAAAAAAAAAAA'
		};
		for (const [what, damage] of Object.entries(damages)) {
			const svg = read('plain.svg').replace(
				RegExp(`(data-of="${what}"[^>]*>)([^<]*)`),
				(_, tag, text) => tag + damage(text)
			);
			assert.notEqual(svg, read('plain.svg'));
			write('damaged.svg', svg);
			await staysStill(await open('damaged.svg'), /damaged/);
		}
		write('without.svg', read('plain.svg').replace(/.*data-of="runs".*/, ''));
		const page = await open('without.svg');
		await staysStill(page, /not live/);
		page.errors.length = 0;
	},
	'a worker decodes the frames of a large picture; where it is forbidden, the page does': async open => {
		const watched = `const Real = Worker;
			window.asked = window.answers = 0;
			window.Worker = class extends Real {
				constructor(address) {
					super(address);
					window.asked++;
					this.addEventListener('message', ({data}) => (window.answers += Boolean(data?.sums)));
				}
			}`;
		write('forbidden.html', pageOf(read('huge.svg'), "worker-src 'none'"));
		for (const [file, before, counts] of [
			['huge.svg', watched, [1, 1]],
			['forbidden.html', watched, [1, 0]],
			['huge.svg', 'delete window.Worker', [null, null]],
			['plain.svg', watched, [0, 0]]
		]) {
			const page = await open(file, {before, rest: true});
			await page.run(() => window.fg?.start?.());
			await page.until(() => window.fg?.state);
			assert.deepEqual(await page.run(() => [window.asked, window.answers]), counts, file);
			if (file !== 'plain.svg') {
				const stacks = await page.run(() => fg.folded().replace(/^.*#.*\n|^\d+\n/gm, '').trim().split('\n').sort().join('\n'));
				assert.equal(stacks, read('huge').trim().split('\n').sort().join('\n'), file);
				assert.equal(await page.run(() => fg.state().total), 40000000);
				assert.equal(await page.run(() => (fg.focus('g7'), fg.state().total)), 340 * 8 + (339 * 340) / 2);
			}
			page.errors.length = file === 'forbidden.html' ? 0 : page.errors.length;
		}
	},
	'damaged frames of a large picture leave the still picture too': async open => {
		write('damaged.svg', read('huge.svg').replace(/(data-of="value0"[^>]*>)[^<]*/, '$1AAAAAAAAAAAAAAAA'));
		const page = await open('damaged.svg');
		await page.until(() => /damaged/.test(document.querySelector('#fg-static').lastElementChild.textContent));
		await staysStill(page, /damaged/);
	},
	'so does a browser that cannot undo the compression': async open =>
		staysStill(
			await open('plain.svg', {before: 'delete window.DecompressionStream'}),
			/too old/
		),
	'so does a page that allows this script but no other': async open => {
		const svg = read('plain.svg');
		const [, script] = /<script><!\[CDATA\[([^]*)\]\]><\/script>/.exec(svg);
		const hash = crypto.createHash('sha256').update(script).digest('base64');
		write('hash.html', pageOf(svg, `script-src 'sha256-${hash}'`));
		const page = await open('hash.html');
		await staysStill(page, /forbids/);
		assert.match(page.errors.join('\n'), /^.*Content Security Policy.*$/);
		page.errors.length = 0;
	},
	'a nonce is handed on': async open => {
		const svg = read('plain.svg').replace('<script>', '<script nonce="n1">');
		write('nonce.html', pageOf(svg, "script-src 'nonce-n1'"));
		assert.equal((await shown(await open('nonce.html'))).live, 1);
	},
	'where styles are forbidden it is live all the same': async open => {
		write('styles.html', pageOf(read('plain.svg'), "style-src 'none'"));
		const page = await open('styles.html');
		assert.equal((await shown(page)).live, 1);
		assert.equal(
			await page.run(() => getComputedStyle(document.querySelector('.bar')).display),
			'flex'
		);
		page.errors.length = 0;
	},
	'labels stay in their frames, whatever fonts they take': async open => {
		const still = await open('wide.svg', {script: false});
		assert.deepEqual(
			await still.run(() => {
				const texts = Array.from(document.querySelectorAll('#fg-static g g text')).filter(
					e => /[^ -~]/.test(e.textContent)
				);
				const clips = texts.map(e => e.parentNode.localName === 'svg' && e.parentNode);
				return [
					texts.length,
					clips.every(clip => getComputedStyle(clip).overflow === 'hidden')
				];
			}),
			[5, true]
		);
		const live = await open('wide.svg', {
			before: `new MutationObserver(() => document.querySelector('.labels')?.style.setProperty('letter-spacing', '9px'))
				.observe(document, {childList: true, subtree: true})`
		});
		/* The labels leave space for a much wider font: no label reaches the next one. */
		const boxes = await live.run(() => {
			fg.mode('origin');
			return Array.from(document.querySelectorAll('.labels text'), e => {
				const {left, right, top} = e.getBoundingClientRect();
				return [top, left, right, /[^ -~…]/.test(e.textContent)];
			}).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
		});
		boxes.forEach(([top, , right, odd], k) => {
			const next = boxes[k + 1];
			if (odd && next && next[0] === top) assert.ok(right <= next[1], `${right} ${next[1]}`);
		});
		assert.ok(boxes.filter(([, , , odd]) => odd).length >= 4);
	},
	'the still picture has its colours where a page forbids styles, and scripts': async open => {
		write('bare.html', pageOf(read('plain.svg'), "default-src 'none'"));
		const page = await open('bare.html', {dark: true});
		const fills = await page.run(() =>
			Array.from(
				document.querySelectorAll('#fg-static rect, #fg-static path, #fg-static text'),
				e => getComputedStyle(e).fill
			)
		);
		assert.ok(fills.length > 5);
		assert.ok(fills.filter(fill => fill === 'rgb(255, 255, 255)').length === 1, 'white ground');
		assert.equal(fills.filter(fill => fill === 'rgb(0, 0, 0)').length, 0);
		assert.match(
			await page.run(() => getComputedStyle(document.querySelector('#fg-static text')).fontFamily),
			/mono/
		);
		page.errors.length = 0;
	},
	'a tall graph stands on its root, however much of the window the page around it takes': async open => {
		const below = page =>
			page.until(() => {
				const {scrollTop, clientHeight, scrollHeight} = document.querySelector('.graph');
				return Math.abs(scrollTop + clientHeight - scrollHeight) <= 1 && scrollHeight > clientHeight;
			});
		for (const [width, height] of [[1280, 800], [390, 844], [320, 568]]) {
			const page = await open('tall.svg', {width, height});
			await below(page);
			await page.call('Emulation.setDeviceMetricsOverride', {
				width: width - 20,
				height: height - 90,
				deviceScaleFactor: 1,
				mobile: false
			});
			await page.until(tall => innerHeight === tall, height - 90);
			await below(page);
		}
	},
	'printed live, a tall graph fills the sheet': async open => {
		const page = await open('tall.svg');
		await page.call('Emulation.setEmulatedMedia', {media: 'print'});
		const [width, height, words] = await page.run(() => {
			dispatchEvent(new Event('beforeprint'));
			const {width, height} = document.querySelector('.canvas').viewBox.baseVal;
			return [width, height, Array.from(document.querySelectorAll('.labels text'), e => e.textContent)];
		});
		assert.ok(width > height && height > 200 * 17, `${width} x ${height}`);
		assert.ok(words.includes('f0') && words.length > 150, words.length);
		await page.run(() => dispatchEvent(new Event('afterprint')));
		assert.ok((await page.run(() => document.querySelector('.canvas').viewBox.baseVal.width)) < 1280);
	},
	'a tall still picture is printed on one page, in light colours': async open => {
		const page = await open('tall.svg', {script: false, dark: true});
		const {data} = await page.call('Page.printToPDF', {printBackground: true});
		const pdf = Buffer.from(data, 'base64').toString('latin1');
		assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
		await page.call('Emulation.setEmulatedMedia', {media: 'print'});
		assert.equal(
			await page.run(() => getComputedStyle(document.querySelector('.bg')).fill),
			'rgb(255, 255, 255)'
		);
	},
	'in the dark what is beside a still picture is dark too': async open => {
		const ground = page => page.run(() => getComputedStyle(document.documentElement).backgroundColor);
		assert.equal(await ground(await open('tall.svg', {script: false, dark: true})), 'rgb(23, 25, 29)');
		assert.equal(await ground(await open('tall.svg', {script: false})), 'rgba(0, 0, 0, 0)');
		/* The interactive viewer has backgrounds of its own. */
		assert.equal(await ground(await open('tall.svg', {dark: true})), 'rgba(0, 0, 0, 0)');
	},
	'a tall still picture is mostly full as an image': async open => {
		write('img.html', '<!doctype html><body style="margin:0"><img src="tower.svg">');
		const page = await open('img.html', {width: 1200, height: 3000});
		const [full, whole] = await page.run(async () => {
			const img = document.querySelector('img');
			await img.decode();
			const canvas = document.createElement('canvas'),
				width = (canvas.width = 300),
				height = (canvas.height = Math.round((300 * img.naturalHeight) / img.naturalWidth));
			const context = canvas.getContext('2d', {willReadFrequently: true});
			context.drawImage(img, 0, 0, width, height);
			try {
				const {data} = context.getImageData(0, 0, width, height);
				let full = 0;
				for (let i = 0; i < data.length; i += 4)
					full += data[i] + data[i + 1] + data[i + 2] < 3 * 250 ? 1 : 0;
				return [full, width * height];
			} catch {
				/* Files are not readable; 190 pixels are the summary. */
				return [img.naturalHeight < 700 + 190 ? 1 : 0, 1];
			}
		});
		assert.ok(full > whole / 3, `${full} of ${whole}`);
	},
	'a saved page opens again': async open => {
		let page = await open('plain.svg');
		await page.run(() => fg.search('read'));
		write('saved.svg', await page.run(() => new XMLSerializer().serializeToString(document)));
		page = await open('saved.svg');
		assert.deepEqual(await shown(page), {...(await shown(page)), live: 1, still: false});
		assert.equal(await page.run(() => fg.state().total), 100);
		write('inline.html', pageOf(read('plain.svg'), ''));
		page = await open('inline.html');
		write('saved.html', await page.run(() => document.documentElement.outerHTML));
		page = await open('saved.html');
		assert.equal((await shown(page)).live, 1);
		assert.equal(await page.run(() => fg.state().total), 100);
	},
	'a saved page that cannot become live shows the still picture': async open =>
		staysStill(
			await open('saved.svg', {before: 'delete window.DecompressionStream'}),
			/too old/
		)
});
