/*
 * First use of the viewer: it becomes interactive, shows details, zooms, searches, and stores its
 * state in the URL.
 */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

/* The position of a frame's label in the window. */
const labelAt = (page, text) =>
	page.run(wanted => {
		const label = Array.from(document.querySelectorAll('.labels text')).find(
			e => e.textContent === wanted
		);
		const {x, y, width, height} = label.getBoundingClientRect();
		return [x + width / 2, y + height / 2];
	}, text);

suite({
	'a picture opens from a file and becomes live': async open => {
		const page = await open('plain.svg');
		assert.equal(
			await page.run(() => document.querySelector('#fg-static').getBoundingClientRect().width),
			0
		);
		assert.equal(await page.run(() => fg.state().frames), 10);
		assert.equal(await page.run(() => fg.state().total), 100);
	},
	'hovering tells of a frame': async open => {
		const page = await open('plain.svg');
		await page.mouse('mouseMoved', ...(await labelAt(page, 'parse')));
		await page.until(
			() =>
				document.querySelector('.status').textContent ===
				'parse: 40 samples, 40.00 % of all, self 10.00 %'
		);
	},
	'a click zooms, and zooms out again': async open => {
		const page = await open('plain.svg');
		await page.click(...(await labelAt(page, 'parse')));
		assert.deepEqual(await page.run(() => fg.state().zoom), [
			'server',
			'main',
			'parse'
		]);
		assert.match(
			await page.run(() => document.querySelector('.status').textContent),
			/^parse: .* of the zoom/
		);
		await page.click(...(await labelAt(page, 'server')));
		assert.deepEqual(await page.run(() => fg.state().zoom), ['server']);
		await page.run(() => fg.reset());
		assert.deepEqual(await page.run(() => fg.state().zoom), []);
	},
	'a search says how much it matches': async open => {
		const page = await open('plain.svg');
		const found = await page.run(() => fg.search('^read$'));
		assert.deepEqual(found, {count: 2, share: 0.5, at: 0});
		assert.equal(
			await page.run(() => document.querySelector('.found').textContent),
			'2 · 50.00 %'
		);
		assert.equal((await page.run(() => fg.search('samples'))).count, 0);
	},
	'zoom and search are in the URL': async open => {
		const page = await open('plain.svg');
		await page.run(() => fg.zoom('server;main;parse'));
		await page.run(() => fg.search('read'));
		/* The URL is updated once the view no longer changes. */
		await page.until(() => location.hash === '#zoom=%3Bserver%3Bmain%3Bparse&search=read');
		await page.reload();
		const {zoom, matches} = await page.run(() => fg.state());
		assert.deepEqual(zoom, ['server', 'main', 'parse']);
		assert.deepEqual(matches, {count: 1, share: 0.5, at: 0});
	}
});
