/*
 * Accessibility of the live page by the rules of axe-core, whose file is the second argument: six
 * pictures in light and dark, with forced colours, and with reduced motion.
 */
'use strict';
const fs = require('node:fs');
const {suite} = require('./suite.js');

const rules = fs.readFileSync(process.argv[3], 'utf8');

const LOOKS = {
	light: {},
	dark: {'prefers-color-scheme': 'dark'},
	'forced colours': {'forced-colors': 'active'},
	'reduced motion': {'prefers-reduced-motion': 'reduce'}
};

const PAGES = {
	'notes.svg': 'the summary',
	'diff.svg': 'a differential',
	'four.svg': 'bottlenecks',
	'waits.svg': 'waits',
	'strip.svg': 'a strip of time',
	'chart.svg': 'a flame chart'
};

/* In the page: a line for each violation, with an element that has it. */
const violations = async () => {
	const {violations: found} = await axe.run(document, {resultTypes: ['violations']});
	return found.map(({id, help, nodes}) => `${id}: ${help}: ${nodes.length}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary?.replace(/\s+/g, ' ').slice(0, 200)}`);
};

const tests = {};
for (const [file, what] of Object.entries(PAGES))
	tests[`${what}: no violation in light, in dark, with forced colours, with reduced motion`] = async open => {
		const page = await open(file);
		await page.run(rules + ';0');
		const all = [];
		for (const [look, features] of Object.entries(LOOKS)) {
			await page.media({'prefers-color-scheme': 'light', 'forced-colors': 'none', 'prefers-reduced-motion': 'no-preference', ...features});
			for (const tab of ['summary', 'inspector', 'functions', 'tree', 'help']) {
				await page.run(tab => fg.tab(tab), tab);
				for (const line of await page.run(violations)) all.push(`${look}, ${tab}: ${line}`);
			}
		}
		if (all.length) throw new Error(all.join('\n'));
	};
suite(tests);
