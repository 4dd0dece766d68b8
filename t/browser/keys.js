/*
 * Keyboard and screen readers, SVGs embedded in pages, small windows, size and contrast of
 * controls.
 */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

const state = page => page.run(() => fg.state());
const focused = page =>
	page.run(() => {
		const e = document.activeElement;
		return e.value || e.className || e.localName;
	});

const CONTRAST = () => {
	const parse = text => text.match(/[\d.]+/g).map(Number);
	const linear = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
	window.contrastOf = (a, b) => {
		const [x, y] = [light(parse(a)), light(parse(b))];
		return Math.max(x, y) / Math.min(x, y);
	};
};

suite({
	'the focus stays where it was after a command': async open => {
		const page = await open('notes.svg');
		await page.run(() => fg.select('app;main;fib'));
		for (const key of ['f', 'h', 'm', 'y']) {
			await page.run(k => document.querySelector(`.panel [value=${k}]`).focus(), key);
			await page.key('Enter');
			assert.equal(await focused(page), key);
			await page.run(() => fg.reset());
			await page.run(() => fg.select('app;main;fib'));
		}
		await page.run(() => (document.querySelector('.menu').open = true, document.querySelector('.bar [value=k]').focus()));
		await page.key('Enter');
		assert.equal(await focused(page), 'k');
		await page.run(() => (fg.zoom('app;main'), document.querySelectorAll('.crumbs button')[1].focus()));
		await page.key('Enter');
		assert.equal(
			await page.run(() => document.activeElement.closest('.crumbs') && document.activeElement.textContent),
			'app'
		);
		await page.run(() => (fg.hide('idle'), document.querySelector('.chips button').focus()));
		await page.key('Enter');
		/* The focused chip no longer exists; the focus moves to another control. */
		assert.notEqual(await focused(page), 'body');
		await page.run(() => (fg.tab('functions'), document.querySelector('.sorts button').focus()));
		await page.key('Enter');
		assert.equal(await page.run(() => document.activeElement.dataset.key), 'self');
	},
	'a tree item has its level, its place and the size of its set': async open => {
		const page = await open('notes.svg');
		for (let k = 0; k < 3; k++) await page.key('ArrowUp');
		const item = await page.run(() => {
			const e = document.getElementById(
				document.querySelector('[role=tree]').getAttribute('aria-activedescendant')
			);
			return ['role', 'aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded', 'aria-selected'].map(
				key => e.getAttribute(key)
			);
		});
		assert.deepEqual((await state(page)).selected, ['app', 'main', 'fib']);
		assert.deepEqual(item, ['treeitem', '4', '1', '4', 'true', 'true']);
		/* The root is the current item after a reset. */
		await page.run(() => fg.reset());
		await page.until(() => document.querySelector('[role=treeitem]').getAttribute('aria-level') === '1');
		await page.run(() => fg.select('app;idle'));
		assert.equal(await page.run(() => document.querySelector('.item').getAttribute('aria-expanded')), null);
	},
	'inside a page the keys are the picture\'s only while the graph has the focus': async open => {
		const page = await open('host.html');
		await page.run(() => document.querySelector('input').focus());
		for (const key of ['k', 'r', 't', '/']) await page.key(key);
		assert.equal(await page.run(() => document.querySelector('input').value), 'krt/');
		await page.run(() => {
			window.stopped = 0;
			addEventListener('keydown', e => (window.stopped += e.defaultPrevented ? 1 : 0));
			document.querySelector('input').blur();
		});
		await page.key('r');
		await page.key('f', 2);
		await page.run(() => document.querySelectorAll('.graph')[1].focus());
		await page.key('f', 2);
		assert.equal(await page.run(() => window.stopped), 0);
		assert.equal(await page.run(() => location.hash), '');
		const both = () =>
			page.run(() =>
				Array.from(document.querySelectorAll('svg.fg'), e => e.fg.state().reverse)
			);
		assert.deepEqual(await both(), [false, false]);
		await page.key('r');
		assert.deepEqual(await both(), [false, true]);
	},
	'two pictures in one page do not know of each other': async open => {
		const page = await open('host.html');
		const [first, second] = await page.run(() => {
			const [a, b] = Array.from(document.querySelectorAll('svg.fg'), e => e.fg);
			a.zoom('app;main');
			b.mode('hot');
			return [a.state(), b.state()];
		});
		assert.deepEqual([first.zoom, first.mode], [['app', 'main'], 'origin']);
		assert.deepEqual([second.zoom, second.mode], [[], 'hot']);
		assert.equal(await page.run(() => location.hash + history.length), '2');
		const ids = await page.run(() =>
			Array.from(document.querySelectorAll('.app, .app [id]'), e => e.id).filter(Boolean)
		);
		assert.equal(new Set(ids).size, ids.length, ids.join());
		const fills = await page.run(() =>
			Array.from(document.querySelectorAll('.app'), app => {
				const path = Array.from(app.querySelectorAll('.frames path')).find(e => e.getAttribute('d'));
				return getComputedStyle(path).fill;
			})
		);
		assert.notEqual(fills[0], fills[1]);
	},
	'a small picture has room to be live in a page': async open => {
		for (const [width, height] of [[1280, 800], [390, 844]]) {
			const page = await open('host.html', {width, height});
			for (const [svg, graph, foot] of await page.run(() =>
				Array.from(document.querySelectorAll('svg.fg'), e => [
					e.getBoundingClientRect().bottom,
					e.querySelector('.graph').getBoundingClientRect().height,
					e.querySelector('footer').getBoundingClientRect().bottom
				])
			))
				assert.ok(graph > 100 && foot <= svg, `${width}: graph ${graph}, ${foot} of ${svg}`);
		}
	},
	'nothing lies over another part of the page where there is little room': async open => {
		for (const [width, height] of [[1280, 800], [1280, 400], [390, 400], [320, 500], [320, 256]]) {
			const page = await open('diff.svg', {width, height});
			for (const tab of ['summary', 'tree', 'none']) {
				await page.run(name => (fg.tab(name), fg.search('a'), 1), tab);
				assert.deepEqual(
					await page.run(() => {
						const parts = Array.from(document.querySelectorAll('.app > *:not(.popup), .field, .side')).filter(
								e => e.getClientRects().length
							),
							out = [];
						for (const a of parts)
							for (const b of parts) {
								const p = a.getBoundingClientRect(),
									q = b.getBoundingClientRect();
								if (a === b || a.contains(b) || b.contains(a)) continue;
								if (p.top < q.bottom - 1 && q.top < p.bottom - 1 && p.left < q.right - 1 && q.left < p.right - 1)
									out.push(`${a.className || a.localName} ${b.className || b.localName}`);
							}
						return out;
					}),
					[],
					`${width} x ${height}, ${tab}`
				);
			}
			const graph = await page.run(() => document.querySelector('.graph').getBoundingClientRect().height);
			assert.ok(graph > 100, `${width} x ${height}: the graph is ${graph} px high`);
			/* A search does not move the toolbar or the graph. */
			const tall = () => page.run(() => document.querySelector('.bar').getBoundingClientRect().height);
			const before = await tall();
			await page.run(() => void fg.search(''));
			assert.equal(await tall(), before);
			if (width > 1000) assert.ok(before < 60, `the bar is ${before} px`);
		}
	},
	'everything can be reached at 320 by 256': async open => {
		for (const picture of ['notes.svg', 'diff.svg', 'large.svg']) {
			const page = await open(picture, {width: 320, height: 256});
			await page.run(() => fg.select('app'));
			for (const tab of ['inspector', 'functions', 'help']) {
				await page.run(name => fg.tab(name), tab);
				const lost = await page.run(() => {
					const app = document.querySelector('.app'),
						out = [];
					document.querySelector('.menu').open = true;
					if (app.scrollWidth > 320) out.push('wide ' + app.scrollWidth);
					for (const e of app.querySelectorAll('button, select, input, summary, .figure, .graph, .panel')) {
						if (!e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true})) continue;
						e.scrollIntoView({block: 'nearest'});
						const {left, right, top, bottom} = e.getBoundingClientRect();
						if (left < -1 || right > 321 || bottom < 1 || top > 255)
							out.push(`${e.className || e.value} ${[left, right, top, bottom]}`);
					}
					const graph = document.querySelector('.graph').getBoundingClientRect();
					if (graph.height < 100) out.push('graph ' + graph.height);
					return out;
				});
				assert.equal(lost.join('\n'), '');
			}
		}
	},
	'what is to be hit is at least 24 pixels high and wide': async open => {
		for (const [picture, width] of [
			['diff.svg', 1280],
			['notes.svg', 390]
		]) {
			const page = await open(picture, {width, height: 800});
			await page.run(() => {
				document.querySelector('.menu').open = true;
				fg.select('app');
				fg.hide(fg.folded().includes('idle') ? 'idle' : 'same');
				fg.zoom('app');
			});
			for (const tab of ['inspector', 'functions']) {
				await page.run(name => fg.tab(name), tab);
				assert.equal(
					await page.run(() =>
						Array.from(document.querySelectorAll('button, select, input, summary, .line'))
							.filter(e => e.getClientRects().length)
							.map(e => [e.className || e.value, e.getBoundingClientRect()])
							.filter(([, {width: w, height}]) => w < 24 || height < 24)
							.map(([what, box]) => `${what} ${box.width} ${box.height}`)
							.join('\n')
					),
					''
				);
			}
		}
	},
	'labels stand out from their frames in every palette, light and dark': async open => {
		const page = await open('palettes.svg', {before: `(${CONTRAST})()`});
		const modes = await page.run(() => Array.from(document.querySelector('.mode').options, e => e.value));
		assert.ok(modes.length > 15);
		for (const theme of ['light', 'dark']) {
			await page.media({'prefers-color-scheme': theme});
			for (const mode of modes) {
				await page.run(name => fg.mode(name), mode);
				const worst = await page.run(() => {
					const point = document.querySelector('.canvas').createSVGPoint();
					let least = [99, ''];
					for (const label of document.querySelectorAll('.labels text')) {
						point.x = Number(label.getAttribute('x'));
						point.y = Number(label.getAttribute('y'));
						for (const frame of document.querySelectorAll('.frames path'))
							if (frame.isPointInFill(point)) {
								const ratio = contrastOf(getComputedStyle(label).fill, getComputedStyle(frame).fill);
								if (ratio < least[0]) least = [ratio, label.textContent];
							}
					}
					return least;
				});
				assert.ok(worst[0] >= 4.5, `${mode}, ${theme}: ${worst}`);
			}
		}
	},
	'at 1,280 pixels the heading is one row and no figure is cut, also with eleven digits': async open => {
		const page = await open('large.svg', {width: 1280, height: 800});
		const rows = await page.run(() => {
			const boxes = Array.from(document.querySelectorAll('.bar > *'), e => e.getBoundingClientRect()).filter(
				box => box.width
			);
			return boxes.filter(({top}) => top >= boxes[0].bottom).length;
		});
		assert.equal(rows, 0);
		for (const tab of ['functions', 'tree']) {
			await page.run(name => fg.tab(name), tab);
			if (tab === 'tree') await page.key('ArrowRight');
			const cut = await page.run(() =>
				Array.from(document.querySelectorAll('.lines .line span:not(.name, .name *)'))
					.filter(e => e.scrollWidth > e.clientWidth)
					.map(e => e.textContent)
			);
			assert.deepEqual(cut, []);
			assert.match(await page.run(() => document.querySelector('.lines').textContent), /\+<0\.01 %/);
		}
	}
});
