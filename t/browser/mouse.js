/* Mouse, wheel and touch: effects of a click, a drag, the wheel, and a two-finger gesture. */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

const state = page => page.run(() => fg.state());
const status = page => page.run(() => document.querySelector('.status').textContent);
const heading = page => page.run(() => document.querySelector('.panel h2').textContent);

/* The middle of a frame's label. */
const labelAt = (page, text) =>
	page.run(wanted => {
		const label = Array.from(document.querySelectorAll('.labels text')).find(
			e => e.textContent === wanted
		);
		const {x, y, width, height} = label.getBoundingClientRect();
		return [x + width / 2, y + height / 2];
	}, text);

async function drag(page, from, to, more = {}) {
	const press = {button: 'left', buttons: 1, clickCount: 1, ...more};
	await page.mouse('mouseMoved', ...from);
	await page.mouse('mousePressed', ...from, press);
	for (const part of [0.25, 0.5, 0.75, 1])
		await page.mouse(
			'mouseMoved',
			from[0] + (to[0] - from[0]) * part,
			from[1] + (to[1] - from[1]) * part,
			press
		);
	await page.mouse('mouseReleased', ...to, press);
}

suite({
	'a click selects and zooms; the selection stays when the pointer goes on its way': async open => {
		const page = await open('plain.svg');
		await page.click(...(await labelAt(page, 'parse')));
		assert.deepEqual((await state(page)).selected, ['server', 'main', 'parse']);
		/*
		 * With the pointer on another frame, the status line describes that frame; the
		 * inspector does not change.
		 */
		await page.mouse('mouseMoved', ...(await labelAt(page, 'main')));
		await page.until(() => /^main:/.test(document.querySelector('.status').textContent));
		assert.equal(await heading(page), 'parse');
		await page.mouse('mouseMoved', 1200, 300);
		await page.until(() => /^parse:/.test(document.querySelector('.status').textContent));
		/* The inspector's buttons act on the inspected frame. */
		const at = await page.run(() => {
			const {x, y} = document.querySelector('.panel [value=f]').getBoundingClientRect();
			return [x + 5, y + 5];
		});
		await page.click(...at);
		assert.deepEqual((await state(page)).filters, ['focus:function:parse']);
	},
	'Alt-click and the right button select without a zoom, with a menu of commands': async open => {
		for (const how of [{modifiers: 1}, {button: 'right'}]) {
			const page = await open('plain.svg'),
				at = await labelAt(page, 'parse');
			await page.mouse('mouseMoved', ...at);
			for (const type of ['mousePressed', 'mouseReleased'])
				await page.mouse(type, ...at, {button: 'left', clickCount: 1, ...how});
			await page.until(() => !document.querySelector('.popup').hidden);
			const now = await state(page);
			assert.deepEqual([now.selected, now.zoom], [['server', 'main', 'parse'], []]);
			assert.deepEqual(
				await page.run(() =>
					Array.from(document.querySelectorAll('.popup button'), e => e.textContent)
				),
				['Zoom', 'Callers', 'Focus', 'Hide', 'Drop', 'Mark', 'Copy name', 'Copy stack']
			);
			/*
			 * The arrow keys move the focus in the menu; Enter runs the focused
			 * command.
			 */
			await page.key('ArrowDown');
			await page.key('ArrowDown');
			assert.equal(await page.run(() => document.activeElement.textContent), 'Focus');
			await page.key('Enter');
			assert.deepEqual((await state(page)).filters, ['focus:function:parse']);
			assert.equal(await page.run(() => document.querySelector('.popup').hidden), true);
			assert.equal(await page.run(() => document.activeElement.className), 'graph');
		}
	},
	'the menu stays inside the picture, and goes with Esc or a press elsewhere': async open => {
		const page = await open('plain.svg', {width: 400, height: 500});
		await page.run(() => fg.select('server;main'));
		const box = () =>
			page.run(() => {
				const {left, right, top, bottom} = document.querySelector('.popup').getBoundingClientRect();
				return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
			});
		for (const text of ['main', 'server']) {
			const at = await labelAt(page, text);
			for (const type of ['mousePressed', 'mouseReleased'])
				await page.mouse(type, ...at, {button: 'right', clickCount: 1});
			await page.until(() => !document.querySelector('.popup').hidden);
			assert.ok(await box());
			if (text === 'main') await page.key('Escape');
			else await page.click(10, 10);
			assert.equal(await page.run(() => document.querySelector('.popup').hidden), true);
			/* Esc closed the menu and did nothing else. */
			if (text === 'main') assert.deepEqual((await state(page)).selected, ['server', 'main']);
		}
	},
	'a drag pans and is never a click': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.zoom('server;main;parse'));
		const [x, y] = await labelAt(page, 'parse');
		await drag(page, [x + 300, y], [x + 150, y]);
		let now = await page.until(() => fg.state().range.length && fg.state());
		assert.equal(now.selected, null);
		/* One drag is one step of undo, however slow it is. */
		await page.run(() => fg.undo());
		const press = {button: 'left', buttons: 1, clickCount: 1};
		await page.mouse('mousePressed', x + 300, y, press);
		for (const by of [200, 150]) {
			await page.mouse('mouseMoved', x + by, y, press);
			await new Promise(done => setTimeout(done, 800));
		}
		await page.mouse('mouseReleased', x + 150, y, press);
		await page.until(() => fg.state().range.length);
		await page.run(() => fg.undo());
		now = await state(page);
		assert.deepEqual([now.zoom, now.range], [['server', 'main', 'parse'], []]);
		/* If everything is in view, a drag cannot move it. */
		await page.run(() => fg.reset());
		await drag(page, [x + 300, y], [x + 150, y]);
		now = await state(page);
		assert.deepEqual([now.zoom, now.range, now.selected], [[], [], null]);
		/* A click with a small movement is a click. */
		await drag(page, await labelAt(page, 'parse'), (await labelAt(page, 'parse')).map(v => v + 2));
		await page.until(() => fg.state().zoom.length === 3);
	},
	'while the graph moves a bitmap stands in for it; at rest it is text again': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.window(0.1 * fg.state().total, 0.6 * fg.state().total));
		const wheel = () =>
			page.run(() => {
				const graph = document.querySelector('.graph');
				graph.dispatchEvent(new WheelEvent('wheel', {deltaX: 40, bubbles: true, cancelable: true, clientX: 300, clientY: 300}));
				return new Promise(requestAnimationFrame);
			});
		const look = () =>
			page.run(() => {
				const ink = document.querySelector('canvas.ink'),
					{data} = ink.getContext('2d').getImageData(0, 0, ink.width || 1, ink.height || 1);
				const colours = new Set();
				for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colours.add([data[i], data[i + 1], data[i + 2]].join());
				return {hidden: ink.hidden, svg: getComputedStyle(document.querySelector('.graph .canvas')).visibility, colours: [...colours]};
			});
		const labels = () =>
			page.run(() => Array.from(document.querySelectorAll('.labels text'), e => [e.getAttribute('x'), e.getAttribute('y'), e.textContent].join('|')));
		/* On a busy machine a step of this test can take longer than a movement lasts: retry. */
		let seen;
		for (let i = 0; i < 1000 && (!seen || seen.hidden); i++) {
			await wheel();
			seen = await look();
		}
		assert.deepEqual([seen.hidden, seen.svg], [false, 'hidden']);
		const fills = await page.run(() => Array.from(document.querySelectorAll('.frames path'), e => e.getAttribute('d') && getComputedStyle(e).fill.replace(/[^\d,]/g, '')));
		assert.ok(fills.filter(Boolean).some(fill => seen.colours.includes(fill)), `${fills}: ${seen.colours.slice(0, 9)}`);
		await page.until(() => document.querySelector('canvas.ink').hidden);
		seen = await look();
		assert.equal(seen.svg, 'visible');
		const rest = await labels();
		/* Another mode redraws all frames. */
		await page.run(() => fg.mode('function'));
		assert.deepEqual(rest, await labels());
		assert.ok(rest.length > 2);
	},
	'a pan moves the bitmap, and paints it again only where it ends': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.window(0.1 * fg.state().total, 0.6 * fg.state().total));
		const moved = await page.run(() => {
			const graph = document.querySelector('.graph'),
				ink = document.querySelector('canvas.ink'),
				to = ink.getContext('2d'),
				paints = [];
			to.clearRect = function (...of) {
				paints.push(fg.state().window[0]);
				CanvasRenderingContext2D.prototype.clearRect.apply(to, of);
			};
			const {width} = graph.getBoundingClientRect(),
				step = fg.state().total / 50;
			const seen = [];
			for (let i = 0; i < 8; i++) {
				const [lo, hi] = fg.state().window;
				graph.dispatchEvent(new WheelEvent('wheel', {deltaX: (step * width) / (hi - lo), bubbles: true, cancelable: true, clientX: 300, clientY: 300}));
				seen.push([paints.length, new DOMMatrix(getComputedStyle(ink).transform).e]);
			}
			delete to.clearRect;
			const {e: shift} = new DOMMatrix(getComputedStyle(ink).transform),
				{data, width: wide} = to.getImageData(0, 0, ink.width, ink.height);
			window.at = (x, y) => Array.from(data.slice(4 * (Math.round(y) * wide + Math.round(x - shift)), 4 * (Math.round(y) * wide + Math.round(x - shift)) + 3)).join();
			return {seen, hidden: ink.hidden};
		});
		assert.equal(moved.hidden, false);
		const paints = moved.seen.map(([n]) => n);
		assert.equal(paints[0], 1);
		assert.ok(paints.some((n, k) => k && n === paints[k - 1] && moved.seen[k][1] !== moved.seen[k - 1][1]), JSON.stringify(moved.seen));
		assert.ok(paints.at(-1) > 1 && paints.at(-1) < 8, JSON.stringify(moved.seen));
		await page.until(() => document.querySelector('canvas.ink').hidden);
		/* The bitmap that stood there shows each wide frame where it is at rest. */
		const frames = await page.run(() => {
			const {y} = document.querySelector('.graph .canvas').viewBox.baseVal,
				{scrollTop, clientHeight} = document.querySelector('.graph');
			return Array.from(document.querySelectorAll('.frames path, .graph .dim path')).flatMap(path =>
				Array.from((path.getAttribute('d') || '').matchAll(/M(\d+) (-?\d+)h(\d+)/g), m => m.slice(1).map(Number))
					.filter(([, top, w]) => w > 40 && top - y >= scrollTop && top - y + 18 < scrollTop + clientHeight)
					.flatMap(([x, top, w]) =>
						[x + 2, x + w - 3].map(edge => [
							getComputedStyle(path).fillOpacity === '1' && getComputedStyle(path).fill.replace(/[^\d,]/g, ''),
							at(edge, top - y - scrollTop + 1)
						])
					)
			);
		});
		const plain = frames.filter(([fill]) => fill);
		assert.ok(plain.length > 3);
		for (const [fill, seen] of plain) assert.equal(seen, fill);
	},
	'a graph that gets deeper while it moves is drawn down to its last row': async open => {
		const page = await open('slope.svg');
		await page.run(() => fg.window(0.1 * fg.state().total, 0.5 * fg.state().total));
		const [moved, before, deep] = await page.run(async () => {
			const frame = () => new Promise(requestAnimationFrame);
			await frame();
			const height = () => document.querySelector('.graph .canvas').viewBox.baseVal.height,
				before = height(),
				from = fg.state().window[0];
			document.querySelector('.graph').dispatchEvent(
				new WheelEvent('wheel', {deltaX: 5000, bubbles: true, cancelable: true, clientX: 300, clientY: 300})
			);
			for (let i = 0; i < 100 && fg.state().window[0] === from; i++) await frame();
			await frame();
			return [!document.querySelector('canvas.ink').hidden && height(), before, fg.state().window[0] > from];
		});
		assert.ok(deep);
		await page.until(() => document.querySelector('canvas.ink').hidden);
		const rest = await page.run(() => document.querySelector('.graph .canvas').viewBox.baseVal.height);
		assert.ok(before < 1000 && rest >= 60 * 18, `${before} ${rest}`);
		/* Unless the machine was too busy to see it move */
		if (moved) assert.equal(moved, rest);
	},
	'a tip at the pointer tells what it is at; a shallow graph stands at the top': async open => {
		const page = await open('plain.svg');
		const [x, y] = await labelAt(page, 'parse');
		await page.mouse('mouseMoved', x + 20, y, {});
		await page.until(() => !document.querySelector('.tip').hidden);
		const [text, below, right] = await page.run((x, y) => {
			const tip = document.querySelector('.tip'),
				box = tip.getBoundingClientRect();
			return [tip.textContent, box.top - y, box.left - x];
		}, x + 20, y);
		assert.match(text, /^parse: /);
		assert.ok(below > 0 && below < 40 && right > 0 && right < 40, `${below} ${right}`);
		const [top, graph] = await page.run(() => {
			const y = e => e.getBoundingClientRect().top;
			return [Math.min(...Array.from(document.querySelectorAll('.labels text'), y)), y(document.querySelector('.graph'))];
		});
		assert.ok(top - graph < 20, `${top} ${graph}`);
		await page.mouse('mouseMoved', 5, 5, {});
		await page.until(() => document.querySelector('.tip').hidden);
	},
	'a drag scrolls a tall graph': async open => {
		const page = await open('tall.svg');
		const scroll = () => page.run(() => document.querySelector('.graph').scrollTop);
		/* The first drawing puts the root in view; the drag starts from there. */
		await page.until(() => document.querySelector('.graph').scrollTop > 100);
		const before = await scroll();
		await drag(page, [300, 300], [300, 400]);
		await page.until(wanted => document.querySelector('.graph').scrollTop === wanted, before - 100);
		assert.deepEqual((await state(page)).zoom, []);
	},
	'the wheel pans sideways, with Ctrl it zooms': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.zoom('server;main;parse'));
		const [x, y] = await labelAt(page, 'parse');
		await page.mouse('mouseWheel', x, y, {deltaX: 80, deltaY: 0});
		await page.until(() => fg.state().range.length);
		await page.run(() => fg.undo());
		await page.mouse('mouseWheel', x, y, {deltaX: 0, deltaY: 80, modifiers: 8});
		await page.until(() => fg.state().range.length);
		await page.run(() => fg.undo());
		await page.mouse('mouseWheel', x, y, {deltaX: 0, deltaY: -80, modifiers: 2});
		await page.until(() => fg.state().range.length);
	},
	'two fingers zoom and pan': async open => {
		const page = await open('plain.svg', {width: 390, height: 700, touch: true});
		const [, y] = await labelAt(page, 'main');
		const touch = (type, ...xs) =>
			page.call('Input.dispatchTouchEvent', {
				type,
				touchPoints: xs.map((x, id) => ({x, y, id}))
			});
		const span = () => page.run(() => fg.state().window[1] - fg.state().window[0]);
		const whole = await span();
		await touch('touchStart', 150, 250);
		for (let k = 1; k <= 5; k++) await touch('touchMove', 150 - 10 * k, 250 + 10 * k);
		await touch('touchEnd');
		await page.until(before => fg.state().window[1] - fg.state().window[0] < before, whole);
		const now = await state(page);
		assert.ok(Math.abs((await span()) - whole / 2) <= 2, String(await span()));
		await touch('touchStart', 150, 200);
		for (let k = 1; k <= 5; k++) await touch('touchMove', 150 + 10 * k, 200 + 10 * k);
		await touch('touchEnd');
		await page.until(before => fg.state().window[0] < before, now.window[0]);
		assert.equal((await state(page)).selected, null);
	},
	'hover is right after scrolling': async open => {
		const page = await open('tall.svg');
		await page.mouse('mouseMoved', 300, 300);
		await page.until(() => /^level_/.test(document.querySelector('.status').textContent));
		const level = async () => Number(/^level_(\d+)/.exec(await status(page))[1]);
		const before = await level();
		await page.run(() => (document.querySelector('.graph').scrollTop -= 180));
		await page.until(old => !document.querySelector('.status').textContent.startsWith(old), `level_${before}:`);
		assert.equal(await level(), before + 10);
	},
	'neighbours too narrow to draw are a block that a click opens': async open => {
		const page = await open('others.svg');
		const at = await labelAt(page, '3,000 others, 50 %');
		assert.ok(await page.run(() => document.querySelector('.others').getAttribute('d')));
		await page.mouse('mouseMoved', ...at);
		await page.until(() => /^3,000 others/.test(document.querySelector('.status').textContent));
		await page.mouse('mouseMoved', ...(await labelAt(page, 'one')));
		await page.until(() => /^one:/.test(document.querySelector('.status').textContent));
		await page.click(...at);
		/* The frames around the click become wide enough for a click each. */
		await page.until(() => {
			const [lo, hi] = fg.state().window;
			return hi < 600 && hi - lo < 100;
		});
		await page.run(() => fg.window(100, 120));
		await page.until(() => Array.from(document.querySelectorAll('.labels text')).some(e => /^f01/.test(e.textContent)));
		assert.equal(await page.run(() => document.querySelector('.others').getAttribute('d')), '');
		/*
		 * A search finds frames within a block of narrow frames; a saved file has all of
		 * them.
		 */
		await page.run(() => fg.reset());
		assert.equal((await page.run(() => fg.search('^f02'))).count, 100);
		await page.until(() => document.querySelector('.thin').getAttribute('d'));
		assert.equal(await page.run(() => fg.folded().split('\n').length), 3002);
	}
});
