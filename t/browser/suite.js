/*
 * suite: browser tests with TAP output. The argument of a test file is the directory of SVGs; the
 * file passes its tests to suite(). A test fails when it throws, or when one of its pages logs an
 * error.
 */
'use strict';
const path = require('node:path');
const {Browser} = require('./browser.js');

async function suite(tests) {
	const browser = await Browser.start();
	let n = 0,
		failed = 0;
	for (const [name, body] of Object.entries(tests)) {
		const pages = [];
		const open = async (picture, options = {}) => {
			const page = await browser.open(
				/^[a-z]+:/.test(picture) ? picture : path.join(process.argv[2], picture),
				options
			);
			pages.push(page);
			return page;
		};
		let trouble = '';
		try {
			await body(open);
			trouble = pages.flatMap(page => page.errors).join('\n');
		} catch (error) {
			trouble = error.stack;
		}
		for (const page of pages) {
			/* The next test starts without the choices of this one. */
			await page.run('try { localStorage.clear() } catch {}').catch(() => {});
			await page.close();
		}
		n++;
		failed += trouble ? 1 : 0;
		console.log(`${trouble ? 'not ok' : 'ok'} ${n} - ${name}`);
		if (trouble) console.log(trouble.replace(/^/gm, '# '));
	}
	console.log(`1..${n}`);
	await browser.close();
	process.exitCode = failed ? 1 : 0;
}

module.exports = {suite};
