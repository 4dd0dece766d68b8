/*
 * A view is a command: sh runs the command line of each view, and the output equals its contents;
 * patterns match the same names in the viewer and in fg-filter.
 */
'use strict';
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

const folder = process.argv[2];
const SEQUENCES = 14;
const STEPS = 6;

/* Lines of equal neighbours are one, with the sum of their values. */
const joined = text => {
	const lines = [];
	for (const line of text.split('\n').filter(line => line && !line.startsWith('# '))) {
		const [, stack, value] = /^(.*) ([0-9]+)$/.exec(line),
			last = lines[lines.length - 1];
		if (last?.[0] === stack) last[1] += +value;
		else lines.push([stack, +value]);
	}
	return lines.map(line => line.join(' ')).join('\n');
};

/* The output of a command line with FILE replaced. */
const run = (line, file) =>
	execFileSync('sh', ['-c', line.replace(/\bFILE\b/, `'${file}'`)], {
		cwd: folder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore']
	});
const stacks = text =>
	text
		.split('\n')
		.filter(line => line && !line.startsWith('# '))
		.sort()
		.join('\n');

function generator(seed) {
	return n => {
		seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
		return (seed >> 8) % n;
	};
}

/* order: what of the stacks must be equal, as text. */
async function walk(open, name, order = stacks) {
	const file = path.join(folder, name + '.folded'),
		frames = Array.from(
			new Set(
				stacks(fs.readFileSync(file, 'utf8'))
					.split('\n')
					.flatMap(line => line.replace(/( [0-9]+)+$/, '').split(';'))
			)
		);
	const page = await open(name + '.svg');
	let told = 0,
		refused = 0;
	for (let k = 1; k <= SEQUENCES; k++) {
		const random = generator(k),
			said = [];
		await page.go('about:blank');
		await page.go('file://' + path.resolve(folder, name + '.svg'));
		for (let i = 0; i < STEPS; i++) {
			const frame = JSON.stringify(frames[random(frames.length)]);
			const gesture = [
				`fg.focus(${frame})`,
				`fg.hide(${frame})`,
				`fg.drop(${frame})`,
				`fg.hide(fg.about(${frame}).module, 'module')`,
				`fg.drop('^p.*9', 'match')`,
				`fg.toggle('system')`,
				`fg.native()`,
				`fg.toggle('recursion')`,
				`fg.toggle('reverse')`,
				`fg.zoom(fg.folded().split('\\n').filter(l => l && l[0] !== '#').map(l => l.replace(/( [0-9]+)+$/, ''))[${random(9)}])`,
				`fg.zoom('')`,
				`fg.undo()`,
				`fg.origin('${['user', 'library', 'system', 'unknown'][random(4)]}')`,
				`fg.hide('${['user', 'library', 'system', 'unknown'][random(4)]}', 'origin')`,
				`fg.focus('${['slower', 'faster', 'added', 'removed'][random(4)]}', 'change')`,
				`fg.hide('${['slower', 'faster', 'added', 'removed'][random(4)]}', 'change')`
			][random(16)];
			said.push(gesture);
			const {line, notes, zoom, text} = await page.run(
				`(${gesture}, {...fg.command(), zoom: fg.state().zoom, text: fg.folded()})`
			);
			if (!line) {
				assert.match(notes.join(), /cannot distinguish|control characters/, said.join('\n'));
				refused++;
				continue;
			}
			told++;
			assert.match(line, /^(fg-filter .* FILE \| fg-render|fg-render .*FILE$)/);
			const above = zoom.slice(0, -1).map(part => part + ';').join('');
			const shown = order(text.replace(/^(?!# ).*/gm, stack => stack.slice(above.length)));
			const timed = line.includes('--flamechart'),
				got = run(
					line.startsWith('fg-filter') ? line.replace(/ \| fg-render.*/, '') : `fg-filter ${timed ? '--time-order ' : ''}FILE`,
					file
				);
			assert.equal((timed ? order : stacks)(got), timed ? shown : stacks(shown), `${said.join('\n')}\n${line}`);
		}
	}
	assert.ok(told > refused, `${told} commands, ${refused} without`);
}

/* Views by picture; a page shows the command of each. */
const VIEWS = {
	truth: [
		`fg.mode('function')`,
		`fg.mode('hot')`,
		`fg.toggle('flip')`,
		`fg.toggle('recursion')`,
		`fg.hide('kernel', 'module')`,
		`fg.focus('libx.so', 'module'); fg.toggle('flip'); fg.mode('red')`
	],
	'truth-diff': [`fg.focus('slower', 'change')`, `fg.hide('faster', 'change'); fg.mode('differential')`, `fg.toggle('reverse')`],
	threads: [
		`fg.focus('worker')`,
		`fg.drop('worker')`,
		`fg.native()`,
		`fg.hide('python', 'language')`,
		`fg.origin('library', true)`,
		`fg.toggle('system')`
	],
	columns: [`fg.hide('load')`, `fg.drop('store'); fg.mode('origin')`, `fg.column('memory')`, `fg.column('instruction'); fg.hide('load')`],
	waits: [`fg.focus('nap')`, `fg.hide('nap')`, `fg.mode('origin')`, `fg.column('blocked')`],
	times: [`fg.time(1, 2)`, `fg.time(2, 3); fg.hide('sort')`, `fg.toggle('flip')`],
	chart: [`fg.hide('read')`, `fg.drop('sort')`, `fg.toggle('flip')`, `fg.toggle('reverse')`, `fg.toggle('recursion')`],
	icicle: [`fg.drop('read')`, `fg.mode('hot')`, `fg.toggle('flip')`]
};

/* The parts of a picture that its command line decides. */
const looks = page =>
	page.run(() => {
		const {flip, mode, column, total} = fg.state();
		return {flip, mode, column, total, title: document.querySelector('.title').textContent, text: fg.folded()};
	});

/* The stacks of one column of a file of several. */
function onlyColumn(text, column) {
	const k = /^# columns: (.*)/m.exec(text)[1].split(' ').indexOf(column);
	return text.replace(/^([^#].*?)((?: [0-9]+)+)$/gm, (_, stack, values) => `${stack} ${values.split(' ')[k + 1]}`).replace(/^.* 0\n/gm, '');
}

const cases = fs
	.readFileSync(path.join(folder, 'patterns'), 'utf8')
	.split('\n')
	.filter(line => line && !line.startsWith('# '))
	.map(line => line.split('\t'));

suite({
	'each line makes its view: one column': open => walk(open, 'truth'),
	'each line makes its view: base and head': open => walk(open, 'truth-diff'),
	'each line makes its view: a flame chart': open => walk(open, 'truth-chart', joined),
	'each whole line draws the picture of its view': async open => {
		let told = 0;
		for (const [name, views] of Object.entries(VIEWS)) {
			const page = await open(name + '.svg');
			for (const view of views) {
				await page.run('fg.reset()');
				await page.go('about:blank');
				await page.go('file://' + path.resolve(folder, name + '.svg'));
				await page.run('localStorage.clear()');
				await page.run(`{${view}}`);
				const {line, notes} = await page.run(() => fg.command()),
					{text, ...shown} = await looks(page);
				fs.writeFileSync(path.join(folder, 'made.svg'), run(line, path.join(folder, name + '.folded')));
				await page.run('localStorage.clear()');
				const {text: made, ...drawn} = await looks(await open('made.svg'));
				if (view.includes('fg.column')) {
					assert.deepEqual(notes, ['The command draws only this column.']);
					assert.equal(stacks(made), stacks(onlyColumn(text, shown.column)), `${name} ${view}: ${line}`);
					/* which has no name and cannot have the colours of several */
					Object.assign(drawn, {mode: shown.mode, column: shown.column});
				} else {
					assert.deepEqual(notes, [], `${name} ${view}`);
					assert.equal(stacks(made), stacks(text), `${name} ${view}: ${line}`);
				}
				assert.deepEqual(drawn, shown, `${name} ${view}: ${line}`);
				told++;
			}
		}
		assert.equal(told, Object.values(VIEWS).flat().length);
	},
	'patterns are read alike, or refused in words': async open => {
		const page = await open('texts.svg'),
			file = path.join(folder, 'texts.folded');
		for (const [alike, pattern] of cases) {
			const [words, text] = await page.run(
				p => {
					fg.reset();
					const answer = fg.drop(p, 'match');
					return [typeof answer === 'string' ? answer : '', fg.folded()];
				},
				pattern
			);
			if (alike === 'no') {
				assert.match(words, /^No filter: ./, pattern);
				continue;
			}
			assert.ok(!/^No filter/.test(words), `${pattern}: ${words}`);
			const got = execFileSync('fg-filter', ['--drop', pattern, file], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
			assert.equal(stacks(got), stacks(text), pattern);
		}
	},
	'the line is under the panel, is copied, and runs as it is': async open => {
		const page = await open('truth.svg');
		await page.run(() => {
			Object.defineProperty(navigator, 'clipboard', {
				value: {writeText: async text => (window.copied = text)}
			});
			fg.hide("it's");
			fg.mode('hot');
			fg.toggle('flip');
		});
		const line = await page.until(() => /it/.test(document.querySelector('.shell').textContent) && document.querySelector('.shell').textContent);
		assert.equal(line, `fg-filter --hide '^it'\\''s$' FILE | fg-render --colors hot --inverted`);
		await page.key('C');
		assert.equal(await page.until(() => window.copied), line);
		assert.match(run(line, path.join(folder, 'truth.folded')), /^<\?xml/);
	},
	'where there is no filter the page says so': async open => {
		const page = await open('truth.svg');
		const notes = () => page.run(() => [fg.command().line, fg.command().notes.join(' ')]);
		await page.run(() => fg.sandwich('foo'));
		assert.match((await notes()).join(), /^,.*both callers and callees/);
		await page.run(() => (fg.reset(), fg.window(3, 9)));
		assert.match((await notes()).join(), /^,.*part of the width/);
		await page.run(() => (fg.reset(), fg.search('foo')));
		assert.deepEqual(await notes(), ['fg-render FILE', 'The command does not include the search.']);
	},
	'what a search finds becomes a filter': async open => {
		const page = await open('truth.svg');
		await page.run(() => fg.search('foo'));
		await page.run(() => Array.from(document.querySelectorAll('.offer')).find(e => /drop/.test(e.textContent)).click());
		assert.deepEqual(
			await page.run(() => [fg.state().filters, fg.state().search, /foo/.test(fg.folded())]),
			[['drop:match:foo'], '', false]
		);
	}
});
