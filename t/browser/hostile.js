/* Names that try to inject markup or script, and graphs of extreme shape. */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

/* Effects that a name would have if it were executed or parsed as markup. */
const harm = page =>
	page.run(
		() =>
			window.harmed ||
			document.querySelectorAll(
				'script:not(:only-of-type), img, iframe, [onload], [onerror]'
			).length
	);

/*
 * The number of elements with a name in a page and its embedded documents, counted independently of
 * the page's scripts.
 */
async function elements(page, name) {
	const {root} = await page.call('DOM.getDocument', {depth: -1, pierce: true});
	return JSON.stringify(root).split(`"localName":"${name}"`).length - 1;
}

/* Every place that shows a name. */
const everywhere = page =>
	page.run(() => {
		fg.tab('functions');
		const paths = fg
			.folded()
			.trim()
			.split('\n')
			.map(line => line.replace(/ \d+$/, ''));
		for (const path of paths) {
			fg.tab('inspector');
			fg.select(path);
			fg.zoom(path);
			fg.search(path.split(';').pop().replace(/[^\w]/g, '.'));
			fg.hide(path.split(';').pop());
			fg.undo();
			fg.focus(path.split(';').pop());
			fg.sandwich(path.split(';').pop());
			fg.tab('functions');
			fg.mark('function:' + path.split(';').pop());
			fg.reset();
		}
		return paths;
	});

