/*
 * Profiles written by fg-render -T speedscope, opened in speedscope. Arguments: the directory of
 * profiles, speedscope's page.
 */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {suite} = require('./suite.js');

const [folder, html] = process.argv.slice(2);

/* Opens a profile as speedscope's command does. */
async function show(open, name) {
	const bytes = fs.readFileSync(path.join(folder, name + '.json'));
	const script = path.join(folder, name + '.js');
	fs.writeFileSync(
		script,
		`speedscope.loadFileFromBase64('${name}.json', '${bytes.toString('base64')}')`
	);
	const page = await open(
		`${pathToFileURL(html).href}#view=sandwich&localProfilePath=${script}`,
		{before: keepExport}
	);
	for (let i = 0; i < 3000 && !(await rows(page)).length; i++)
		await new Promise(done => setTimeout(done, 100));
	return page;
}

/* The table of functions: total, self, name. */
const rows = page =>
	page.run(() =>
		[...document.querySelectorAll('tr')]
			.map(row => [...row.cells].map(cell => cell.innerText.trim()))
			.filter(row => row.length === 3 && /%/.test(row[0]))
			.map(([total, self, name]) => [total.replace(/ .*/, ''), self.replace(/ .*/, ''), name])
	);

/* Replaces the download of an exported file: stores its text. */
const keepExport = `
	URL.createObjectURL = blob => {
		window.exported = blob.text();
		return 'data:,';
	};`;

/* The stacks of an exported profile in order, with their weights. */
function stacks({profiles, shared}, which) {
	const open = [];
	const found = [];
	let last = 0;
	for (const {type, frame, at} of profiles[which].events) {
		if (at > last) found.push([open.map(i => shared.frames[i].name).join(';'), at - last]);
		last = at;
		if (type === 'O') open.push(frame);
		else assert.equal(open.pop(), frame);
	}
	return found;
}

async function exported(page) {
	await page.run(() => {
		const button = [...document.querySelectorAll('div')].find(
			div => /Export$/.test(div.innerText) && !div.querySelector('div')
		);
		button.click();
	});
	for (let i = 0; i < 3000 && !(await page.run(() => Boolean(window.exported))); i++)
		await new Promise(done => setTimeout(done, 100));
	return JSON.parse(await page.run(() => window.exported));
}

suite({
	'the page opens it: functions with totals and units': async open => {
		const page = await show(open, 'columns');
		assert.equal(await page.run(() => document.title), "it's columns - speedscope");
		const table = await rows(page);
		assert.deepEqual(table[0], ['12.00µs', '12.00µs', 'g']);
		assert.deepEqual(
			table.map(row => row[2]).sort(),
			['<script>', 'a"b\\\\', 'app', 'do_syscall_64', 'f', 'g', 'main', 'memcpy', 'é']
		);
		assert.match(await page.run(() => document.body.innerText), /cpu \(1\/2\)/);
	},
	'its importer has all columns, files, lines': async open => {
		const profile = await exported(await show(open, 'columns'));
		assert.deepEqual(
			profile.profiles.map(({name, unit}) => [name, unit]),
			[['cpu', 'microseconds'], ['space', 'bytes']]
		);
		assert.deepEqual(
			stacks(profile, 1),
			[['app;do_syscall_64', 2048], ['app;main;f;g', 1]]
		);
		const main = profile.shared.frames.find(({name}) => name === 'main');
		assert.deepEqual([main.file, main.line], ['a.c', 3]);
	},
	'input in order of time is in that order': async open => {
		const profile = await exported(await show(open, 'order'));
		assert.deepEqual(stacks(profile, 0), [['b;x', 2], ['a', 1], ['b;x', 3], ['b', 1]]);
	},
	'names of any bytes': async open => {
		const table = await rows(await show(open, 'bytes'));
		assert.ok(table.some(row => row[2] === 'é'));
		assert.equal(table.length, 11);
	}
});
