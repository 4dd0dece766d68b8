/* The viewer's history: undo, the back button, the URL, links and reload. */
'use strict';
const assert = require('node:assert');
const {suite} = require('./suite.js');

const state = page => page.run(() => fg.state());

async function pressed(page, key) {
	await page.key(key);
	return state(page);
}

suite({
	'u and U undo and redo': async open => {
		const page = await open('notes.svg');
		await page.run(() => fg.hide('fib'));
		await page.run(() => fg.zoom('app;main'));
		let now = await pressed(page, 'u');
		assert.deepEqual([now.zoom, now.filters.length], [[], 1]);
		now = await pressed(page, 'u');
		assert.equal(now.filters.length, 0);
		await page.key('U');
		now = await pressed(page, 'U');
		assert.deepEqual([now.zoom, now.filters.length], [['app', 'main'], 1]);
	},
	'the back and forward buttons walk the same steps': async open => {
		const page = await open('notes.svg');
		await page.run(() => fg.zoom('app;main'));
		await page.run(() => fg.toggle('recursion'));
		await page.run(() => history.back());
		await page.until(() => !fg.state().recursion);
		await page.run(() => history.back());
		await page.until(() => fg.state().zoom.length === 0);
		await page.run(() => history.forward());
		await page.until(() => fg.state().zoom.length === 2);
	},
	'quick steps are one of the back button, written when the view rests or is left': async open => {
		const page = await open('notes.svg');
		const steps = () => page.run(() => history.length);
		const before = await steps();
		await page.run(() => {
			fg.zoom('app;main');
			fg.toggle('recursion');
			fg.search('lex');
		});
		assert.equal(await steps(), before + 1);
		await page.key('F5');
		assert.deepEqual(
			[await steps(), await page.run(() => /search=lex/.test(location.hash) && /recursion=true/.test(location.hash))],
			[before + 2, true]
		);
		await page.run(() => history.back());
		await page.until(() => !fg.state().search && !fg.state().recursion && fg.state().zoom.length === 2);
		await page.run(() => fg.undo());
		await page.until(() => fg.state().search === 'lex');
		await page.run(() => void fg.toggle('reverse'));
		await page.until(() => /reverse=true/.test(location.hash));
	},
	'each step is one of the back button, also before the address is written': async open => {
		const page = await open('notes.svg');
		const slowly = what => page.run(`new Promise(done => setTimeout(done, 700)).then(() => void (${what}))`);
		await page.run(() => fg.zoom('app;main'));
		await slowly("fg.toggle('recursion')");
		await slowly("fg.search('lex')");
		await slowly("fg.hide('idle')");
		await page.run(() => history.back());
		await page.until(() => !fg.state().filters.length && fg.state().search === 'lex');
		await page.run(() => history.back());
		await page.until(() => !fg.state().search && fg.state().recursion);
		await page.run(() => history.forward());
		await page.until(() => fg.state().search === 'lex' && fg.state().recursion);
	},
	'whoever leaves the picture finds the address written': async open => {
		const page = await open('notes.svg');
		await page.run(() => fg.zoom('app;main'));
		for (const [what, on] of [
			['blur', 'window'],
			['pagehide', 'window'],
			['pointerleave', 'document.documentElement'],
			['visibilitychange', 'document']
		])
			assert.equal(
				await page.run(`fg.search('${what}'), ${on}.dispatchEvent(new Event('${what}')), location.hash`),
				'#zoom=%3Bapp%3Bmain&search=' + what
			);
	},
	'everything comes back on reload': async open => {
		const page = await open('notes.svg');
		await page.run(() => {
			fg.zoom('app;main');
			fg.mode('function');
			fg.toggle('recursion');
			fg.toggle('flip');
			fg.hide('idle');
			fg.tab('functions');
			fg.search('lex|write');
		});
		const before = await state(page);
		await page.until(() => /search=/.test(location.hash));
		await page.reload();
		assert.deepEqual(
			{...(await state(page)), selected: null},
			{...before, selected: null}
		);
	},
	'what a link says of another picture falls back': async open => {
		const page = await open('notes.svg');
		await page.run(
			() =>
				(location.hash =
					'#zoom=%3Bapp%3Bgone&mode=nonsense&view=head&filters=%3Bevil&sandwich=none&tab=x&range=%3B9%3B-1')
		);
		await page.until(() => fg.state().zoom.length);
		const now = await state(page);
		assert.deepEqual(
			[now.mode, now.view, now.filters, now.sandwich, now.tab, now.total],
			['origin', '', [], '', 'summary', 100]
		);
	}
});
