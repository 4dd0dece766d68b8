/*
 * The viewer in Firefox, controlled over Marionette, Firefox's protocol: the checks of basics.js
 * for Chromium. Arguments: the command that starts Firefox, the directory of SVGs.
 */
'use strict';
const assert = require('node:assert');
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const {pathToFileURL} = require('node:url');
const {endWith} = require('./browser.js');

const TRIES = 3000;

const sleep = time => new Promise(done => setTimeout(done, time));

const freePort = () =>
	new Promise(done => {
		const server = net.createServer().listen(0, '127.0.0.1', () => {
			const {port} = server.address();
			server.close(() => done(port));
		});
	});

/* Messages are "LENGTH:JSON", [0, id, command, parameters] and [1, id, error, result]. */
class Marionette {
	static async connect(port) {
		for (let tries = 0; tries < TRIES; tries++) {
			const socket = net.connect(port, '127.0.0.1');
			const open = await new Promise(done =>
				socket
					.once('connect', () => done(true))
					.once('error', () => done(false))
			);
			if (open) return new Marionette(socket);
			await sleep(100);
		}
		throw new Error('Firefox does not answer');
	}

	constructor(socket) {
		Object.assign(this, {socket, id: 0, waiting: new Map()});
		let rest = Buffer.alloc(0);
		socket.on('data', data => {
			rest = Buffer.concat([rest, data]);
			for (let colon; (colon = rest.indexOf(':')) > 0;) {
				const end = colon + 1 + Number(rest.subarray(0, colon));
				if (rest.length < end) return;
				const message = JSON.parse(rest.subarray(colon + 1, end));
				rest = rest.subarray(end);
				if (Array.isArray(message)) this.waiting.get(message[1])(message);
			}
		});
	}

	call(command, parameters = {}) {
		const text = JSON.stringify([0, ++this.id, command, parameters]);
		return new Promise((done, fail) => {
			this.waiting.set(this.id, ([, , error, result]) =>
				error
					? fail(new Error(`${command}: ${error.message}`))
					: done(result)
			);
			this.socket.write(`${Buffer.byteLength(text)}:${text}`);
		});
	}

	/* Evaluates an expression in the page; returns its value by way of JSON. */
	async run(expression) {
		const script = `return JSON.stringify(window.eval(${JSON.stringify(expression)}))`;
		return JSON.parse(
			(await this.call('WebDriver:ExecuteScript', {script, args: []})).value ??
				null
		);
	}
}

