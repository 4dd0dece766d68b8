/* The panel's other pages: summary, call tree, stack of a frame; order of frames; saved SVGs. */
'use strict';
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

const folder = process.argv[2];
const state = page => page.run(() => fg.state());
const rows = page =>
	page.run(() =>
		Array.from(document.querySelectorAll('.calls .line'), e => e.innerText.replace(/\s+/g, ' ').trim())
	);
const labels = page =>
	page.run(() =>
		Array.from(document.querySelectorAll('.labels text'))
			.map(e => [Number(e.getAttribute('y')), Number(e.getAttribute('x')), e.textContent])
			.sort((a, b) => b[0] - a[0] || a[1] - b[1])
			.map(([, , text]) => text)
	);

/* Catches the contents of the file that would be saved, as base64. */
const CATCH = () => {
	const make = URL.createObjectURL;
	URL.createObjectURL = blob => {
		blob.arrayBuffer().then(data => {
			window.saved = btoa(Array.from(new Uint8Array(data), b => String.fromCharCode(b)).join(''));
		});
		return make.call(URL, blob);
	};
};

suite({
	'the panel opens on the sentences of -T markdown': async open => {
		for (const name of ['plain', 'diff', 'wall', 'off']) {
			const page = await open(name + '.svg');
			assert.equal((await state(page)).tab, 'summary');
			const said = await page.run(() =>
				Array.from(document.querySelectorAll('.panel p:not(.over)'), e => e.textContent.replace(/\s+/g, ' ').trim())
			);
			const markdown = execFileSync('fg-render', ['-T', 'markdown', path.join(folder, name + '.folded')], {
				encoding: 'utf8'
			})
				.replace(/`/g, '')
				.replace(/\s+/g, ' ');
			assert.ok(said.length > 2);
			for (const sentence of said) assert.ok(markdown.includes(sentence), `${sentence}\n${markdown}`);
		}
	},
	'the panel of a differential lists the largest changes with bars and figures': async open => {
		const page = await open('ranked.svg');
		const [over, rows] = await page.run(() => [
			document.querySelector('.panel .over').textContent,
			Array.from(document.querySelector('.ranking').rows, ({cells}) => [
				cells[0].firstChild.className,
				cells[0].firstChild.style.width,
				...Array.from(cells, e => e.textContent).slice(1)
			])
		]);
		assert.equal(over, "Largest changes of self, in % of base's total");
		assert.deepEqual(rows, [
			['more', '100%', '+4,000 samples', '+79.84 %', '', 'grows'],
			['less', '50%', '−2,000 samples', '−39.92 %', '', 'shrinks'],
			['more', '25%', '+1,000 samples', '+19.96 %', 'new', 'appears']
		]);
		const [more, less] = await page.run(() =>
			['more', 'less'].map(name => getComputedStyle(document.querySelector(`.ranking .${name}`)).backgroundColor)
		);
		assert.notEqual(more, less);
		const tested = await open('interval.svg');
		assert.match(
			await tested.run(() => document.querySelector('.ranking').rows[0].textContent),
			/^\+2,000 samples\+22\.22 %[+−]\d+ to \+\d+ %a$/
		);
	},
	'time off the CPU is told of who waits, in every view as fg-render tells it': async open => {
		let checked = 0;
		for (const [name, first] of [['wall', /inline_wait.*compute.*nap/], ['off', /^Longest waiting: inline_wait.*nap/]]) {
			const page = await open(name + '.svg');
			const says = text => text.replace(/\s+/g, ' ').match(/(Most self time|Most self or waiting time|Longest waiting)[^.:]*: .*?%\./)?.[0];
			for (const view of ['0', ...['lock', 'nap', 'compute', 'futex', 'kthread'].map(n => `fg.hide('${n}')`), `fg.drop('nap')`]) {
				await page.run(`${view}, fg.tab('summary'), 0`);
				const folded = await page.run(() => fg.folded());
				const expected = says(execFileSync('fg-render', ['-T', 'markdown'], {input: folded, encoding: 'utf8'}).replace(/`/g, ''));
				/*
				 * The summary's list of functions, converted to the sentence that
				 * -T markdown prints instead.
				 */
				const said = says(
					await page.run(() => {
						const panel = document.querySelector('.panel').cloneNode(true);
						for (const list of panel.querySelectorAll('.ranking'))
							list.textContent = ': ' + Array.from(list.rows, ({cells}) => `${cells[3].textContent} ${cells[1].textContent}`).join(', ') + '.';
						return panel.textContent;
					})
				);
				const percents = text => text.match(/[\d.]+ %/g).join();
				if (view === '0') assert.match(said, first);
				/* Equal shares may come in any order. */
				assert.equal(percents(said), percents(expected), `${name} ${view}: ${said}, not ${expected}`);
				assert.equal(said.split(':')[0], expected.split(':')[0]);
				checked++;
				await page.run(() => void fg.reset());
			}
		}
		assert.equal(checked, 14);
	},
	'code without symbols has a share, but no name in the summary of a view': async open => {
		const page = await open('nameless.svg');
		await page.run(() => fg.zoom('app;_start'));
		assert.match(
			await page.run(() => document.querySelector('.panel .shown').textContent),
			/Most self time: work 40\.0 %( ± [\d.]+)?\.60\.00 % is in code without symbols\.$/
		);
	},
	'the list of changes fits the panel': async open => {
		for (const file of ['wide.svg', 'wider.svg']) {
			const page = await open(file);
			assert.ok(await page.run(() => document.querySelector('.ranking').scrollWidth <= document.querySelector('.panel').clientWidth));
		}
	},
	'each name in it is a link that shows its place': async open => {
		const page = await open('plain.svg');
		const links = await page.run(() => Array.from(document.querySelectorAll('.shown + div > p a'), e => [e.textContent, e.hash]));
		assert.ok(links.length >= 4);
		for (const [k, [text, hash]] of links.entries()) {
			await page.run(n => document.querySelectorAll('.shown + div > p a')[n].click(), k);
			const now = await state(page);
			assert.equal(now.selected.at(-1), text);
			assert.equal(now.tab, 'summary');
			assert.ok(hash.includes('zoom='));
		}
		/* The link works also if the function is hidden. */
		await page.run(() => fg.hide('read'));
		await page.run(() => Array.from(document.querySelectorAll('.shown + div > p a')).find(e => e.textContent === 'read').click());
		assert.equal((await state(page)).selected.at(-1), 'read');
		/* Selecting a frame opens the inspector. */
		await page.run(() => fg.select('server;main'));
		assert.equal((await state(page)).tab, 'inspector');
	},
	'a chip has the whole name of what it is about': async open => {
		const page = await open('colons.svg');
		const chips = () => page.run(() => Array.from(document.querySelectorAll('.chips button'), e => e.textContent));
		await page.run(() => void fg.sandwich('std::vec::push'));
		assert.deepEqual(await chips(), ['callers of std::vec::push ×']);
		await page.run(() => void (fg.reset(), fg.mark('function:std::vec::push')));
		assert.deepEqual(await chips(), ['marked std::vec::push ×']);
	},
	'of a view that is not the whole it says what is shown': async open => {
		for (const name of ['plain', 'diff', 'chains']) {
			const page = await open(name + '.svg'),
				diff = name === 'diff';
			const words = () =>
				page.run(() =>
					/^This view/.test(document.querySelector('.panel h2').textContent)
						? Array.from(document.querySelectorAll('.panel h2 ~ p'), e => e.textContent).slice(0, 2)
						: []
				);
			const names = await page.run(() =>
				Array.from(new Set(fg.folded().split('\n').filter(l => l && l[0] !== '#').flatMap(l => l.replace(/( [\d.]+)+$/, '').split(';'))))
			);
			assert.deepEqual(await words(), []);
			/*
			 * In every view the numbers equal those of the stacks that would be saved.
			 */
			const views = [
				...names.slice(0, 12).flatMap(n => [`fg.hide(${JSON.stringify(n)})`, `fg.drop(${JSON.stringify(n)})`, `fg.sandwich(${JSON.stringify(n)})`]),
				'fg.window(0.2 * fg.state().total, 0.7 * fg.state().total)'
			];
			let checked = 0;
			for (const view of views) {
				await page.run(`${view}, fg.tab('summary'), 0`);
				const lines = (await page.run(() => fg.folded())).split('\n').filter(l => l && l[0] !== '#');
				const own = new Map(),
					whole = [0, 0];
				for (const line of lines) {
					const [, stack, figures] = /^(.*?) ([\d. ]+)$/.exec(line),
						values = figures.split(' ').map(Number),
						leaf = stack.split(';').at(-1),
						sums = own.get(leaf) || [0, 0];
					values.forEach((v, c) => {
						sums[c] += v;
						whole[c] += v;
					});
					own.set(leaf, sums);
				}
				const said = await words();
				if (said.length && !diff && whole[0] > 0) {
					const [[leaf, [most]]] = Array.from(own).sort((a, b) => b[1][0] - a[1][0]);
					assert.ok(said[0].startsWith(whole[0].toLocaleString('en') + ' sample'), `${view}: ${said[0]}, not ${whole[0]}`);
					const [, share] = /: .*? ([\d.]+) %/.exec(said[1]);
					assert.equal(share, ((100 * most) / whole[0]).toFixed(1), `${view}: ${said[1]}, not ${leaf} ${most} of ${whole[0]}`);
					checked++;
				} else if (said.length && diff) {
					assert.ok(said[0].startsWith(`${whole[0].toLocaleString('en')} → ${whole[1].toLocaleString('en')} sample`), `${view}: ${said[0]}, not ${whole}`);
					checked++;
				}
				await page.run(() => void fg.reset());
			}
			assert.ok(checked > 3, String(checked));
			/* Function names in the summary are links too. */
			await page.run(() => void fg.window(0.2 * fg.state().total, 0.7 * fg.state().total));
			await page.run(() => (document.querySelector('.panel p a').click(), 1));
			assert.ok((await state(page)).selected.length);
		}
	},
	'a zoomed differential lists the functions that its verdict names, tested or from a noise column': async open => {
		for (const name of ['tested', 'marked']) {
			const page = await open(name + '.svg');
			for (const view of [`fg.zoom('main;a')`, `fg.zoom('main;a'), fg.noise(50)`]) {
				await page.run(`${view}, fg.tab('summary'), 0`);
				const words = await page.run(() => Array.from(document.querySelectorAll('.panel h2 ~ p'), e => e.textContent)[1]);
				assert.match(words, /^Largest changes of self: slow \+[\d.]+ %\.$/, `${name} ${view}: ${words}`);
			}
		}
	},
	'the heading has the whole with its unit, of a differential a gauge of both sides': async open => {
		const figure = async picture =>
			(await open(picture)).run(() => {
				const e = document.querySelector('.figure'),
					box = e.getBoundingClientRect();
				return {
					words: e.textContent,
					seen: box.width > 0 && box.top >= 0 && box.right <= innerWidth,
					bars: Array.from(e.querySelectorAll('.gauge span'), bar => [bar.className, bar.getBoundingClientRect().width])
				};
			});
		assert.deepEqual(await figure('timed.svg'), {words: '17.3 s, 17,339 samples', seen: true, bars: []});
		const {words, seen, bars} = await figure('faster.svg');
		assert.equal(words, '1.2 s → 1.5 s, +25.00 %');
		assert.ok(seen);
		assert.deepEqual(bars.map(([name]) => name), ['was', 'more']);
		assert.ok(bars[0][1] > 20 && Math.abs(bars[0][1] / bars[1][1] - 0.8) < 0.02, bars.join());
	},
	'the summary of a view has the words of its unit': async open => {
		const page = await open('held.svg');
		await page.run(() => fg.zoom('app;a'));
		assert.match(await page.run(() => document.querySelector('.panel .shown').textContent), /Most self memory: work 100\.0 %/);
	},
	'of several columns it tells of those that are shown': async open => {
		const page = await open('four.svg');
		const words = () =>
			page.run(() => Array.from(document.querySelectorAll('.panel :is(h2:not([hidden]), p)'), e => e.textContent).slice(0, 3).join(' | '));
		const told = /^355 samples \(instruction 115 samples, cache 90 samples, memory 110 samples, system 40 samples\): [^|]* \| Most self time( \||$)/;
		assert.match(await words(), told);
		await page.run(() => fg.column('memory'));
		assert.match(await words(), /^This view \| 110 samples, 100\.00 % of the total\. \| Most self time: stream /);
		await page.run(() => fg.hide('stream'));
		await page.run(() => (fg.column('sum'), fg.tab('summary')));
		assert.match(
			await words(),
			/^This view \| ([\d,]+) samples, 100\.00 % of the total: instruction [\d.]+ %, cache [\d.]+ %, memory [\d.]+ %, system [\d.]+ %\. \| Most self time: /
		);
		await page.run(() => (fg.reset(), fg.column('sum'), fg.tab('summary')));
		assert.match(await words(), told);
	},
	'the call tree opens and closes by keys, from the root and from the leaves': async open => {
		const page = await open('plain.svg');
		await page.key('g');
		assert.deepEqual(await rows(page), ['0.00 % 100.00 % ▾ server', '5.00 % 94.00 % ▸ main', '6.00 % 6.00 % idle']);
		await page.run(() => document.querySelector('.calls').focus());
		await page.key('ArrowDown');
		assert.deepEqual((await state(page)).selected, ['server', 'main']);
		await page.key('ArrowRight');
		assert.deepEqual((await rows(page)).slice(1, 4), [
			'5.00 % 94.00 % ▾ main',
			'15.00 % 49.00 % ▸ write',
			'10.00 % 40.00 % ▸ parse'
		]);
		await page.key('ArrowRight');
		assert.deepEqual((await state(page)).selected, ['server', 'main', 'write']);
		await page.key('ArrowLeft');
		await page.key('ArrowLeft');
		assert.equal((await rows(page)).length, 3);
		assert.deepEqual(
			await page.run(() => {
				const e = document.getElementById(document.querySelector('.calls').getAttribute('aria-activedescendant'));
				return ['role', 'aria-level', 'aria-expanded', 'aria-selected'].map(key => e.getAttribute(key));
			}),
			['treeitem', '2', 'false', 'true']
		);
		await page.run(() => document.querySelector('[data-way=callers]').click());
		assert.equal((await rows(page))[0], '50.00 % 50.00 % ▸ read');
		await page.run(() => document.querySelector('.calls').focus());
		await page.key('Enter');
		assert.deepEqual((await rows(page)).slice(1, 3), ['– 30.00 % ▸ write', '– 20.00 % ▸ parse']);
	},
	'of a differential the call tree has base, head and change': async open => {
		const page = await open('diff.svg');
		await page.key('g');
		assert.match((await rows(page)).find(row => row.endsWith('slower')), /^21\.74 % 33\.26 % \+10\.87 % slower$/);
	},
	'the inspector has the stack of a frame, each name a way to it': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.select('server;main;write;read'));
		assert.deepEqual(
			await page.run(() => {
				document.querySelector('.stack').open = true;
				return Array.from(document.querySelectorAll('.stack li'), e => e.textContent);
			}),
			['server', 'main', 'write', 'read']
		);
		await page.run(() => document.querySelectorAll('.stack button')[1].click());
		assert.deepEqual((await state(page)).selected, ['server', 'main']);
	},
	'w draws the heaviest first; what is saved stays the same': async open => {
		const page = await open('plain.svg'),
			before = await page.run(() => fg.folded().trim().split('\n').sort());
		assert.deepEqual((await labels(page)).slice(2, 4), ['idle', 'main']);
		await page.key('w');
		assert.deepEqual((await labels(page)).slice(2, 6), ['main', 'idle', 'write', 'parse']);
		assert.deepEqual(await page.run(() => fg.folded().trim().split('\n').sort()), before);
		await page.run(() => fg.zoom('server;main;write'));
		assert.equal(await page.run(() => fg.state().window[1] - fg.state().window[0]), 49);
		await page.run(() => fg.sandwich('read'));
		assert.equal(await page.run(() => fg.folded().trim().split('\n').length), 2);
		await page.reload();
		assert.equal((await state(page)).order, 'weight');
	},
	'base and head mirrored: one axis, one scale, one zoom': async open => {
		const page = await open('diff.svg');
		await page.key('B');
		assert.equal((await state(page)).view, 'both');
		/* {text: [width, y]} above and below the axis. */
		const sides = () =>
			page.run(() => {
				const zero = -document.querySelector('.canvas').viewBox.baseVal.y,
					found = {up: {}, down: {}};
				for (const label of document.querySelectorAll('.labels text')) {
					const {x, y} = label.getBoundingClientRect();
					document
						.querySelector('.graph')
						.dispatchEvent(new PointerEvent('pointermove', {clientX: x + 2, clientY: y + 5}));
					const side = Number(label.getAttribute('y')) < 0 ? 'up' : 'down';
					found[side][label.textContent.replace(/^[▲▼+−] /, '')] =
						Number(document.querySelector('.hovered').getAttribute('width')) + 1;
				}
				return {...found, zero};
			});
		let {up, down} = await sides();
		assert.ok(up.base && down.head && !up.head);
		assert.ok(up.removed && !down.removed && down.added && !up.added);
		assert.ok(Math.abs(down.slower / up.slower - 1.5) < 0.03, JSON.stringify([up, down]));
		await page.run(() => fg.zoom('app;slower'));
		({up, down} = await sides());
		assert.ok(Math.abs(down.slower / up.slower - 1.5) < 0.03, JSON.stringify([up, down]));
		assert.equal(await page.run(() => fg.folded()), '# columns: base head 0 0\n# compared: exact 0 0\napp;slower 100 150\n');
	},
	'n and N walk the changes by size; the slider sets what has a colour': async open => {
		const page = await open('diff.svg');
		const walked = [];
		for (const key of ['n', 'n', 'n', 'n', 'n', 'N']) {
			await page.key(key);
			walked.push((await state(page)).selected.at(-1));
		}
		assert.deepEqual(walked, ['removed', 'slower', 'added', 'faster', 'same', 'faster']);
		const slide = value =>
			page.run(v => {
				const e = document.querySelector('.slider input');
				e.value = v;
				e.dispatchEvent(new Event('input'));
			}, value);
		await slide(20);
		await page.until(() => fg.state().noise === '20');
		await page.run(() => fg.select('app;slower'));
		assert.match(await page.run(() => document.querySelector('.status').textContent), /slower: ▲ slower/);
		await page.run(() => fg.noise(0));
		await page.run(() => fg.select('app;same'));
		assert.match(await page.run(() => document.querySelector('.status').textContent), /same: ▲ slower/);
	},
	'with --chains fold the viewer starts folded as the static SVG is': async open => {
		const page = await open('fold.svg', {rest: true});
		const still = await page.run(() => document.querySelector('#fg-static').textContent);
		assert.match(still, /5 frames: app … d/);
		await page.wake();
		await page.until(() => fg.state);
		assert.deepEqual(await labels(page), ['all', '5 frames: app … d', 'x', 'z', 'y']);
		await page.key('l');
		assert.deepEqual(await labels(page), ['all', 'app', 'a', 'b', 'c', 'd', 'x', 'z', 'y']);
		assert.match(await page.run(() => fg.state().fold + ''), /false/);
	},
	'a sibling of any width, and 1 % of own time, end a folded run in both pictures': async open => {
		for (const [file, first, rest] of [['fold-narrow', '3 frames: p … r', ['s', 't']], ['fold-own', 'p', ['q', '3 frames: r … t']]]) {
			const page = await open(file + '.svg', {rest: true});
			const still = await page.run(() => document.querySelector('#fg-static').textContent);
			await page.wake();
			await page.until(() => fg.state);
			assert.deepEqual((await labels(page)).filter(label => label !== 'narrow'), ['all', first, ...rest]);
			assert.match(still, file === 'fold-own' ? /3 frames: r … t/ : /3 frames: p … r/);
			assert.doesNotMatch(still, /[45] frames: /);
		}
	},
	'runs of code that is not own are a row each, exact in all that acts on its frames': async open => {
		const page = await open('runtime.svg'),
			kept = await open('runtime-kept.svg'),
			run = '6 frames: python3 … _PyEval_EvalFrame';
		const folded = ['all', '<module>', run, 'compress', 'parse', '4 frames: deflate … vfs_read'];
		assert.deepEqual((await labels(page)).filter(text => !/^(sre_|exit|import)/.test(text)).sort(), folded.sort());
		assert.ok((await labels(kept)).includes('_start'));
		assert.equal(await page.run(() => fg.folded()), await kept.run(() => fg.folded()));
		const at = text =>
			page.run(wanted => {
				const e = Array.from(document.querySelectorAll('.labels text')).find(t => t.textContent === wanted);
				const {x, y, height} = e.getBoundingClientRect();
				return [x + 4, y + height / 2];
			}, text);
		/* A match in a run marks its row; counts, selection and zoom are those of the frame. */
		for (const p of [page, kept]) {
			assert.deepEqual(await p.run(() => fg.search('^run_mod$')), {count: 1, share: 765 / 768, at: 0});
			await p.run(() => fg.next());
			assert.match(await p.run(() => document.querySelector('.status').textContent), /^run_mod: 765 samples, 99.61 % of all, self 0.00 %/);
		}
		assert.match(await page.run(() => document.querySelector('.match').getAttribute('d')), /^M1 /);
		await page.run(() => fg.search(''));
		assert.equal(await page.run(() => fg.hide('run_mod')), null);
		assert.match((await page.run(() => fg.command())).line, /--hide '\^run_mod\$'/);
		assert.ok((await labels(page)).includes('5 frames: python3 … _PyEval_EvalFrame'));
		await page.run(() => fg.reset());
		/* Other children of its frames are in the next row, frames of the run in its own. */
		const rowOf = to =>
			page.run(names => {
				fg.select(names);
				return document.querySelector('.selected').getAttribute('y');
			}, to);
		const start = 'python3;_start;__libc_start_main_[l]',
			module = start + ';Py_BytesMain;run_mod;_PyEval_EvalFrame;<module> (w.py:1)_[p]';
		assert.equal(await rowOf(start + ';exit_[l]'), await rowOf(module));
		assert.equal(await rowOf('python3'), await rowOf(start));
		assert.notEqual(await rowOf('python3'), await rowOf(module));
		await page.click(...(await at(run)));
		for (const text of ['python3', '_start', 'run_mod', '_PyEval_EvalFrame']) assert.ok((await labels(page)).includes(text), text);
		await page.run(() => fg.zoom('python3;_start;__libc_start_main_[l];Py_BytesMain;run_mod;_PyEval_EvalFrame;<module> (w.py:1)_[p];compress (w.py:20)_[p];deflate_[l];read_[l]'));
		assert.equal((await state(page)).zoom.length, 10);
		assert.ok((await labels(page)).includes('vfs_read'));
	},
	'the legend filters by origin: a click, with Shift, twice, from the list, by key': async open => {
		const page = await open('runtime.svg');
		const button = (text, shift) =>
			page.run(
				(wanted, shiftKey) =>
					Array.from(document.querySelectorAll('.legend button'))
						.find(e => e.textContent === wanted)
						.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey})),
				text,
				shift
			);
		const view = () => page.run(() => [fg.state().filters.join(), fg.command().line.replace(/ FILE.*/, ''), document.querySelector('.chips').textContent]);
		await button('user');
		assert.deepEqual(await view(), ['only:origin:user', 'fg-filter --origin user', 'only user ×']);
		assert.deepEqual(
			await page.run(() => fg.folded().split('\n').filter(Boolean)),
			['python3 8', 'python3;<module> (w.py:1)_[p];compress (w.py:20)_[p] 360', 'python3;<module> (w.py:1)_[p];parse (w.py:9)_[p] 400']
		);
		await button('user');
		assert.equal((await view())[0], '');
		await button('system', true);
		assert.deepEqual((await view()).slice(0, 2), ['only:origin:user,library,unknown', 'fg-filter --origin user,library,unknown']);
		await button('library', true);
		assert.equal((await view())[0], 'only:origin:user,unknown');
		await button('library', true);
		assert.equal((await view())[0], 'only:origin:user,library,unknown');
		await page.run(() => fg.undo());
		assert.equal((await view())[0], 'only:origin:user,unknown');
		/* The filter by origin is before others. */
		await page.run(() => (fg.reset(), fg.hide('_start'), fg.focus('user', 'origin')));
		assert.equal((await view())[0], 'only:origin:user,hide:function:_start');
		await page.run(() => fg.reset());
		await page.key('O');
		assert.equal((await view())[0], 'only:origin:user');
		assert.match(await page.run(() => fg.drop('user', 'origin')), /^Cannot filter by origin/);
		assert.match(await page.run(() => fg.hide('user', 'origin')), /^No frame would be left/);
		assert.match(await page.run(() => fg.focus('mine', 'origin')), /^The origins are user, library/);
		await page.go('about:blank');
		await page.go('file://' + path.resolve(folder, 'runtime.svg') + '#filters=;only:origin:user,own');
		assert.equal((await view())[0], '');
	},
	'the legend filters by language and by who waits: a click, with Shift, undone, as a command': async open => {
		const lines = text => text.split('\n').filter(line => line && line[0] !== '#').sort();
		/* Clicks a button of the legend; the shown command gives the same stacks. Returns filters and chips. */
		const view = async (page, name, wanted, shiftKey) => {
			await page.run(
				(wanted, shiftKey) =>
					Array.from(document.querySelectorAll('.legend button'))
						.find(e => e.textContent === wanted)
						.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey})),
				wanted,
				shiftKey
			);
			const [filters, line, chips, text] = await page.run(() => [
					fg.state().filters.join(),
					fg.command().line,
					document.querySelector('.chips').textContent,
					fg.folded()
				]),
				command = line.startsWith('fg-filter') ? line.replace(/ \| fg-render.*/, '') : 'fg-filter FILE';
			const got = execFileSync('sh', ['-c', command.replace('FILE', name + '.folded')], {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
			assert.deepEqual(lines(got), lines(text), line);
			return [filters, chips];
		};
		const page = await open('runtime.svg');
		assert.deepEqual(await view(page, 'runtime', 'python'), ['hide:native:python', 'only python ×']);
		assert.deepEqual(await page.run(() => fg.folded().includes('_start')), false);
		assert.deepEqual(await view(page, 'runtime', 'python'), ['', '']);
		assert.deepEqual(await view(page, 'runtime', 'python', true), ['hide:language:python', 'hidden: python ×']);
		assert.deepEqual(await page.run(() => fg.folded().includes('w.py')), false);
		await page.run(() => fg.undo());
		assert.deepEqual((await state(page)).filters, []);
		assert.match(await page.run(() => fg.hide('perl', 'language')), /^No function is in that language/);
		const wall = await open('wall.svg');
		assert.deepEqual(
			await wall.run(() => Array.from(document.querySelectorAll('.legend button'), e => e.textContent)),
			['thread: app', 'thread: worker', 'waits: inline_wait', 'waits: nap', 'waits: compute']
		);
		const lock = 'waits: inline_wait';
		assert.deepEqual(await view(wall, 'wall', lock), ['focus:function:inline_wait', 'only stacks with inline_wait ×']);
		assert.deepEqual(await view(wall, 'wall', lock), ['', '']);
		assert.deepEqual(await view(wall, 'wall', lock, true), ['hide:function:inline_wait', 'hidden: inline_wait ×']);
		await wall.run(() => fg.undo());
		assert.deepEqual((await state(wall)).filters, []);
	},
	'the legend filters by the five modules with most self value, also the command': async open => {
		const page = await open('modules.svg');
		const click = shiftKey =>
			page.run(shiftKey => {
				Array.from(document.querySelectorAll('.legend button'))
					.find(e => e.textContent === 'libb.so')
					.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey}));
				return [fg.state().filters.join(), document.querySelector('.chips').textContent, fg.folded(), fg.command().line];
			}, shiftKey);
		const filtered = line => execFileSync('sh', ['-c', line.replace(/ \| fg-render.*/, '').replace('FILE', 'modules.folded')], {cwd: folder, encoding: 'utf8'});
		assert.deepEqual(
			await page.run(() => Array.from(document.querySelectorAll('.legend button'), e => e.textContent).filter(text => /app|lib.\.so/.test(text))),
			['e', 'd', 'c', 'b', 'app'].map(name => (name === 'app' ? name : `${name === 'e' ? 'modules: ' : ''}lib${name}.so`))
		);
		for (const [shift, filter, chip, text] of [
			[false, 'focus:module:libb.so', 'only stacks with module libb.so ×', 'app`main;libb.so`f_[l] 2\n'],
			[false, '', '', null],
			[true, 'hide:module:libb.so', 'hidden: module libb.so ×', 'app`main 3\napp`main;liba.so`f_[l] 0.5\napp`main;libc.so`f_[l] 3\napp`main;libd.so`f_[l] 4\napp`main;libe.so`f_[l] 5\n']
		]) {
			const [filters, chips, folded, line] = await click(shift);
			assert.deepEqual([filters, chips], [filter, chip]);
			if (text) assert.deepEqual([folded, filtered(line)], [text, text]);
		}
		await page.key('u');
		assert.deepEqual((await state(page)).filters, []);
	},
	'l folds chains of calls into one row, a click opens it': async open => {
		const page = await open('chains.svg'),
			before = await page.run(() => fg.folded());
		assert.deepEqual(await labels(page), ['all', 'app', 'a', 'b', 'c', 'd', 'x', 'z', 'y']);
		await page.key('l');
		assert.deepEqual(await labels(page), ['all', '5 frames: app … d', 'x', 'z', 'y']);
		assert.equal(await page.run(() => fg.folded()), before);
		/* The children of the run move down to the next row. */
		const label = text =>
			page.run(wanted => {
				const e = Array.from(document.querySelectorAll('.labels text')).find(t => t.textContent === wanted);
				const {x, y, height} = e.getBoundingClientRect();
				return [x + 4, y + height / 2];
			}, text);
		const [, low] = await label('5 frames: app … d'),
			[, high] = await label('x');
		assert.equal(Math.round(low - high), 26);
		await page.mouse('mouseMoved', ...(await label('x')));
		await page.until(() => /^x:/.test(document.querySelector('.status').textContent));
		await page.mouse('mouseMoved', ...(await label('5 frames: app … d')));
		await page.until(() => /^app:/.test(document.querySelector('.status').textContent));
		/* A frame of the run can be selected. */
		await page.run(() => fg.select('app;a;b'));
		assert.ok(await page.run(() => document.querySelector('.selected').getBoundingClientRect().height > 10));
		await page.click(...(await label('5 frames: app … d')));
		assert.deepEqual(await labels(page), ['all', 'app', 'a', 'b', 'c', 'd', 'x', 'z', 'y']);
		assert.deepEqual((await state(page)).zoom, []);
		await page.run(() => fg.zoom('app;a;b;c'));
		assert.deepEqual((await state(page)).zoom, ['app', 'a', 'b', 'c']);
	},
	'V saves a still picture of the view, P the same as PNG': async open => {
		const page = await open('plain.svg');
		await page.run(CATCH);
		await page.run(() => (fg.zoom('server;main;parse'), fg.toggle('flip'), fg.search('token')));
		await page.key('V');
		const svg = Buffer.from(await page.until(() => window.saved), 'base64').toString();
		fs.writeFileSync(path.join(folder, 'saved.svg'), svg);
		assert.ok(!/<style|<script|class=/.test(svg));
		const still = await open('saved.svg');
		const told = await still.run(() => ({
			words: Array.from(document.querySelectorAll('text'), e => e.textContent),
			fills: Array.from(document.querySelectorAll('path'), e => getComputedStyle(e).fill)
		}));
		assert.ok(told.words.some(line => line.includes('zoom: parse · search token: 1 · ')), told.words.join());
		for (const words of ['Icicle Graph', 'parse', 'read', 'token']) assert.ok(told.words.includes(words), words);
		assert.ok(told.fills.length > 2 && !told.fills.includes('rgb(0, 0, 0)'), told.fills.join());
		/* Frames too narrow to draw are a block in the graph. */
		const many = await open('others.svg');
		await many.run(CATCH);
		await many.key('V');
		const block = Buffer.from(await many.until(() => window.saved), 'base64').toString();
		assert.match(block, /3,000 others, 50 %/);
		assert.match(block, /fill="rgb\(227, 230, 234\)"/);
		await page.run(() => (window.saved = null));
		await page.key('P');
		const png = Buffer.from(await page.until(() => window.saved), 'base64');
		assert.equal(png.subarray(1, 4).toString(), 'PNG');
		assert.equal(png.readUInt32BE(16), Number(/width="(\d+)"/.exec(svg)[1]));
	}
});
