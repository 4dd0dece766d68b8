/*
 * Each colour mode: class and colour of frames, light and dark, and its legend; views of the
 * columns.
 */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

/* {label: [class, fill]} of the frames that have a label. */
const colours = page =>
	page.run(() => {
		const point = document.querySelector('.canvas').createSVGPoint(),
			found = {};
		for (const label of document.querySelectorAll('.labels text')) {
			point.x = Number(label.getAttribute('x'));
			point.y = Number(label.getAttribute('y'));
			for (const frame of document.querySelectorAll('.frames path'))
				if (frame.isPointInFill(point))
					found[label.textContent] = [
						frame.getAttribute('class'),
						getComputedStyle(frame).fill
					];
		}
		return found;
	});

const classes = async page =>
	Object.fromEntries(
		Object.entries(await colours(page)).map(([text, [name]]) => [text, name])
	);
/* The class without its tone: a class is an origin + 4 * tone. */
const originOf = name => name.replace(/\d+/, n => n % 4);
const legend = page =>
	page.run(() =>
		Array.from(document.querySelector('.legend').children, e =>
			e.querySelector('rect') ? [e.querySelector('rect').getAttribute('class'), e.textContent] : e.textContent
		)
	);
const widths = page =>
	page.run(() => {
		const all = document.querySelector('.graph').clientWidth,
			found = {};
		for (const label of document.querySelectorAll('.labels text')) {
			const {x, y} = label.getBoundingClientRect();
			label.ownerDocument
				.querySelector('.graph')
				.dispatchEvent(
					new PointerEvent('pointermove', {
						clientX: x + 2,
						clientY: y + 5
					})
				);
			found[label.textContent.replace(/^[▲▼+−] /, '')] =
				Number(document.querySelector('.hovered').getAttribute('width')) +
				1;
		}
		for (const text in found)
			found[text] = Math.round((found[text] / all) * 1000) / 1000;
		return found;
	});
const near = (got, wanted) => assert.ok(Math.abs(got - wanted) < 0.004, `${got} is not ${wanted}`);

