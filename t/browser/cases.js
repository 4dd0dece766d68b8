/*
 * Rules that the viewer and fg-render both implement: each case of t/data/cases runs here, and in
 * the test of fg-render that the file's first line names.
 */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const {execFileSync} = require('node:child_process');

const read = (...file) => fs.readFileSync(path.join(__dirname, '..', ...file), 'utf8');
const registers = execFileSync('awk', [
	'-f',
	'share/registers.awk',
	'-v',
	'want=viewer',
	'common/names/annotations.def',
	'common/names/languages.def',
	'common/profile/units.def'
], {cwd: path.join(__dirname, '../..'), encoding: 'utf8', env: {...process.env, LC_ALL: 'C'}});
const viewer = ['data/names.js', 'data/longnames.js', 'data/units.js', 'data/colors.js', 'view/changes.js']
	.map(file => read('..', 'share/viewer', file))
	.join('\n');

/* Functions of the viewer, without a page. */
const picture = {options: {}};
const {shorten, labelOf, nameParts, nameHash, figure, changeKind} = vm.runInNewContext(
	`const {abs, ceil, floor, max, min, round} = Math; ${registers} ${viewer}; ({shorten, labelOf, nameParts, nameHash, figure, changeKind})`,
	{picture, TextEncoder}
);

const cases = (file, columns) =>
	read('data/cases', file)
		.split('\n')
		.filter(line => line && !line.startsWith('#'))
		.map(line => {
			const parts = line.split('|');
			return [...parts.slice(0, columns - 1), parts.slice(columns - 1).join('|')];
		});

/*
 * The text of a name, which the viewer gets from fg-render; the names of these cases have a simple
 * syntax.
 */
const textOf = name =>
	name
		.replace(/(_\[\w\])+$/, '')
		.replace(/ \([^()]*:\d+\)$/, '')
		.replace(/^[^`]*`/, '');

const tests = {
	'label.txt': ([room, name, label]) => {
		picture.names = [name];
		picture.about = {
			what: [0],
			module: [Math.max(name.indexOf('`'), 0)],
			tail: [/( \([^()]*:\d+\))?(_\[\w\])*$/.exec(name)[0].length]
		};
		assert.equal(shorten(labelOf(nameParts(0)), +room), label);
	},
	'hash.txt': ([hash, shade, name]) => {
		const h = nameHash({text: textOf(name)});
		assert.deepEqual([h % 24, (h >>> 8) % 16], [+hash, +shade]);
	},
	'unit.txt': ([value, unit, shown]) => assert.equal(figure(+value, unit), shown),
	'change.txt': ([mark, base, head, rest]) => {
		const all = [+base, +head],
			wholes = rest.split(' ').map((other, k) => all[k] + +other);
		assert.equal(['▲', '▼', '+', '−', ''][changeKind(...all, all, 0.02, Math.max(...wholes))], mark);
	}
};

let n = 0,
	failed = 0;
for (const [file, test] of Object.entries(tests))
	for (const line of cases(file, file === 'change.txt' ? 4 : 3)) {
		let trouble = '';
		try {
			test(line);
		} catch (error) {
			trouble = error.message;
		}
		failed += trouble ? 1 : 0;
		console.log(`${trouble ? 'not ok' : 'ok'} ${++n} - ${file}: ${line.join(' | ')}`);
		if (trouble) console.log(trouble.replace(/^/gm, '# '));
	}
console.log(`1..${n}`);
process.exitCode = failed ? 1 : 0;