suite({
	'names with markup, quotes and handlers stay text': async open => {
		const page = await open('names.svg');
		const paths = await everywhere(page);
		assert.ok(paths.length >= 12);
		for (const name of [
			'</script><script>harmed=1</script>',
			']]>',
			'"quoted" \'single\'',
			'" onload="harmed=1',
			'<img src=x onerror=harmed=1>',
			'&amp;&lt;',
			'javascript:harmed=1',
			'${harmed=1}',
			'\\u0022',
			'__proto__',
			'constructor'
		])
			assert.ok(
				paths.some(path => path.includes(name)),
				name
			);
		assert.equal(await harm(page), 0);
	},
	'names in a link stay text': async open => {
		const page = await open('names.svg');
		await page.run(
			() =>
				(location.hash =
					'#' +
					new URLSearchParams({
						zoom: ';app;<img src=x onerror=harmed=1>',
						search: '<svg onload=harmed=1>',
						mark: 'function:"><script>harmed=1</script>',
						filters: ';hide:function:<img src=x onerror=harmed=1>',
						sandwich: '__proto__'
					}))
		);
		await page.until(() => fg.state().search);
		assert.equal(await harm(page), 0);
	},
	'no pattern of a link hangs a page with long names': async open => {
		const page = await open('long.svg');
		for (const pattern of [
			'a*b',
			'a*a*b',
			'[a]*a*a*b',
			'a?'.repeat(30) + 'a'.repeat(30) + 'b',
			'(a|a)'.repeat(30) + 'b'
		]) {
			await page.run(pattern => {
				const filters = ['focus', 'hide', 'drop'].map(what => `;${what}:match:${pattern}`);
				location.hash =
					'#' +
					new URLSearchParams({
						search: pattern,
						mark: 'match:' + pattern,
						filters: filters.join('')
					});
			}, pattern);
			await page.until(pattern => fg.state().search === pattern, pattern);
		}
		assert.equal(await page.run(() => fg.state().filters.length), 0);
		const refused = await page.run(() => fg.hide('a*a*b', 'match'));
		assert.match(JSON.stringify(refused), /very long/);
	},
	'names that turn or hide text are shown as what they are': async open => {
		const page = await open('names.svg');
		const shown = await page.run(() => {
			fg.search('over');
			fg.next();
			return document.querySelector('.panel h2').textContent;
		});
		assert.equal(shown, 'over\\u202eride');
		const hidden = await page.run(() => {
			fg.search('zero');
			fg.next();
			return document.querySelector('.panel h2').textContent;
		});
		assert.equal(hidden, 'zero\\u200bwidth');
	},
	'an empty name, wide characters and emoji are drawn and found': async open => {
		const page = await open('names.svg');
		for (const name of ['函数名称', '🔥 hot 🔥', 'עברית']) {
			assert.equal(
				(await page.run(text => fg.search(text), name)).count,
				1,
				name
			);
			await page.run(text => fg.zoom(['app', text]), name);
			assert.ok(
				await page.run(
					text =>
						Array.from(
							document.querySelectorAll('.labels text')
						).some(e => e.textContent === text),
					name
				),
				name
			);
			await page.run(() => fg.reset());
		}
		await page.run(() => (fg.tab('inspector'), fg.zoom(['app', ''])));
		assert.equal(
			await page.run(() => document.querySelector('.panel h2').textContent),
			'(no name)'
		);
	},
	'a name that is read from the right leaves the figures after it in order': async open => {
		const page = await open('names.svg');
		const wrong = await page.run(() => {
			fg.select(['app', 'עברית']);
			fg.tab('summary');
			const out = [];
			/* The left edge of each word, in any elements. */
			const lefts = (part, ...words) => {
				const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT),
					found = [];
				for (let node; (node = walk.nextNode()) && found.length < words.length;)
					for (let at; (at = node.data.indexOf(words[found.length], at)) >= 0 && found.length < words.length; at++) {
						const range = document.createRange();
						range.setStart(node, at);
						range.setEnd(node, at + 1);
						found.push(range.getBoundingClientRect().left);
					}
				return found;
			};
			const told = lefts(document.querySelector('.status'), 'ע', '5 samples', '%');
			if (!(told[0] < told[1] && told[1] < told[2])) out.push(told.join());
			const p = document.querySelector('.panel').appendChild(document.querySelector('.panel p a').parentNode.cloneNode());
			p.append(Object.assign(document.querySelector('.panel p a').cloneNode(), {textContent: 'עברית'}), ' 11.9 % ± 4.4.');
			p.style.whiteSpace = 'nowrap';
			const linked = lefts(p, 'ע', '11.9', '4.4');
			if (!(linked[0] < linked[1] && linked[1] < linked[2])) out.push(linked.join());
			return out.join('; ');
		});
		assert.equal(wrong, '');
	},
	'one frame, one sample': async open => {
		const page = await open('one.svg');
		assert.equal(await page.run(() => fg.state().total), 1);
		for (const key of 'ircksfhmtyYbed1234uU?0') await page.key(key);
		for (const key of [
			'ArrowUp',
			'ArrowUp',
			'ArrowLeft',
			'ArrowRight',
			'ArrowDown',
			'Enter',
			'Backspace',
			'Escape'
		])
			await page.key(key);
		assert.equal(await page.run(() => fg.reset() || fg.folded()), 'main 1\n');
	},
	'a head of nothing': async open => {
		const page = await open('gone.svg');
		await page.run(() => fg.view('head'));
		assert.equal(await page.run(() => fg.state().total), 0);
		for (const key of ['r', 'r', 'c', 'k', 't', 'ArrowUp', 'n', 'd'])
			await page.key(key);
		assert.equal(await page.run(() => fg.state().total), 12);
	},
	'decimals come out as they went in': async open => {
		const page = await open('decimals.svg');
		assert.equal(await page.run(() => fg.folded()), 'app;a 1.5\napp;b 0.25\napp;c 3\n');
		await page.run(() => fg.select('app;a'));
		assert.match(
			await page.run(() => document.querySelector('.status').textContent),
			/^a: 1\.5 samples/
		);
	},
	'units are written as people write them': async open => {
		const time = await open('ns.svg'),
			size = await open('bytes.svg');
		assert.match(
			await time.run(() => document.querySelector('.status').textContent),
			/^all: 17\.3 s,/
		);
		assert.match(
			await size.run(() => document.querySelector('.status').textContent),
			/^all: 4\.2 MiB,/
		);
	},
	'5,000 levels deep': async open => {
		const page = await open('deep.svg');
		assert.equal(await page.run(() => fg.state().frames), 5001);
		await page.run(() => fg.zoom(fg.folded().trim().replace(/ 7$/, '')));
		assert.equal(await page.run(() => fg.state().zoom.length), 5000);
		assert.ok(
			await page.run(() => document.querySelector('.crumbs').children.length < 10)
		);
		await page.reload();
		assert.equal(await page.run(() => fg.state().zoom.length), 5000);
		/* The linked frame is visible; its callers are in the breadcrumb. */
		assert.ok(
			await page.run(() => {
				const graph = document.querySelector('.graph').getBoundingClientRect();
				return Array.from(document.querySelectorAll('.labels text')).some(e => {
					const {y, height} = e.getBoundingClientRect();
					return e.textContent === 'level_99' && y >= graph.y && y + height <= graph.bottom;
				});
			})
		);
		await page.run(() => fg.reset());
		await page.run(() => (document.querySelector('.graph').scrollTop = 40000));
		await page.until(() =>
			Array.from(document.querySelectorAll('.labels text')).some(e => {
				const {y} = e.getBoundingClientRect();
				return y > 300 && y < 500;
			})
		);
		assert.ok((await page.run(() => document.querySelectorAll('.app *').length)) < 1500);
		await page.key('c');
		await page.key('r');
	},
	'4,200 stacks of up to 4,200 frames are reversed to their ends': async open => {
		const page = await open('steps.svg');
		const [count, wrong] = await page.run(() => {
			fg.toggle('reverse');
			const lines = fg.folded().trim().split('\n');
			const expected = (i, depth) => 'abc'[(depth - i) % 3];
			return [
				lines.length,
				lines.find(line => {
					const [stack, depth] = line.split(' '),
						names = stack.split(';');
					return names.length !== +depth || names.some((name, i) => name !== expected(i, +depth));
				})
			];
		});
		assert.deepEqual([count, wrong], [4200, undefined]);
	},
	'500,000 frames: zoom, search, filters and the way back': async open => {
		const page = await open('large.svg');
		await page.until(() => window.fg?.state); /* a worker decodes the frames */
		assert.equal(await page.run(() => fg.state().frames), 500001);
		const total = await page.run(() => fg.state().total);
		const found = await page.run(() => fg.search('read|write'));
		assert.ok(found.count > 1000 && found.share > 0 && found.share <= 1);
		await page.run(() => void fg.next());
		await page.run(() => fg.zoom(fg.state().selected.slice(0, 5)));
		await page.run(() => fg.reset());
		/*
		 * A slow action shows that it is busy before it begins, and its promise resolves
		 * when it is done.
		 */
		const busy = await page.run(() => {
			const answer = fg.toggle('reverse');
			const told = [document.querySelector('.busy') !== null, document.querySelector('.status').textContent];
			return answer.then(() => [...told, document.querySelector('.busy'), fg.state().reverse]);
		});
		assert.deepEqual(busy, [true, 'Working …', null, true]);
		await page.run(() => fg.toggle('reverse'));
		for (const key of 'ckt') {
			await page.key(key);
			assert.equal(await page.run(() => fg.state().total), total);
		}
		assert.ok((await page.run(() => document.querySelectorAll('*').length)) < 6000);
	},
	'without scripts the picture is whole': async open => {
		const page = await open('names.svg', {script: false});
		assert.ok((await elements(page, 'path')) > 0);
		assert.equal(await elements(page, 'foreignObject'), 0);
	},
	'where a policy forbids scripts the picture is whole': async open => {
		const page = await open('policy.html');
		assert.equal(await page.run(() => typeof fg.state), 'undefined');
		assert.equal(await elements(page, 'foreignObject'), 0);
		assert.equal(
			await page.run(() => getComputedStyle(document.querySelector('.o0')).stroke),
			'rgb(240, 160, 75)'
		);
		/* The only error is the report of the content security policy. */
		assert.match(page.errors.join('\n'), /^.*Content Security Policy.*$/);
		page.errors.length = 0;
	},
	'in an <img> it is a picture, in an <object> it is live': async open => {
		const page = await open('embedding.html');
		assert.deepEqual(
			await page.run(() => {
				const img = document.querySelector('img');
				return [img.complete, img.naturalWidth > 0, img.naturalHeight > 0];
			}),
			[true, true, true]
		);
		const [x, y] = await page.run(() => {
			const {left, top} = document.querySelector('object').getBoundingClientRect();
			return [left + 50, top + 20];
		});
		await page.mouse('mouseMoved', x, y);
		for (let tries = 0; tries < 15000 && !(await elements(page, 'foreignObject')); tries++)
			await new Promise(done => setTimeout(done, 20));
		assert.equal(await elements(page, 'foreignObject'), 1);
	},
	'inside a page of HTML it is live too': async open => {
		const page = await open('inline.html');
		assert.equal(await page.run(() => fg.state().total), 1);
		assert.ok(await page.run(() => document.querySelectorAll('.labels text').length > 0));
		assert.equal(await page.run(() => document.querySelector('.bar').parentNode.className.trim()), 'app');
	}
});
