/*
 * Ten tasks of readers, done with real clicks and keys, which are counted. A test fails if the answer
 * is not on the page after them, or if there are more of them.
 */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

/* A reader of a page, who counts. */
class Reader {
	constructor(page) {
		Object.assign(this, {page, clicks: 0, keys: 0});
	}

	async key(...keys) {
		for (const key of keys) {
			this.keys++;
			await this.page.key(key);
		}
	}

	/* Clicks the middle of the element of a selector whose text begins so. */
	async click(selector, text = '', modifiers = 0) {
		const at = await this.page.until(
			(selector, text) => {
				const e = Array.from(document.querySelectorAll(selector)).find(e => e.textContent.trim().startsWith(text)),
					box = e?.getBoundingClientRect();
				return box?.width && [box.left + Math.min(box.width / 2, 20), box.top + box.height / 2];
			},
			selector,
			text
		);
		this.clicks++;
		await this.page.click(...at, modifiers);
	}

	async drag(from, to) {
		const press = {button: 'left', buttons: 1, clickCount: 1};
		this.clicks++;
		await this.page.mouse('mouseMoved', ...from);
		await this.page.mouse('mousePressed', ...from, press);
		await this.page.mouse('mouseMoved', (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, press);
		await this.page.mouse('mouseMoved', ...to, press);
		await this.page.mouse('mouseReleased', ...to, press);
	}

	sees(what, ...args) {
		return this.page.until(what, ...args);
	}
}

const texts = selector => Array.from(document.querySelectorAll(selector), e => e.textContent);

/* Name: [picture, clicks, keys, the acts of the reader]. */
const TASKS = {
	'the hottest function': ['service', 0, 0, async r => {
		await r.sees(`/Most self time: memcpy 40.0 %/.test((${texts})('.panel p').join(' '))`);
	}],
	'who calls malloc': ['service', 1, 8, async r => {
		await r.key('/', ...'malloc', 'Enter');
		await r.click('.panel button', 'Callers');
		await r.sees(`fg.state().sandwich === 'malloc'`);
		await r.sees(`['parse', 'reply'].every(name => (${texts})('.labels text').includes(name))`);
	}],
	'hide a runtime': ['script', 1, 0, async r => {
		await r.click('.legend button', 'python');
		await r.sees(`!/_start|PyEval/.test(fg.folded())`);
	}],
	'only my code': ['service', 0, 1, async r => {
		await r.key('O');
		await r.sees(`!/memcpy|malloc|sys_read/.test(fg.folded()) && fg.folded().includes('parse')`);
	}],
	'base against head': ['compared', 0, 1, async r => {
		await r.key('B');
		await r.sees(`['base', 'head'].every(side => (${texts})('.labels text').some(text => text.endsWith(side)))`);
	}],
	'what became slower': ['compared', 0, 0, async r => {
		await r.sees(`(${texts})('.ranking tr')[0]?.includes('parse')`);
	}],
	'zoom and back': ['service', 1, 1, async r => {
		await r.click('.labels text', 'parse');
		await r.sees(`fg.state().zoom.join(';') === 'main;parse'`);
		await r.key('Backspace');
		await r.sees(`fg.state().zoom.join(';') === 'main'`);
	}],
	'search by a pattern': ['service', 0, 9, async r => {
		await r.key('/', ...'^mem|^sy');
		await r.sees(`/^4/.test(document.querySelector('.found').textContent)`);
	}],
	'share the view': ['service', 0, 2, async r => {
		await r.key('r', 'L');
		await r.sees(`/^#.*reverse=true/.test(location.hash)`);
	}],
	'a range of time': ['times', 1, 0, async r => {
		const cell = column =>
			r.page.run(column => {
				const {left, top, width, height} = document.querySelector('.cells').getBoundingClientRect();
				return [left + (width * (column + 0.5)) / 20, top + height / 2];
			}, column);
		await r.drag(await cell(2), await cell(6));
		await r.sees(`fg.state().time.length === 2 && !fg.folded().includes('late')`);
	}]
};

suite(
	Object.fromEntries(
		Object.entries(TASKS).map(([name, [picture, clicks, keys, act]]) => [
			`${name}: ${clicks} click${clicks === 1 ? '' : 's'}, ${keys} key${keys === 1 ? '' : 's'}`,
			async open => {
				const reader = new Reader(await open(picture + '.svg'));
				await act(reader);
				assert.deepEqual([reader.clicks, reader.keys], [clicks, keys]);
			}
		])
	)
);
