/* Each key, button and gesture of the viewer: its effect on the state and the graph. */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

const state = page => page.run(() => fg.state());
const folded = page => page.run(() => fg.folded());
const status = page => page.run(() => document.querySelector('.status').textContent);
const select = (page, path) => page.run(to => fg.select(to), path);
const total = text =>
	text
		.trim()
		.split('\n')
		.reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);

async function pressed(page, key) {
	await page.key(key);
	return state(page);
}

/* The middle of the button whose command has this key. */
const buttonAt = (page, key) =>
	page.run(value => {
		const button = Array.from(document.querySelectorAll('button')).find(
			e => e.value === value && e.getBoundingClientRect().width
		);
		const {x, y, width, height} = button.getBoundingClientRect();
		return [x + width / 2, y + height / 2];
	}, key);

const graphBox = page =>
	page.run(() => {
		const {x, y, width, height} = document
			.querySelector('.graph')
			.getBoundingClientRect();
		return {x, y, width, height};
	});

/* Catches the contents of the clipboard and of saved files. */
const CATCH = () => {
	Object.defineProperty(navigator, 'clipboard', {
		value: {writeText: async text => (window.copied = text)}
	});
	const make = URL.createObjectURL;
	URL.createObjectURL = blob => {
		blob.text().then(text => (window.saved = text));
		return make.call(URL, blob);
	};
};