async function main() {
	const [command, folder] = process.argv.slice(2);
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fg-firefox-')),
		port = await freePort();
	fs.writeFileSync(path.join(profile, 'user.js'), `user_pref("marionette.port", ${port});\n`);
	const firefox = spawn(
		command,
		['--headless', '--marionette', '--no-remote', '--profile', profile],
		{stdio: 'ignore', detached: true, env: {...process.env, HOME: profile}}
	);
	endWith(firefox);
	const page = await Marionette.connect(port);
	await page.call('WebDriver:NewSession');
	const rest = (picture, hash = '') =>
		page.call('WebDriver:Navigate', {
			url: pathToFileURL(path.join(folder, picture)).href + hash
		});
	/* A movement of the pointer starts the viewer of a picture at rest. */
	const wake = async () => {
		for (const x of [300, 310])
			await page.call('WebDriver:PerformActions', {
				actions: [{
					type: 'pointer',
					id: 'mouse',
					parameters: {pointerType: 'mouse'},
					actions: [{type: 'pointerMove', duration: 0, x, y: 200}]
				}]
			});
		for (let tries = 0; tries < TRIES && !(await page.run('Boolean(window.fg?.state)')); tries++) await sleep(20);
	};
	const open = async (...args) => {
		await rest(...args);
		await wake();
	};
	let n = 0,
		failed = 0;
	const test = async (name, body) => {
		let trouble = '';
		await body().catch(error => (trouble = error.stack));
		/* A page remembers for the next one, which belongs to another test. */
		await page.run('void localStorage.clear()').catch(() => {});
		failed += trouble ? 1 : 0;
		console.log(`${trouble ? 'not ok' : 'ok'} ${++n} - Firefox: ${name}`);
		if (trouble) console.log(trouble.replace(/^/gm, '# '));
	};
	await test('nothing runs before the first input', async () => {
		await rest('plain.svg');
		await sleep(300);
		assert.deepEqual(await page.run('[Object.keys(fg).join(), document.querySelectorAll("foreignObject").length]'), ['start', 0]);
	});
	await test('a picture opens from a file and becomes live', async () => {
		await wake();
		assert.equal(await page.run('fg.state().total'), 100);
		assert.ok((await page.run('document.querySelectorAll(".labels text").length')) > 4);
	});
	await test('it zooms, searches, and keeps that in its URL', async () => {
		await page.run('fg.zoom("server;main;parse") && 0');
		assert.deepEqual(await page.run('fg.search("^read$")'), {
			count: 1,
			share: 0.5,
			at: 0
		});
		/* The URL is updated once the view no longer changes. */
		const until = Date.now() + 600000;
		while (!(await page.run('/search=/.test(location.hash)')))
			assert.ok(Date.now() < until, 'the address is not written');
		await page.call('WebDriver:Refresh');
		assert.deepEqual(await page.run('fg.state().zoom'), ['server', 'main', 'parse']);
		assert.equal(await page.run('fg.state().search'), '^read$');
	});
	await test('views, panels and the way back', async () => {
		await open('plain.svg');
		await page.run('fg.toggle("flip"), fg.tab("functions"), fg.sandwich("read"), 0');
		assert.equal(await page.run('fg.state().total'), 50);
		assert.ok((await page.run('document.querySelectorAll(".lines .line").length')) > 3);
		await page.run('fg.undo(), fg.undo(), 0');
		assert.equal(await page.run('fg.state().flip'), false);
	});
	await test('what is saved is what is shown: of callers and callees, and of a range', async () => {
		await open('plain.svg');
		assert.equal(
			await page.run('fg.sandwich("read"), fg.folded()'),
			'server;main;parse;read 20\nserver;main;write;read 30\n'
		);
		assert.equal(
			await page.run('fg.reset(), fg.window(0, 8), fg.folded()'),
			'server;idle 6\nserver;main 2\n'
		);
	});
	await test('the panel opens on the summary, a selected frame on the inspector', async () => {
		await open('plain.svg', '#');
		assert.ok((await page.run('document.querySelectorAll(".panel p a").length')) > 3);
		await page.run('fg.select("server;main;parse"), 0');
		assert.equal(await page.run('document.querySelector(".panel h2").textContent'), 'parse');
	});
	await test('a row of the list is selected, and commands act on it', async () => {
		await page.run('fg.tab("functions"), document.querySelector(".lines .line").click(), 0');
		assert.equal(await page.run('fg.state().selected.at(-1)'), 'read');
		await page.run('document.querySelector(".panel [value=D]").click(), 0');
		assert.equal(await page.run('fg.state().total'), 50);
	});
	await test('a view is a command', async () => {
		assert.equal(
			await page.run('fg.command().line'),
			"fg-filter --drop '^read$' FILE | fg-render"
		);
		assert.match(await page.run('fg.hide("(?:x)", "match")'), /programs read \(\? differently/);
	});
	await test('the call tree, and the heaviest first', async () => {
		await page.run('fg.reset(), fg.tab("tree"), 0');
		assert.match(await page.run('document.querySelector(".calls .line").textContent'), /server/);
		await page.run('document.querySelector(".sheet [value=w]").click(), 0');
		assert.equal(await page.run('fg.state().order'), 'weight');
	});
	await test('a picture opened from a file may have a worker, which decodes a large one', async () => {
		await open('huge.svg');
		assert.deepEqual(await page.run('[fg.state().frames, fg.state().total]'), [102342, 32640000]);
		await page.run(`(window.asked = new Worker(URL.createObjectURL(new Blob(['postMessage(7)'])))).onmessage = ({data}) => (window.answer = data), 0`);
		for (let tries = 0; tries < TRIES && !(await page.run('window.answer')); tries++) await sleep(20);
		assert.equal(await page.run('window.answer'), 7);
	});
	await test('a deep link shows its frame', async () => {
		await page.run('fg.reset(), 0');
		await open('deep.svg', '#zoom=' + Array.from({length: 300}, (_, i) => '%3Blevel_' + i).join(''));
		assert.ok(
			await page.run(
				`Array.from(document.querySelectorAll('.labels text')).some(e => {
					const box = e.getBoundingClientRect(), graph = document.querySelector('.graph').getBoundingClientRect();
					return e.textContent === 'level_299' && box.top >= graph.top && box.bottom <= graph.bottom;
				})`
			)
		);
	});
	await test('a range of time', async () => {
		await open('times.svg');
		assert.equal(
			await page.run('fg.time(3, 5), fg.folded()'),
			'main;part_3 1\nmain;part_4 1\n'
		);
		assert.match(await page.run('document.querySelector(".brush").getAttribute("d")'), /^M/);
	});
	console.log(`1..${n}`);
	await page.call('Marionette:Quit', {flags: ['eForceQuit']}).catch(() => {});
	await Promise.race([
		new Promise(done =>
			firefox.exitCode === null ? firefox.on('exit', done) : done()
		),
		sleep(5000)
	]);
	fs.rmSync(profile, {recursive: true, force: true, maxRetries: 5});
	process.exit(failed ? 1 : 0);
}

main().catch(error => {
	console.log(`Bail out! ${error.message}`);
	process.exit(1);
});