suite({
	'origin: from annotations, modules and paths': async open => {
		const page = await open('origins.svg');
		assert.equal(await page.run(() => fg.state().mode), 'origin');
		const found = await classes(page);
		assert.deepEqual(Object.fromEntries(Object.entries(found).map(([text, name]) => [text, originOf(name)])), {
			all: 'o3',
			app: 'o0',
			kernel: 'o2',
			shared: 'o1',
			jit: 'o0',
			inlined: 'o0',
			memcpy: 'o1',
			schedule: 'o2',
			'[unknown]': 'o3',
			'site-packages/x.py:run': 'o1',
			'node_modules/y.js:go': 'o1'
		});
		assert.deepEqual(await legend(page), [
			['o0', 'user'],
			['o1', 'library'],
			['o2', 'system'],
			['o3', 'unknown'],
			'modules: libc.so.6',
			'vmlinux'
		]);
		/* Functions of one origin differ in tone; a function has one tone in every view. */
		assert.notEqual(found.app, found.inlined);
		assert.notEqual(found.kernel, found.schedule);
		assert.notDeepEqual((await colours(page)).app[1], (await colours(page)).inlined[1]);
		await page.run(() => fg.toggle('reverse'));
		const back = await classes(page);
		for (const text of ['kernel', 'schedule', 'memcpy', 'shared']) assert.equal(back[text], found[text], text);
		await page.run(() => fg.toggle('reverse'));
		assert.deepEqual((await colours(page)).shared[1], 'rgb(129, 196, 250)');
		const dark = await open('origins.svg', {dark: true});
		assert.notDeepEqual((await colours(dark)).shared[1], 'rgb(129, 196, 250)');
	},
	'function: the same colour whatever is noted of a function, in every picture':
		async open => {
			const page = await open('origins.svg'),
				bare = await open('bare.svg');
			await page.run(() => fg.mode('function'));
			assert.equal(await bare.run(() => fg.state().mode), 'function');
			const one = await classes(page),
				two = await classes(bare);
			for (const name of ['kernel', 'shared', 'memcpy', 'schedule'])
				assert.equal(one[name], two[name], name);
			assert.match(one.memcpy, /^f\d+$/);
			assert.ok(new Set(Object.values(one)).size > 4);
		},
	'the static picture has the colours of the live one': async open => {
		for (const picture of ['bare.svg', 'origins.svg', 'diff.svg', 'four.svg']) {
			const used = text =>
				new Set(
					Array.from(
						text.matchAll(/<path class="([a-z]\d+)" \w+="#\w+" d=/g),
						m => m[1]
					)
				);
			const fixed = used(
				fs.readFileSync(path.join(process.argv[2], picture), 'utf8')
			);
			const page = await open(picture);
			const live = await page.run(() =>
				Array.from(document.querySelectorAll('.frames path, .dim path'))
					.filter(e => e.getAttribute('d'))
					.map(e => e.getAttribute('class'))
			);
			for (const name of fixed)
				assert.ok(live.includes(name), `${picture}: ${name}`);
		}
	},
	'labels shorten as in the static picture': async open => {
		/* The graph is as wide as the static SVG if the panel is closed. */
		const at = {width: 1192};
		const fixed = await open('long.svg', {...at, script: false}),
			live = await open('long.svg', at);
		await live.run(() => fg.tab('none'));
		const texts = (page, where) =>
			page.run(
				where => Array.from(document.querySelectorAll(where), e => e.textContent),
				where
			);
		const labels = await texts(live, '.labels text');
		assert.deepEqual(
			labels.sort(),
			(await texts(fixed, '#fg-static g.on text')).sort()
		);
		for (const label of ['[libverylo…', 'do_execvea…', 'push_back', 'resolveEve…', 'py:load'])
			assert.ok(labels.includes(label), label);
	},
	'differential: slower, faster, added, removed, same': async open => {
		const page = await open('diff.svg');
		assert.equal(await page.run(() => fg.state().mode), 'differential');
		const found = await classes(page);
		assert.deepEqual(found, {
			/* Exact values: even 100 to 101 is a fact, but never a loud one. */
			'▼ all': 'd11',
			'▼ app': 'd11',
			'▲ slower': 'd0',
			'▼ faster': 'd1',
			'+ added': 'd2',
			'− removed': 'd3',
			'▲ same': 'd10'
		});
		assert.deepEqual(await legend(page), [
			['d0', '▲ slower'],
			['d1', '▼ faster'],
			['d2', '+ added'],
			['d3', '− removed'],
			['d4', 'unchanged'],
			'pale: the change is in callees'
		]);
		assert.deepEqual((await colours(page))['▲ slower'][1], 'rgb(221, 109, 80)');
		assert.ok(
			await page.run(
				() => document.querySelector('.hatch').getAttribute('d').length
			)
		);
	},
	'differential: base, head and diff have their own widths, removed code keeps its place':
		async open => {
			const page = await open('diff.svg');
			const whole = 150 + 100 + 40 + 60 + 201;
			let found = await widths(page);
			near(found.slower, 150 / whole);
			near(found.removed, 60 / whole);
			await page.run(() => fg.view('base'));
			found = await widths(page);
			near(found.slower, 100 / 460);
			assert.equal(found.added, undefined);
			await page.run(() => fg.view('head'));
			found = await widths(page);
			near(found.slower, 150 / 451);
			assert.equal(found.removed, undefined);
		},
	'differential: zoom and search stay when the view changes; hover tells the effect':
		async open => {
			const page = await open('diff.svg');
			await page.run(() => {
				fg.zoom('app');
				fg.search('slower');
				fg.view('head');
			});
			const now = await page.run(() => fg.state());
			assert.deepEqual(
				[now.zoom, now.search, now.view],
				[['app'], 'slower', 'head']
			);
			await page.run(() => fg.select('app;slower'));
			assert.equal(
				await page.run(() => document.querySelector('.status').textContent),
				'slower: ▲ slower, base 100, head 150, +50, +10.87 % of base\'s total'
			);
			assert.match(
				await page.run(() =>
					document
						.querySelector('.panel')
						.innerText.replace(/\s+/g, ' ')
				),
				/total self base 100 100 head 150 150 change \+50 \+50 of its base \+50\.00 % \+50\.00 % of base's total \+10\.87 %/
			);
		},
	'differential: by self, and with totals made equal': async open => {
		const page = await open('diff.svg');
		await page.run(() => fg.toggle('own'));
		assert.equal((await classes(page)).app, 'd4');
		await page.run(() => fg.toggle('share'));
		assert.match((await classes(page))['▲ same'], /^d(0|5|10)$/);
	},
	'differential: the strength of a colour follows the change of self': async open => {
		const page = await open('causes.svg');
		const found = await classes(page);
		assert.deepEqual(found, {
			'▲ all': 'd10',
			'▲ app': 'd10',
			'▲ handle': 'd10',
			'▲ cause': 'd0',
			'▲ middle': 'd5',
			'▲ little': 'd10',
			'▼ gain': 'd6',
			same: 'd4'
		});
		/* The static SVG has the same classes. */
		const paths = text => new Set(Array.from(text.matchAll(/<path class="(d\d+)" \w+="#\w+" d=/g), m => m[1]));
		const fixed = paths(fs.readFileSync(path.join(process.argv[2], 'causes.svg'), 'utf8'));
		assert.deepEqual(Array.from(fixed).sort(), Array.from(new Set(Object.values(found))).sort());
	},
	'differential: a noise column greys': async open => {
		const page = await open('noise.svg');
		const found = await classes(page);
		assert.equal(found['up'], 'd4');
		assert.equal(found['▲ really'], 'd0');
		/* The total grew, and the stacks beyond noise shrank together. */
		assert.equal(found.all, 'd4');
	},
	'bottleneck: the largest part of the total, as strong as self; the shares in the inspector': async open => {
		const page = await open('four.svg');
		assert.equal(await page.run(() => fg.state().mode), 'bottleneck');
		assert.deepEqual(await classes(page), {
			all: 'b10',
			app: 'b10',
			compute: 'b0',
			chase: 'b1',
			stream: 'b2',
			call: 'b3'
		});
		assert.deepEqual(
			(await legend(page)).map(entry => [entry].flat().join('')),
			['b0instruction', 'b1cache', 'b2memory', 'b3system', 'b4none', 'most of the total; pale: the cost is in callees']
		);
		await page.run(() => fg.mode('origin'));
		assert.deepEqual(await legend(page), [['o3', 'unknown']]); /* no other origin is in it */
		await page.run(() => fg.undo());
		await page.run(() => fg.select('app;chase'));
		assert.match(
			await page.run(() =>
				document.querySelector('.panel').innerText.replace(/\s+/g, ' ')
			),
			/instruction 10 10\.00 % 10\.00 % cache 60 60\.00 % 60\.00 % memory 30 30\.00 %/
		);
		await page.run(() => fg.column('cache'));
		const found = await widths(page);
		near(found.chase, 60 / 90);
	},
	'classic palettes: each is as in the picture that was drawn with it': async open => {
		const look = async page => {
			const shown = await page.run(() =>
				Array.from(document.querySelectorAll('.legend span'), e => [
					getComputedStyle(e.querySelector('rect')).fill,
					e.textContent
				])
			);
			return [
				Object.entries(await colours(page)).map(([text, [, fill]]) => [text, fill]),
				shown
			];
		};
		const wide = {width: 9000}; /* so that every frame has its label */
		const page = await open('palette-hot.svg', wide);
		const looks = new Set();
		for (const file of fs.readdirSync(process.argv[2])) {
			const name = /^palette-(.*)\.svg$/.exec(file)?.[1];
			if (!name) continue;
			await page.run(palette => fg.mode(palette), name);
			const own = await open(file, wide),
				shown = await look(page);
			assert.equal(await own.run(() => fg.state().mode), name);
			assert.equal(shown[0].length, 38, name);
			assert.deepEqual(shown, await look(own), name);
			const fixed = await open(file, {script: false});
			assert.deepEqual(
				await fixed.run(() =>
					Array.from(document.querySelectorAll('#fg-static path[stroke-width="12"]'), e => [
						getComputedStyle(e).stroke,
						e.nextElementSibling.textContent
					])
				),
				shown[1],
				name
			);
			looks.add(JSON.stringify(shown[0]));
		}
		assert.equal(looks.size, 16); /* wakeup is aqua */
	},
	'a palette of --cp keeps its own colours': async open => {
		const page = await open('kept.svg');
		const fills = async () =>
			Object.values(await colours(page)).map(([, fill]) => fill);
		const before = await fills();
		assert.ok(before.includes('rgb(1, 2, 3)'));
		await page.run(() => fg.mode('origin'));
		assert.ok(!(await fills()).includes('rgb(1, 2, 3)'));
		await page.run(() => fg.mode('java'));
		assert.deepEqual(await fills(), before);
	},
	'the function between its callers and callees has its own colour': async open => {
		const page = await open('origins.svg');
		await page.run(() => fg.sandwich('kernel_[k]'));
		assert.equal(originOf((await classes(page)).kernel), 'o2');
	},
	'what --total has more than the parts stands after them': async open => {
		const page = await open('total.svg');
		const found = await widths(page);
		near(found.a, 10 / 40);
		near(found.b, 20 / 40);
		assert.equal(found['(no name)'], undefined);
		assert.ok(
			await page.run(() => {
				const {clientWidth} = document.querySelector('.graph');
				const x = [...document.querySelectorAll('.labels text')].map(
					label => label.getAttribute('x') - 3
				);
				return x[1] === 0 && x[2] === Math.round(clientWidth / 4);
			})
		);
		await page.run(() => fg.select('all'));
		assert.match(
			await page.run(() => document.querySelector('.status').textContent),
			/^all: 40 samples, 100\.00 % of all, self 25\.00 %/
		);
		assert.equal(await page.run(() => fg.folded()), 'a 10\nb 20\n');
		assert.equal((await page.run(() => fg.search('.*'))).count, 2);
		await page.run(() => fg.search(''));
		await page.run(() => fg.select('b'));
		await page.key('ArrowRight');
		assert.deepEqual(await page.run(() => fg.state().selected), ['b']);
	},
	'dark and light come from the style sheet alone': async open => {
		const page = await open('diff.svg');
		const d = () => page.run(() => document.querySelector('.frames').innerHTML);
		const before = await d(),
			light = await colours(page);
		await page.media({'prefers-color-scheme': 'dark'});
		assert.equal(await d(), before);
		assert.notDeepEqual(await colours(page), light);
		await page.run(() =>
			document.querySelector('#fg').setAttribute('class', 'fg light')
		);
		assert.deepEqual(await colours(page), light);
	},
	'in the dark frames are apart too, and an outline is what was asked for': async open => {
		const strokes = page =>
			page.run(() => [
				...new Set(
					Array.from(
						document.querySelectorAll('.frames path, .dim path, .small path, .others, .swatch rect'),
						e => getComputedStyle(e).stroke
					)
				)
			]);
		assert.deepEqual(await strokes(await open('origins.svg', {dark: true})), ['none']);
		const page = await open('outlined.svg', {dark: true});
		assert.equal(
			await page.run(() => getComputedStyle(document.querySelector('.frames path')).stroke),
			'rgb(0, 255, 0)'
		);
	},
	'forced colours and more contrast keep the frames apart': async open => {
		const page = await open('diff.svg');
		const light = await colours(page);
		await page.media({'forced-colors': 'active', 'prefers-contrast': 'more'});
		assert.deepEqual(await colours(page), light);
		assert.notEqual(
			await page.run(
				() =>
					getComputedStyle(document.querySelector('.frames path'))
						.stroke
			),
			'none'
		);
	},
	'a flame chart keeps its order and its gaps': async open => {
		const page = await open('chart.svg');
		assert.equal(await page.run(() => fg.folded()), 'a;b 3\na 2\na;c 4\na 5\nd 3\n');
		await page.run(() => fg.select('a'));
		assert.match(
			await page.run(() => document.querySelector('.status').textContent),
			/^a: 14 samples, 82\.35 % of all, self 41\.18 %/
		);
		await page.run(() => fg.tab('functions'));
		assert.equal(
			await page.run(() => document.querySelectorAll('.lines .line').length),
			4
		);
		await page.run(() => fg.hide('b'));
		assert.equal(await page.run(() => fg.folded()), 'a 5\na;c 4\na 5\nd 3\n');
	},
	'trees are exact where a sum or the number of names does not fit in fewer bytes': async open => {
		for (const [picture, rest] of [['sum32.svg', 1], ['sum33.svg', 2]]) {
			const page = await open(picture);
			const stacks = `a;b;r 4\na;r 4294967290\nc ${rest}\n`;
			await page.run(() => fg.toggle('reverse'));
			assert.equal(await page.run(() => fg.folded()), stacks);
			assert.equal(await page.run(() => fg.state().total), 4294967294 + rest);
		}
		const page = await open('names.svg');
		await page.until(() => window.fg?.state); /* a worker decodes the frames */
		await page.run(() => fg.hide('m'));
		await page.run(() => fg.toggle('reverse'));
		const lines = (await page.run(() => fg.folded())).trim().split('\n');
		assert.equal(lines.length, 66000);
		for (const line of lines) assert.match(line, /^g;f\d+ 1$/);
		assert.equal(new Set(lines).size, 66000);
	},
	'the reversed graph looks the same before and after all of its frames are known': async open => {
		const page = await open('profile.svg', {width: 700}),
			drawing = () =>
				page.run(() => [
					...Array.from(document.querySelectorAll('.frames path, .small path, .others'), e => e.getAttribute('d')),
					...Array.from(document.querySelectorAll('.labels text'), e => e.textContent)
				]),
			reverse = () => page.run(() => void fg.toggle('reverse'));
		await reverse();
		const before = await drawing();
		assert.ok(before.length > 30, `${before.length}`);
		const {frames, total} = await page.run(() => fg.state());
		assert.ok(frames > 3000, `${frames}`);
		assert.equal(total, await page.run(() => fg.folded().trim().split('\n').reduce((n, line) => n + +line.split(' ').pop(), 0)));
		await reverse();
		await reverse();
		(await drawing()).forEach((d, k) => assert.equal(d, before[k]));
		/* A search counts frames narrower than a pixel. */
		const {count} = await page.run(() => fg.search('parse'));
		const again = await open('profile.svg', {width: 700});
		await again.run(() => void fg.toggle('reverse'));
		assert.equal((await again.run(() => fg.search('parse'))).count, count);
		await again.run(() => fg.reset());
		await again.run(() => void fg.toggle('reverse'));
		/* Arrow keys reach the narrowest function, and its callers. */
		for (const key of ['ArrowUp', ...Array(200).fill('ArrowRight')]) await again.key(key);
		const path = await again.run(() => fg.state().selected);
		await again.key('ArrowUp');
		assert.equal((await again.run(() => fg.state().selected)).length, path.length + 1);
	},
	'the time of a reversed view is that of the functions on top': async open => {
		const page = await open('origins.svg'),
			said = () => page.run(() => /Most self time: .*/.exec(document.querySelector('.panel').innerText)[0]);
		await page.run(() => void fg.hide('app'));
		const before = await said();
		await page.run(() => void fg.toggle('reverse'));
		assert.equal(await said(), before);
		await page.run(() => void fg.zoom('vmlinux`schedule'));
		assert.match(await said(), /schedule 100/);
	},
	'threads and labels at the root are filters of the legend': async open => {
		const page = await open('threads.svg'),
			texts = () => page.run(() => Array.from(document.querySelectorAll('.legend button'), e => e.textContent)),
			click = (text, shiftKey) =>
				page.run(
					(text, shiftKey) => {
						const e = Array.from(document.querySelectorAll('.legend button')).find(e => e.textContent === text);
						e.dispatchEvent(new MouseEvent('click', {bubbles: true, shiftKey}));
					},
					text,
					shiftKey
				),
			filters = () => page.run(() => fg.state().filters);
		/* "main" is a function, too: a filter would find both. */
		assert.deepEqual((await texts()).slice(-2), ['thread: io', 'thread: worker']);
		await click('thread: worker', false);
		assert.equal(await page.run(() => fg.folded()), 'worker;serve;parse_[l] 20\n');
		assert.match(await page.run(() => document.querySelector('.chips').textContent), /only stacks with worker/);
		assert.equal(await page.run(() => fg.command().line), "fg-filter --focus '^worker$' FILE | fg-render");
		await click('thread: worker', true);
		assert.deepEqual(await filters(), []);
		await click('thread: worker', true);
		assert.equal(await page.run(() => fg.folded()), 'io;read_[k] 30\nmain;main 10\n');
		assert.equal(await page.run(() => fg.command().line), "fg-filter --drop '^worker$' FILE | fg-render");
		await page.run(() => fg.undo());
		assert.deepEqual(await filters(), []);
		assert.deepEqual((await (async () => {
			const labels = await open('labels.svg');
			return labels.run(() => Array.from(document.querySelectorAll('.legend button'), e => e.textContent));
		})()).slice(-2), ['url=/b', 'url=/a']);
	},
	'a flame chart has an axis with the unit and the length of what is looked at': async open => {
		const page = await open('long-chart.svg');
		const axis = () =>
			page.run(() => {
				const graph = document.querySelector('.graph').getBoundingClientRect();
				return Array.from(document.querySelectorAll('.axis span'), e => [
					e.textContent,
					Math.round(((e.getBoundingClientRect().x - graph.x) / graph.width) * 1000) / 1000
				]);
			});
		let told = await axis();
		assert.deepEqual(told[0], ['0 s', 0]);
		const half = told.find(([text]) => text === '2 s');
		assert.ok(half && Math.abs(half[1] - 0.4) < 0.002, JSON.stringify(told));
		assert.equal(told.at(-1)[0], '5 s wide');
		await page.run(() => fg.zoom('b'));
		told = await axis();
		assert.deepEqual([told[0], told.at(-1)[0]], [['1 s', 0], '2 s wide']);
		const plain = await open('total.svg');
		assert.equal(await plain.run(() => document.querySelector('.axis').hidden), true);
	},
	'looks that fg-render was asked for': async open => {
		const page = await open('looks.svg');
		assert.equal(await page.run(() => fg.state().total), 300);
		assert.deepEqual(
			await page.run(() => {
				fg.search('memcpy');
				const label = document.querySelector('.labels text');
				return [
					getComputedStyle(label).fontSize,
					getComputedStyle(document.querySelector('.match')).stroke,
					document
						.querySelector('.hovered, .selected')
						.getAttribute('height')
				];
			}),
			['10px', 'rgb(0, 255, 0)', '0']
		);
		assert.match(
			await page.run(() =>
				document
					.querySelector('.frames path[d^=M], .dim path[d^=M]')
					.getAttribute('class')
			),
			/^w\d+$/
		);
		await page.run(() => fg.select('app;libc.so.6`memcpy'));
		assert.deepEqual(
			await page.run(() => {
				const link = document.querySelector('.panel a');
				return [
					link.getAttribute('href'),
					document.querySelector('.selected').getAttribute('height')
				];
			}),
			['https://example.org/memcpy', '13']
		);
	}
});