suite({
	'arrow keys walk the frames, up towards the leaves': async open => {
		const page = await open('notes.svg');
		assert.deepEqual((await pressed(page, 'ArrowUp')).selected, ['app']);
		assert.deepEqual((await pressed(page, 'ArrowUp')).selected, ['app', 'main']);
		assert.deepEqual((await pressed(page, 'ArrowLeft')).selected, ['app', 'idle']);
		assert.deepEqual((await pressed(page, 'ArrowRight')).selected, ['app', 'main']);
		assert.deepEqual((await pressed(page, 'ArrowDown')).selected, ['app']);
		assert.match(
			await page.run(() => document.querySelector('[role=treeitem]').textContent),
			/^app: 100 samples/
		);
	},
	'Enter zooms, Backspace zooms out, 0 shows everything again': async open => {
		const page = await open('notes.svg');
		await select(page, 'app;main');
		assert.deepEqual((await pressed(page, 'Enter')).zoom, ['app', 'main']);
		assert.deepEqual((await pressed(page, 'Backspace')).zoom, ['app']);
		await page.run(() => fg.hide('idle'));
		const now = await pressed(page, '0');
		assert.deepEqual([now.zoom, now.filters], [[], []]);
	},
	'/ and Ctrl-F search, Enter and n and N go from match to match, Esc clears': async open => {
		const page = await open('notes.svg');
		await page.key('/');
		await page.type('^fib$');
		await page.until(() => fg.state().search === '^fib$');
		assert.deepEqual((await state(page)).matches, {count: 3, share: 0.3, at: 0});
		await page.key('Enter');
		assert.deepEqual((await state(page)).selected, ['app', 'main', 'fib']);
		await page.run(() => document.querySelector('.graph').focus());
		assert.equal((await pressed(page, 'n')).matches.at, 2);
		assert.equal((await pressed(page, 'N')).matches.at, 1);
		assert.equal((await pressed(page, 'N')).matches.at, 3);
		assert.equal((await pressed(page, 'Escape')).search, '');
		await page.key('f', 2);
		assert.equal(await page.run(() => document.activeElement.className), 'query');
	},
	'i puts the root on top': async open => {
		const page = await open('notes.svg');
		const y = () =>
			page.run(() =>
				Array.from(document.querySelectorAll('.labels text'))
					.filter(e => /^(all|app)$/.test(e.textContent))
					.map(e => e.textContent + e.getBoundingClientRect().y)
					.sort()
					.map(t => Number(t.slice(3)))
			);
		let [all, app] = await y();
		assert.ok(all > app);
		assert.equal((await pressed(page, 'i')).flip, true);
		[all, app] = await y();
		assert.ok(all < app);
		await page.key('ArrowDown');
		assert.deepEqual((await state(page)).selected, ['app']);
	},
	'r reads stacks from the leaves': async open => {
		const page = await open('notes.svg');
		await page.key('r');
		const text = await folded(page);
		assert.match(text, /^fib;fib;fib;main;app 30$/m);
		assert.equal(total(text), 100);
		assert.equal((await pressed(page, 'r')).reverse, false);
	},
	'c draws a function that calls itself once': async open => {
		const page = await open('notes.svg');
		await page.key('c');
		assert.match(await folded(page), /^app;main;fib 30$/m);
		assert.equal(total(await folded(page)), 100);
	},
	'k takes kernel and runtime frames out, their value goes to the caller': async open => {
		const page = await open('notes.svg');
		await page.key('k');
		assert.equal(
			await folded(page),
			[
				'app;idle 25',
				'app;main 10',
				'app;main;fib;fib;fib 30',
				'app;main;parse (src/parse.c:12);lex_[i] 15',
				'app;main;write_[l] 20',
				''
			].join('\n')
		);
		/* A check box in the View menu. */
		await page.run(() => (document.querySelector('.menu').open = true));
		const box = () => page.run(() => document.querySelector('.menu [value=k]').ariaChecked);
		assert.equal(await box(), 'false');
		await page.click(...(await buttonAt(page, 'k')));
		assert.equal((await state(page)).system, true);
		assert.equal(await box(), 'true');
	},
	'p keeps the functions of the profile\'s languages, with the time of the native ones': async open => {
		const page = await open('mixed.svg');
		await page.key('p');
		assert.equal(
			await folded(page),
			'<module> (/srv/app.py:1)_[p];View.get (/srv/views.py:12)_[p] 5\n<module> (/srv/app.py:1)_[p];map_[p] 2\n'
		);
		assert.match(await page.run(() => fg.command().line), /^fg-filter --lang python FILE/);
		assert.equal(await page.run(() => document.querySelector('.chips').textContent), 'only python ×');
		/* A check box in the View menu. */
		await page.run(() => (document.querySelector('.menu').open = true));
		assert.equal(await page.run(() => document.querySelector('.menu [value=p]').ariaChecked), 'true');
		await page.click(...(await buttonAt(page, 'p')));
		assert.deepEqual((await state(page)).filters, []);
		/* In a profile without a language, and by a link from another picture. */
		const native = await open('notes.svg');
		await native.key('p');
		assert.deepEqual((await state(native)).filters, []);
		await native.run(() => (location.hash = '#filters=%3Bhide%3Anative%3Apython'));
		assert.deepEqual((await state(native)).filters, []);
	},
	'p tells the share of the stacks without the languages, which it leaves out': async open => {
		const page = await open('native.svg');
		await page.key('p');
		await page.until(() => document.querySelector('.status').textContent === '30.00 % is in stacks without python: they are left out');
	},
	's shows callers and callees, recursion counted once': async open => {
		const page = await open('notes.svg');
		await select(page, 'app;main;fib;fib');
		assert.equal((await pressed(page, 's')).sandwich, 'fib');
		assert.equal((await state(page)).total, 30);
		assert.equal(await folded(page), 'app;main;fib;fib;fib 30\n');
		assert.deepEqual(
			await page.run(() =>
				Array.from(
					document.querySelectorAll('.labels text'),
					e => e.textContent
				).sort()
			),
			['app', 'fib', 'fib', 'fib', 'main']
		);
		assert.equal((await pressed(page, 'Escape')).sandwich, '');
	},
	'f and F focus a function and a module, h and H hide them': async open => {
		const page = await open('notes.svg');
		await select(page, 'app;main;fib');
		await page.key('f');
		assert.equal(await folded(page), 'app;main;fib;fib;fib 30\n');
		await page.key('u');
		await select(page, 'app;main;fib');
		await page.key('h');
		assert.match(await folded(page), /^app;main 30$/m);
		await page.run(() => fg.reset());
		await select(page, 'app;main;libc.so.6`memcpy_[l]');
		await page.key('F');
		assert.equal(await folded(page), 'app;main;libc.so.6`memcpy_[l] 10\n');
		await page.run(() => fg.reset());
		await select(page, 'app;main;libc.so.6`memcpy_[l]');
		await page.key('H');
		assert.match(await folded(page), /^app;main 10$/m);
		assert.equal(
			await page.run(() => document.querySelector('.chips').textContent),
			'hidden: module libc.so.6 ×'
		);
		await page.run(() => document.querySelector('.chips button').click());
		assert.deepEqual((await state(page)).filters, []);
	},
	'1 2 change the colours, 3 4 only where there are such columns': async open => {
		const page = await open('notes.svg');
		assert.equal((await pressed(page, '2')).mode, 'function');
		assert.equal((await pressed(page, '1')).mode, 'origin');
		assert.equal((await pressed(page, '3')).mode, 'origin');
		assert.equal((await pressed(page, '4')).mode, 'origin');
		const diff = await open('diff.svg'),
			four = await open('four.svg');
		await diff.key('1');
		assert.equal((await pressed(diff, '3')).mode, 'differential');
		await four.key('1');
		assert.equal((await pressed(four, '4')).mode, 'bottleneck');
		/* Four columns with other names are not the bottleneck columns. */
		const counts = await open('counts.svg');
		assert.equal((await pressed(counts, '4')).mode, 'function');
		assert.ok(
			await counts.run(
				() => !Array.from(document.querySelectorAll('.mode option'), e => e.textContent).includes('bottleneck')
			)
		);
		await select(counts, 'app;chase');
		assert.deepEqual(
			await counts.run(() => [
				document.querySelectorAll('.panel .swatch').length,
				/cache-misses/.test(document.querySelector('.panel').textContent)
			]),
			[0, true]
		);
	},
	'the inspector tells what is known of a frame': async open => {
		const page = await open('notes.svg');
		await select(page, 'app;main;libc.so.6`memcpy_[l]');
		const panel = () =>
			page.run(() =>
				document.querySelector('.panel').innerText.replace(/\s+/g, ' ')
			);
		assert.match(
			await panel(),
			/^memcpy Module libc\.so\.6 Origin library Notes library .*Hide module samples of all of zoom Total 10 10\.00 % 10\.00 % Self 10/
		);
		await select(page, 'app;main;fib');
		assert.match(
			await panel(),
			/Total 30 30\.00 % 30\.00 % Self 0 0\.00 % 0\.00 % All occurrences \(3\) Total 30 30\.00 %/
		);
		await select(page, 'app;main;parse (src/parse.c:12)');
		assert.match(await panel(), /^parse File src\/parse\.c:12 Origin user/);
		await page.run(() => fg.zoom('app;main'));
		await select(page, 'app;main;fib');
		assert.match(await panel(), /Total 30 30\.00 % 40\.00 %/);
	},
	'y copies the name, Y the stack, L a link; S saves what is shown': async open => {
		const page = await open('notes.svg');
		await page.run(CATCH);
		await select(page, 'app;main;write_[l]');
		await page.key('y');
		assert.equal(await page.until(() => window.copied), 'write_[l]');
		await page.key('Y');
		assert.equal(await page.run(() => window.copied), 'app;main;write_[l] 20');
		await page.run(() => fg.focus('write_[l]'));
		await page.key('L');
		assert.equal(
			await page.run(
				() =>
					window.copied === location.href &&
					/filters=/.test(location.hash)
			),
			true
		);
		await page.key('S');
		assert.equal(
			await page.until(() => window.saved),
			'app;main;write_[l];sys_write_[k] 20\n'
		);
	},
	'a saved view of many megabytes, or with a stack of several, is complete': async open => {
		const page = await open('long.svg'),
			text = fs.readFileSync(path.join(process.argv[2], 'long.folded'), 'utf8');
		await page.run(CATCH);
		assert.ok((await folded(page)) === text, 'folded()');
		await page.key('S');
		await page.until(() => window.saved);
		assert.ok(await page.run(() => window.saved === fg.folded()), 'the saved file');
	},
	't lists functions; they sort, group, follow the search, and mark': async open => {
		const page = await open('notes.svg');
		await page.key('t');
		const rows = () =>
			page.run(() =>
				Array.from(document.querySelectorAll('.lines .line'), e =>
					e.innerText.replace(/\s+/g, ' ')
				)
			);
		assert.equal((await rows())[0], '30.00 % 30.00 % fib');
		await page.run(() => document.querySelectorAll('.sorts button')[1].click());
		assert.equal((await rows())[0], '0.00 % 100.00 % app');
		await page.run(() => document.querySelectorAll('.sorts button')[2].click());
		assert.equal((await rows())[0], '0.00 % 100.00 % app');
		await page.run(() => document.querySelectorAll('.sorts button')[2].click());
		assert.equal((await rows())[0], '0.00 % 20.00 % write');
		await page.run(() => fg.search('write'));
		assert.deepEqual(
			(await rows()).map(r => r.replace(/.*% /, '')),
			['write', 'sys_write']
		);
		await page.run(() => document.querySelectorAll('.lines .line')[1].click());
		let now = await state(page);
		assert.deepEqual(now.selected, ['app', 'main', 'write_[l]', 'sys_write_[k]']);
		assert.equal(now.search, 'write');
		now = await pressed(page, 'm');
		assert.equal(now.mark, 'function:sys_write');
		assert.equal(now.matches.count, 1);
		await page.key('Escape');
		await page.run(() => {
			const group = document.querySelector('.head select');
			group.value = 'origin';
			group.onchange();
		});
		assert.deepEqual((await rows()).sort(), [
			'10.00 % 30.00 % library',
			'20.00 % 20.00 % system',
			'70.00 % 100.00 % user'
		]);
		await page.run(() => document.querySelector('.list').focus());
		await page.key('ArrowDown');
		now = await pressed(page, 'm');
		assert.match(now.mark, /^origin:/);
		await page.run(() => document.querySelector('.graph').focus());
		assert.equal((await pressed(page, 't')).tab, 'summary');
	},
	'? helps, I and x open and close the panel, T changes the theme': async open => {
		const page = await open('notes.svg');
		await page.key('?');
		const help = await page.run(() => document.querySelector('.panel').innerText);
		for (const words of ['Reversed', 'Hide its module', 'Copy stack', 'Ctrl-wheel'])
			assert.ok(help.includes(words), words);
		await page.key('x');
		assert.equal(
			await page.run(
				() => document.querySelector('.side').getBoundingClientRect().width
			),
			0
		);
		const wide = (await graphBox(page)).width;
		await page.key('I');
		assert.ok((await graphBox(page)).width < wide);
		const ground = () =>
			page.run(
				() =>
					getComputedStyle(document.querySelector('.app'))
						.backgroundColor
			);
		assert.equal(await ground(), 'rgb(255, 255, 255)');
		await page.key('T');
		assert.equal(await ground(), 'rgb(21, 23, 27)');
		await page.key('T');
		assert.equal(await ground(), 'rgb(255, 255, 255)');
		assert.equal((await state(page)).theme, 'light');
	},
	'every button has words and does something': async open => {
		const page = await open('diff.svg');
		const values = await page.run(() =>
			Array.from(document.querySelectorAll('button'), e => [
				e.value,
				e.title,
				e.textContent
			])
		);
		assert.ok(values.length > 25);
		for (const [value, title, text] of values.filter(([value]) => value)) {
			assert.ok(title.endsWith(`(${value})`), title);
			assert.ok(text);
		}
		for (const [key, field, wanted] of [
			['b', 'view', 'base'],
			['e', 'view', 'head'],
			['d', 'view', 'diff']
		]) {
			await page.click(...(await buttonAt(page, key)));
			assert.equal((await state(page))[field], wanted);
		}
		await page.run(() => (document.querySelector('.menu').open = true));
		for (const [key, field] of [
			['r', 'reverse'],
			['i', 'flip'],
			['o', 'own'],
			['a', 'share']
		]) {
			await page.click(...(await buttonAt(page, key)));
			assert.equal((await state(page))[field], true, field);
		}
		await page.click(...(await buttonAt(page, '0')));
		assert.equal((await state(page)).reverse, false);
		assert.equal(await page.run(() => document.querySelector('.menu').open), false);
	},
	'shift-drag takes a range, Ctrl-wheel zooms at the pointer': async open => {
		const page = await open('notes.svg'),
			box = await graphBox(page),
			y = box.y + box.height - 9;
		const shift = {button: 'left', buttons: 1, modifiers: 8, clickCount: 1};
		for (const [type, at] of [
			['mouseMoved', 0.3],
			['mousePressed', 0.3],
			['mouseMoved', 0.9],
			['mouseReleased', 0.9]
		])
			await page.mouse(type, box.x + box.width * at, y, shift);
		let now = await page.until(() => fg.state().range.length && fg.state());
		assert.deepEqual(now.zoom, ['app', 'main']);
		const [from, to] = now.range.map(Number);
		assert.ok(Math.abs((to - from) * 75 - 60) < 1, `${from} ${to}`);
		await page.key('Backspace');
		await page.run(() => fg.reset());
		await page.mouse('mouseWheel', box.x + box.width - 5, y, {
			deltaX: 0,
			deltaY: -60,
			modifiers: 2
		});
		now = await page.until(() => fg.state().range.length && fg.state());
		assert.ok(Number(now.range[1]) > 0.99);
	},
	'the minimap moves the window': async open => {
		const page = await open('notes.svg');
		await page.run(() => fg.zoom('app;idle'));
		const {x, y, width} = await page.run(() => {
			const box = document.querySelector('.mini').getBoundingClientRect();
			return {x: box.x, y: box.y + 10, width: box.width};
		});
		await page.mouse('mouseMoved', x + width * 0.8, y);
		await page.mouse('mousePressed', x + width * 0.8, y, {
			button: 'left',
			buttons: 1,
			clickCount: 1
		});
		await page.mouse('mouseReleased', x + width * 0.8, y, {
			button: 'left',
			clickCount: 1
		});
		await page.until(() => fg.state().zoom.join() === 'app,main');
	},
	'ten rows of the graph are visible at 320 pixels and at a zoom of 200 %': async open => {
		for (const [width, height] of [
			[320, 568],
			[640, 400]
		])
			for (const picture of ['notes.svg', 'diff.svg']) {
				const page = await open(picture, {width, height});
				const {y, height: tall} = await graphBox(page);
				const rows = (Math.min(height, y + tall) - Math.max(0, y)) / 18;
				assert.ok(rows >= 10, `${picture} ${width}x${height}: ${rows} rows`);
			}
	},
	'a tap inspects, the next one zooms; a phone has room for all of it': async open => {
		const page = await open('notes.svg', {width: 390, height: 800, touch: true});
		assert.equal(await page.run(() => innerWidth), 390);
		assert.ok(await page.run(() => document.querySelector('.app').scrollWidth <= 390));
		const at = await page.run(() => {
			const {x, y} = Array.from(document.querySelectorAll('.labels text'))
				.find(e => e.textContent === 'main')
				.getBoundingClientRect();
			return [x + 6, y + 6];
		});
		await page.tap(...at);
		let now = await page.until(() => fg.state().selected && fg.state());
		assert.deepEqual([now.selected, now.zoom], [['app', 'main'], []]);
		await page.tap(...at);
		now = await page.until(() => fg.state().zoom.length && fg.state());
		assert.deepEqual(now.zoom, ['app', 'main']);
		assert.match(await status(page), /^main: /);
	},
	'a bad pattern is searched as text; one that would hang is stopped': async open => {
		const page = await open('slow.svg');
		assert.equal((await page.run(() => fg.search('a('))).count, 1);
		assert.match((await state(page)).note, /not a regular expression/);
		assert.equal((await page.run(() => fg.search('(a+)+$'))).count, 0);
		assert.match((await state(page)).note, /stopped/);
		assert.equal((await page.run(() => fg.search('(b|c)+'))).count, 2);
	},
	'print shows the graph and the summary, without controls': async open => {
		const page = await open('notes.svg');
		await page.call('Emulation.setEmulatedMedia', {media: 'print'});
		/* Another page of the panel is not printed: a list has only its visible rows. */
		const printed = async tab => {
			await page.run(name => void fg.tab(name), tab);
			return page.run(() =>
				['.side', '.panel p', '.ranking i', '.tabs', '.command'].map(
					name => document.querySelector(name)?.getClientRects().length > 0
				)
			);
		};
		assert.deepEqual(await printed('functions'), [false, false, false, false, false]);
		assert.deepEqual(await printed('none'), [false, false, false, false, false]);
		assert.deepEqual(await printed('summary'), [true, true, true, false, false]);
		assert.ok(
			await page.run(() => {
				const [graph, panel] = ['.canvas', '.panel'].map(name =>
					document.querySelector(name).getBoundingClientRect()
				);
				return graph.bottom <= panel.top;
			}),
			'the summary is below the graph'
		);
		/* A printed page has the title and legend, but no controls. */
		assert.deepEqual(
			await page.run(() => {
				const seen = name => Array.from(document.querySelectorAll(name)).some(e => e.getClientRects().length > 0);
				fg.search('main');
				return ['.title', '.figure', '.legend rect', '.search', '.offer', '.menu'].map(seen);
			}),
			[true, true, true, false, false, false]
		);
		await page.run(() => void fg.search(''));
		/* The complete graph is on one page. */
		await page.run(() => dispatchEvent(new Event('beforeprint')));
		const {width, height} = await page.run(() => {
			const {width, height} = document.querySelector('.canvas').getBoundingClientRect(),
				top = document.elementFromPoint(innerWidth / 2, document.querySelector('.canvas').getBoundingClientRect().bottom - 5);
			return {width, height: top?.closest('.canvas') ? height : 0};
		});
		assert.ok(width > 300 && height > 30, `${width} x ${height}`);
		const {data} = await page.call('Page.printToPDF', {printBackground: true});
		assert.equal(Buffer.from(data, 'base64').toString('latin1').match(/\/Type \/Page\b/g).length, 1);
	},
	'on paper in landscape the summary of a tall graph is complete': async open => {
		const page = await open('tall.svg', {width: 1000, height: 720});
		await page.call('Emulation.setEmulatedMedia', {media: 'print'});
		await page.run(() => dispatchEvent(new Event('beforeprint')));
		const [sentences, bottom, graph] = await page.run(() => [
			document.querySelectorAll('.panel .ranking~p').length,
			Math.max(...Array.from(document.querySelectorAll('.panel p'), e => e.getBoundingClientRect().bottom)),
			document.querySelector('.canvas').getBoundingClientRect().height
		]);
		assert.ok(sentences > 0 && bottom <= 720 && graph > 200, `${sentences} ${bottom} ${graph}`);
	}
});
