/*
 * browser: a headless Chromium for the tests, over the DevTools protocol on two pipes
 * (descriptors 3 and 4), which needs no library.
 *
 *	const browser = await Browser.start();
 *	const page = await browser.open(file, {width: 1280, height: 800});
 *	await page.run(() => fg.zoom('all;main'));
 */
'use strict';
const {spawn, spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {pathToFileURL} = require('node:url');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const STARTING = 600000;
const CALL = 600000;

/* All browser processes end with the tests, however these end. */
const children = [];

function endWith(child) {
	children.push(child);
	if (children.length > 1) return;
	process.on('exit', () => {
		for (const {pid} of children)
			try {
				process.kill(-pid, 'SIGKILL');
			} catch {
				/* The process has ended. */
			}
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
		process.on(signal, () => process.exit(1));
}

class Browser {
	static async start() {
		const name = NAMES.find(
			n => spawnSync('sh', ['-c', `command -v ${n}`]).status === 0
		);
		if (!name) throw new Error('no Chromium');
		const browser = new Browser();
		browser.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fg-browser-'));
		browser.process = spawn(
			name,
			[
				'--headless=new',
				'--no-sandbox',
				'--disable-gpu',
				'--disable-dev-shm-usage',
				'--no-first-run',
				'--disable-extensions',
				'--disable-background-networking',
				'--hide-scrollbars',
				'--remote-debugging-pipe',
				`--user-data-dir=${browser.profile}`,
				'about:blank'
			],
			{stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true}
		);
		endWith(browser.process);
		browser.calls = new Map();
		browser.pages = new Map();
		browser.number = 0;
		let rest = '';
		browser.process.stdio[4].setEncoding('utf8').on('data', data => {
			const messages = (rest + data).split('\0');
			rest = messages.pop();
			for (const message of messages) browser.receive(JSON.parse(message));
		});
		await Promise.race([
			browser.call('Browser.getVersion'),
			new Promise((_, fail) =>
				setTimeout(
					fail,
					STARTING,
					new Error('Chromium does not start')
				).unref()
			)
		]);
		return browser;
	}

	receive({id, sessionId, method, params, result, error}) {
		if (id) {
			const {done, fail} = this.calls.get(id);
			this.calls.delete(id);
			if (error) fail(new Error(error.message));
			else done(result);
		} else {
			this.pages.get(sessionId)?.event(method, params);
		}
	}

	call(method, params = {}, sessionId) {
		const id = ++this.number;
		return new Promise((done, fail) => {
			/* The timer must not keep this process alive: a closed browser never answers. */
			setTimeout(fail, CALL, new Error(`${method}: no answer`)).unref();
			this.calls.set(id, {done, fail});
			this.process.stdio[3].write(
				JSON.stringify({id, method, params, sessionId}) + '\0'
			);
		});
	}

	/* Opens a file or URL in a new page, and waits until it has loaded. */
	async open(
		file,
		{
			width = 1280,
			height = 800,
			dark = false,
			touch = false,
			script = true,
			rest = false, /* without the first input, at which the viewer may start */
			before = ''
		} = {}
	) {
		const {targetId} = await this.call('Target.createTarget', {url: 'about:blank'});
		const {sessionId} = await this.call('Target.attachToTarget', {
			targetId,
			flatten: true
		});
		const page = new Page(this, sessionId, targetId, rest);
		this.pages.set(sessionId, page);
		for (const domain of ['Page', 'Runtime', 'Log'])
			await page.call(domain + '.enable');
		await page.call('Emulation.setDeviceMetricsOverride', {
			width,
			height,
			deviceScaleFactor: 1,
			mobile: touch
		});
		await page.media({'prefers-color-scheme': dark ? 'dark' : 'light'});
		await page.call('Emulation.setScriptExecutionDisabled', {value: !script});
		await page.call('Emulation.setTouchEmulationEnabled', {enabled: touch});
		if (before)
			await page.call('Page.addScriptToEvaluateOnNewDocument', {source: before});
		await page.go(
			/^[a-z]+:/.test(file) ? file : pathToFileURL(path.resolve(file)).href
		);
		return page;
	}

	async close() {
		const gone = new Promise(done => this.process.on('exit', done));
		this.call('Browser.close').catch(() => {});
		await Promise.race([gone, new Promise(done => setTimeout(done, 5000).unref())]);
		fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
	}
}

class Page {
	constructor(browser, session, target, rest) {
		Object.assign(this, {browser, session, target, rest, errors: [], waiting: []});
	}

	call(method, params) {
		return this.browser.call(method, params, this.session);
	}

	event(method, params) {
		if (method === 'Runtime.exceptionThrown')
			this.errors.push(
				params.exceptionDetails.exception?.description ||
					params.exceptionDetails.text
			);
		else if (method === 'Log.entryAdded' && params.entry.level === 'error')
			this.errors.push(params.entry.text);
		this.waiting = this.waiting.filter(
			({wanted, done}) => wanted !== method || done(params)
		);
	}

	once(wanted) {
		return new Promise(done => this.waiting.push({wanted, done}));
	}

	async go(url) {
		const loaded = this.once('Page.loadEventFired');
		await this.call('Page.navigate', {url});
		await loaded;
		if (!this.rest) await this.wake();
	}

	/* The first input, a key without a meaning, starts the viewer of a picture at rest. */
	async wake() {
		const waits = 'Boolean(window.fg?.start && !fg.state)';
		if (!(await this.run(waits))) return;
		await this.key('Shift');
		await this.until(`!${waits}`);
	}

	async reload() {
		const loaded = this.once('Page.loadEventFired');
		await this.call('Page.reload');
		await loaded;
		if (!this.rest) await this.wake();
	}

	media(features) {
		return this.call('Emulation.setEmulatedMedia', {
			features: Object.entries(features).map(([name, value]) => ({name, value}))
		});
	}

	/*
	 * Evaluates an expression or a function (with arguments that JSON can represent) in the
	 * page; returns its value.
	 */
	async run(what, ...args) {
		const expression =
			typeof what === 'function' ? `(${what})(...${JSON.stringify(args)})` : what;
		const {result, exceptionDetails} = await this.call('Runtime.evaluate', {
			expression,
			awaitPromise: true,
			returnByValue: true,
			userGesture: true
		});
		if (exceptionDetails)
			throw new Error(
				exceptionDetails.exception?.description || exceptionDetails.text
			);
		return result.value;
	}

	/*
	 * Presses a key: a letter, or a name such as Enter; modifiers: Alt 1, Control 2, Meta 4,
	 * Shift 8.
	 */
	async key(key, modifiers = 0) {
		const text =
			key.length === 1 && !modifiers ? key : key === 'Enter' ? '\r' : undefined;
		await this.call('Input.dispatchKeyEvent', {type: 'keyDown', key, text, modifiers});
		await this.call('Input.dispatchKeyEvent', {type: 'keyUp', key, modifiers});
	}

	type(text) {
		return this.call('Input.insertText', {text});
	}

	mouse(type, x, y, more) {
		return this.call('Input.dispatchMouseEvent', {type, x, y, ...more});
	}

	async click(x, y, modifiers = 0) {
		await this.mouse('mouseMoved', x, y);
		for (const type of ['mousePressed', 'mouseReleased'])
			await this.mouse(type, x, y, {button: 'left', clickCount: 1, modifiers});
	}

	async tap(x, y) {
		await this.call('Input.dispatchTouchEvent', {
			type: 'touchStart',
			touchPoints: [{x, y}]
		});
		await this.call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
	}

	/* Waits until a condition holds in the page. */
	async until(what, ...args) {
		for (let tries = 0; tries < 15000; tries++) {
			const value = await this.run(what, ...args);
			if (value) return value;
			await new Promise(done => setTimeout(done, 20));
		}
		throw new Error(`never: ${what}`);
	}

	async screenshot(file) {
		const {data} = await this.call('Page.captureScreenshot', {format: 'png'});
		fs.writeFileSync(file, Buffer.from(data, 'base64'));
	}

	close() {
		this.browser.pages.delete(this.session);
		return this.browser.call('Target.closeTarget', {targetId: this.target});
	}
}

module.exports = {Browser, endWith};
