/*
 * Identity of functions, links of the function list, and the order, wording and undo of a search.
 */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

const state = page => page.run(() => fg.state());
const rows = page =>
	page.run(() =>
		Array.from(document.querySelectorAll('.lines .line'), e => e.innerText.replace(/\s+/g, ' '))
	);
const panel = page =>
	page.run(() => document.querySelector('.panel').innerText.replace(/\s+/g, ' '));

async function pressed(page, key) {
	await page.key(key);
	return state(page);
}

const rowAt = (page, k) =>
	page.run(n => {
		const {x, y} = document.querySelectorAll('.lines .line')[n].getBoundingClientRect();
		return [x + 30, y + 8];
	}, k);

suite({
	'a function is one row, whatever its lines and annotations': async open => {
		const page = await open('same.svg');
		await page.run(() => fg.tab('functions'));
		assert.deepEqual(await rows(page), [
			'40.00 % 40.00 % parse · a.c',
			'25.00 % 25.00 % foo',
			'20.00 % 20.00 % copy · liba.so',
			'10.00 % 10.00 % copy · libb.so',
			'5.00 % 5.00 % parse · b.c',
			'0.00 % 100.00 % app'
		]);
	},
	'sandwich, focus, hide, drop and mark take all of a function': async open => {
		const page = await open('same.svg');
		const name = 'parse (a.c:9)';
		await page.run(n => fg.sandwich(n), name);
		let now = await state(page);
		assert.deepEqual([now.sandwich, now.total], ['parse (a.c)', 40]);
		await page.run(() => fg.reset());
		for (const [what, left] of [
			['focus', 40],
			['drop', 60]
		]) {
			await page.run((w, n) => fg[w](n), what, name);
			assert.equal((await state(page)).total, left);
			await page.run(() => fg.reset());
		}
		await page.run(n => fg.hide(n), name);
		const text = await page.run(() => fg.folded());
		assert.ok(!text.includes('a.c') && text.includes('b.c'), text);
		await page.run(() => fg.reset());
		await page.run(n => fg.mark('function:' + n), name);
		assert.equal((await state(page)).matches.count, 2);
		await page.run(() => fg.mark('function:foo_[i]'));
		assert.equal((await state(page)).matches.count, 2);
	},
	'the inspector shows the facets of a function': async open => {
		const page = await open('same.svg');
		await page.run(() => fg.select('app;parse (a.c:3)'));
		assert.match(
			await panel(page),
			/All occurrences \(2\) Total 40 .* Self by line line 9 75\.00 % line 3 25\.00 %/
		);
		await page.run(() => fg.select('app;foo'));
		assert.match(await panel(page), /Inlined, called inlined 60\.00 % called 40\.00 %/);
		await page.run(() => fg.select('app;liba.so`copy_[l]'));
		assert.match(await panel(page), /Self by module liba\.so 66\.67 % libb\.so 33\.33 %/);
	},
	'a row selects its function, and the commands act on it': async open => {
		const page = await open('same.svg');
		await page.run(() => fg.tab('functions'));
		await page.click(...(await rowAt(page, 1)));
		let now = await state(page);
		assert.deepEqual([now.selected, now.zoom], [['app', 'foo_[i]'], []]);
		/* The row has enough contrast in both themes. */
		for (const theme of ['light', 'dark']) {
			await page.media({'prefers-color-scheme': theme});
			const ratio = await page.run(() => {
				const row = document.querySelector('.lines [aria-selected=true]');
				const light = text => {
					const [r, g, b] = text.match(/\d+/g).map(v => {
						const s = v / 255;
						return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
					});
					return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
				};
				const {color, backgroundColor} = getComputedStyle(row);
				const [a, b] = [light(color), light(backgroundColor)];
				return Math.max(a, b) / Math.min(a, b);
			});
			assert.ok(ratio >= 4.5, `${theme}: ${ratio}`);
		}
		now = await pressed(page, 'f');
		assert.deepEqual([now.filters, now.total], [['focus:function:foo'], 25]);
		await page.key('u');
		await page.click(...(await rowAt(page, 1)));
		await page.key('Enter');
		assert.equal((await state(page)).sandwich, 'foo');
		await page.key('Escape');
		/* A double click has the same effect. */
		const at = await rowAt(page, 0);
		await page.mouse('mouseMoved', ...at);
		for (const clickCount of [1, 2])
			for (const type of ['mousePressed', 'mouseReleased'])
				await page.mouse(type, ...at, {button: 'left', clickCount});
		assert.equal((await state(page)).sandwich, 'parse (a.c)');
	},
	'the list of a differential is sorted by change of self, and a wide panel shows base and head too': async open => {
		const page = await open('sides.svg');
		const heads = () =>
			page.run(() =>
				Array.from(document.querySelectorAll('.sorts button:not([hidden])'), e => e.innerText)
			);
		await page.run(() => fg.tab('functions'));
		assert.deepEqual(await heads(), ['Δ self ▾', 'Δ total', 'name']);
		assert.deepEqual(await rows(page), [
			'+75.00 % +75.00 % grown',
			'+30.00 % +30.00 % same',
			'−5.00 % +100.00 % app'
		]);
		await page.run(() => document.querySelector('.grip').focus());
		for (let k = 0; k < 10; k++) await page.key('ArrowLeft');
		await page.until(() => document.querySelectorAll('.sorts button:not([hidden])').length === 5);
		assert.deepEqual(await heads(), ['Δ self ▾', 'Δ total', 'base', 'head', 'name']);
		assert.match((await rows(page))[2], /^−5\.00 % \+100\.00 % 5\.00 % 0\.00 % app$/);
		await page.run(() => document.querySelector('[data-key=total]').click());
		assert.match((await rows(page))[0], /^−5\.00 % \+100\.00 % 100\.00 % 100\.00 % app$/);
		/* The self value of a frame that still exists is never called removed. */
		await page.run(() => fg.toggle('own'));
		assert.match(
			await page.run(() => (fg.select('app'), document.querySelector('.status').textContent)),
			/^app: ▼ faster/
		);
	},
	'changes that are noise have no colour in the list and the tree of a differential': async open => {
		const colours = (page, tab) =>
			page.run(tab => {
				fg.tab(tab);
				return Array.from(document.querySelectorAll('.list .line[data-row]'), line =>
					[line.querySelector('.name').innerText.replace(/^\W+/, '')].concat(
						Array.from(line.querySelectorAll('span:not(.name):not(.twist)'), e => e.className).slice(tab === 'tree' ? 2 : 0)
					).join(' ').trim()
				).sort();
			}, tab);
		let page = await open('marked.svg');
		assert.deepEqual(await colours(page, 'functions'), ['app  up', 'grown up up', 'shaken', 'shrunk down down', 'still']);
		assert.deepEqual(await colours(page, 'tree'), ['app up', 'grown up', 'shaken', 'shrunk down', 'still']);
		page = await open('sides.svg');
		assert.deepEqual(await colours(page, 'functions'), ['app down up', 'grown up up', 'same up up']);
		await page.run(() => fg.noise(35));
		assert.deepEqual(await colours(page, 'functions'), ['app down up', 'grown up up', 'same']);
	},
	'the panel is resized by mouse and keyboard, and keeps its size': async open => {
		for (const [width, height, key, side] of [
			[1280, 800, 'ArrowLeft', 'width'],
			[600, 900, 'ArrowUp', 'height']
		]) {
			const page = await open('same.svg', {width, height});
			const sizes = () =>
				page.run(
					s => ['.side', '.main', '.graph'].map(e => document.querySelector(e).getBoundingClientRect()[s]),
					side
				);
			const [first, all] = await sizes();
			await page.run(() => document.querySelector('.grip').focus());
			await page.key(key);
			const [second, , graph] = await sizes();
			assert.ok(Math.abs(second - first - 0.02 * all) < 2, `${first} ${second} of ${all}`);
			assert.ok(Math.abs(second + graph - all) < 30, `${graph} + ${second} of ${all}`);
			/* Dragged with the mouse to half of the page. */
			const [from, to] = await page.run(s => {
				const grip = document.querySelector('.grip').getBoundingClientRect(),
					main = document.querySelector('.main').getBoundingClientRect();
				return [
					[grip.x + grip.width / 2, grip.y + grip.height / 2],
					s === 'width'
						? [main.x + main.width / 2, grip.y + 50]
						: [main.x + 50, main.y + main.height / 2]
				];
			}, side);
			await page.mouse('mouseMoved', ...from);
			await page.mouse('mousePressed', ...from, {button: 'left', buttons: 1, clickCount: 1});
			await page.mouse('mouseMoved', ...to, {button: 'left', buttons: 1});
			await page.mouse('mouseReleased', ...to, {button: 'left', clickCount: 1});
			const half = async () => Math.abs((await sizes())[0] - all / 2) < 3;
			assert.ok(await half(), String(await sizes()));
			/*
			 * The size does not change with other contents, after closing, or in a
			 * link.
			 */
			for (const name of ['functions', 'none', 'summary']) await page.run(n => fg.tab(n), name);
			assert.ok(await half());
			await page.run(() => window.dispatchEvent(new Event('blur')));
			assert.match(await page.run(() => location.hash), /panel=/);
			await page.reload();
			assert.ok(await half());
			assert.equal(await page.run(() => document.querySelector('.grip').ariaValueNow), '50');
		}
	},
	'the next match goes by weight, and comes near enough to be read': async open => {
		const page = await open('narrow.svg');
		await page.run(() => fg.search('hit'));
		const told = [];
		for (let k = 0; k < 4; k++) {
			await page.run(() => fg.next());
			const {selected, matches} = await state(page);
			told.push([selected.at(-1), matches.at, matches.count]);
			const width = await page.run(() => {
				const box = document.querySelector('.selected').getBoundingClientRect(),
					graph = document.querySelector('.graph').getBoundingClientRect();
				return box.top >= graph.top && box.bottom <= graph.bottom ? box.width : 0;
			});
			assert.ok(width >= 55, `${selected.at(-1)} is ${width} wide`);
		}
		assert.deepEqual(told, [
			['hit_large', 1, 3],
			['hit_middle', 2, 3],
			['hit_small', 3, 3],
			['hit_large', 1, 3]
		]);
		await page.run(() => fg.previous());
		assert.deepEqual((await state(page)).selected.at(-1), 'hit_small');
	},
	'a wrong pattern is told in words, and what a pattern is': async open => {
		const page = await open('narrow.svg');
		await page.key('/');
		const hint = await page.run(() => document.querySelector('.hint').innerText);
		assert.match(hint, /regular expression.*capitals/);
		await page.type('hit(');
		await page.until(() => fg.state().search === 'hit(');
		const note = await page.run(() => {
			const e = document.querySelector('.note');
			return e.getBoundingClientRect().width > 0 && e.innerText;
		});
		assert.match(note, /^not a regular expression \(.*group.*\): searched as text$/);
	},
	'functions of one name in one module are told apart by their files': async open => {
		const page = await open('namesakes.svg');
		/* The bars of the summary: own functions, in the colour of their origin. */
		const [wide, bars] = await page.run(() => [
			document.querySelector('.ranking .bar').getBoundingClientRect().width,
			Array.from(document.querySelectorAll('.ranking tr'), e => [e.querySelector('rect').getAttribute('class'), e.lastChild.textContent])
		]);
		assert.ok(wide < 80, String(wide));
		assert.deepEqual(bars, [['o0', 'compress (w.py)'], ['o0', 'main (w.py)']]);
		await page.key('t');
		assert.deepEqual(await page.run(() => Array.from(document.querySelectorAll('.list .name'), e => e.textContent).slice(0, 3)), [
			'compress · /srv/w.py',
			'compress · /usr/lib/python3/gzip.py',
			'main'
		]);
	},
	'fg.toggle takes the letters of commands and names, and refuses others': async open => {
		const page = await open('narrow.svg');
		await page.run(() => fg.toggle('k'));
		assert.equal((await state(page)).system, false);
		await page.run(() => fg.toggle('system'));
		assert.equal((await state(page)).system, true);
		for (const name of ['time', 'x', 'zoom', 'constructor', 'toString', 'noSuch'])
			assert.equal(await page.run(n => fg.toggle(n), name), `Nothing to toggle: ${name}`);
		await page.run(() => fg.reset());
		assert.equal(await page.run(() => location.hash.includes('time')), false);
	},
	'undo and back keep the box and the search together, and leave the looks alone': async open => {
		const page = await open('narrow.svg');
		const box = () => page.run(() => document.querySelector('.query').value);
		await page.key('/');
		await page.type('hit');
		await page.until(() => fg.state().search === 'hit');
		await page.run(() => (fg.mode('function'), fg.toggle('own'), fg.state()));
		await page.run(() => fg.zoom('app;wide'));
		await page.run(() => (document.querySelector('.query').focus(), 1));
		await page.run(() => fg.undo());
		await page.run(() => fg.undo());
		assert.deepEqual([(await state(page)).search, await box()], ['', '']);
		assert.equal((await state(page)).mode, 'function');
		await page.run(() => fg.redo());
		assert.deepEqual([(await state(page)).search, await box()], ['hit', 'hit']);
		await page.run(() => (fg.undo(), fg.search('wide'), fg.mode('hot')));
		await page.run(() => history.back());
		await page.until(() => fg.state().search !== 'wide');
		assert.deepEqual([(await state(page)).mode, await box()], ['hot', (await state(page)).search]);
	},
	'commands without anything to act on say so': async open => {
		const page = await open('same.svg');
		for (const [key, words] of [
			['k', /does not mark system calls/],
			['c', /No function here calls itself/],
			['3', /Nothing to compare/],
			['b', /Nothing to compare/],
			['4', /no bottleneck or wait columns/],
			['n', /No search/],
			['s', /Select a frame/],
			['U', /Nothing left to undo/]
		]) {
			await page.run(() => fg.select(''));
			await page.key('Escape');
			await page.key(key);
			assert.match(await page.run(() => document.querySelector('.status').textContent), words, key);
		}
		await page.run(() => fg.select('app;foo'));
		await page.key('H');
		assert.match(await page.run(() => document.querySelector('.status').textContent), /module .* unknown/);
	},
	'long names in rows keep what tells them apart': async open => {
		for (const width of [1280, 320]) {
			const page = await open('long.svg', {width, height: 800});
			for (const tab of ['functions', 'tree']) {
				await page.run(name => fg.tab(name), tab);
				const names = await page.run(() =>
					Array.from(document.querySelectorAll('.lines .name'), e => [
						e.innerText.trim(),
						e.scrollWidth <= e.clientWidth,
						e.parentElement.title
					])
				);
				for (const own of ['poll_next', 'insert', 'remove']) {
					const [, whole, title] = names.find(([text]) => text.includes(own)) || [];
					assert.ok(whole, `${width} ${tab} ${own} ${JSON.stringify(names)}`);
					assert.match(title, /std::collections::hash::map::\w+<alloc::string::String>\(char const/);
				}
			}
		}
	}
});
