/*
 * What is saved equals what is shown: random sequences of all gestures; each step is compared with
 * a reference that works on a list of separate stacks.
 */
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {suite} = require('./suite.js');

const SEQUENCES = 8;
const STEPS = 14;

function generator(seed) {
	return n => {
		seed = (seed + 0x6d2b79f5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) % n;
	};
}

/* [{frames, values}] of a folded file. */
const read = text =>
	text
		.split('\n')
		.filter(line => line && !line.startsWith('# '))
		.map(line => {
			const m = /^(.*?)((?: [0-9.]+)+)$/.exec(line);
			return {frames: m[1].split(';'), values: m[2].trim().split(' ').map(Number)};
		});

const bare = frame => frame.replace(/(_\[[kjilwp]\])+( \([^()]*:\d+\))?$/, '$2');
const functionOf = frame => bare(frame).replace(/ \(([^()]*):\d+\)$/, ' ($1)').replace(/(_\[[kjilwp]\])+$/, '');
const moduleOf = frame => (bare(frame).includes('`') ? bare(frame).split('`')[0] : '');
const SYSTEM = /_\[k\]$|^libc`|^_start$/;

/* Bytes are the characters of patterns. */
const octets = text => Buffer.from(text).toString('latin1');

const matches = ({kind, name}) =>
	kind === 'function'
		? frame => functionOf(frame) === name
		: kind === 'native'
			? frame => !/\.py:\d+\)_\[p\]$/.test(frame)
			: kind === 'module'
			? frame => moduleOf(frame) === name
			: frame => new RegExp(name).test(octets(frame)) || new RegExp(name).test(octets(bare(frame)));

const bytewise = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function inOrder(a, b) {
	for (let i = 0; i < a.length && i < b.length; i++) {
		const by = bytewise(a[i], b[i]);
		if (by) return by;
	}
	return a.length - b.length;
}

/* Equal stacks added up, in canonical order. */
function merged(stacks) {
	const known = new Map();
	for (const {frames, values} of stacks) {
		if (!frames.length) continue;
		const key = frames.join(';');
		if (known.has(key)) values.forEach((v, c) => (known.get(key).values[c] += v));
		else known.set(key, {frames, values: values.slice()});
	}
	return Array.from(known.values()).sort((a, b) => inOrder(a.frames, b.frames));
}

const begins = (frames, path) => path.every((name, i) => frames[i] === name);

class Reference {
	constructor(stacks, wide) {
		Object.assign(this, {stacks, wide});
		this.state = {filters: [], system: true, recursion: false, reverse: false, sandwich: '', flip: false, zoom: [], range: []};
		this.past = [];
		this.future = [];
	}

	change(patch) {
		const before = JSON.stringify(this.state);
		const after = {...this.state, ...patch};
		if (JSON.stringify(after) === before) return;
		this.past.push(this.state);
		this.future = [];
		this.state = after;
	}

	filtered() {
		const {filters, system, recursion} = this.state;
		let stacks = this.stacks;
		const steps = [...filters];
		if (!system) steps.push({what: 'hide', kind: 'system'});
		for (const step of steps) {
			const hit = step.kind === 'system' ? frame => SYSTEM.test(frame) : matches(step);
			if (step.what === 'focus') stacks = stacks.filter(s => s.frames.some(hit));
			else if (step.what === 'drop') stacks = stacks.filter(s => !s.frames.some(hit));
			else stacks = stacks.map(s => ({...s, frames: s.frames.filter(f => !hit(f))}));
		}
		if (recursion)
			stacks = stacks.map(s => ({...s, frames: s.frames.filter((f, i) => f !== s.frames[i - 1])}));
		return merged(stacks);
	}

	/* {axis: stacks as the graph has them from left to right, whole: what each is part of}. */
	shown() {
		const {reverse, sandwich} = this.state,
			stacks = this.filtered();
		if (sandwich) {
			const through = stacks
				.map(s => ({...s, at: s.frames.findIndex(f => functionOf(f) === sandwich)}))
				.filter(s => s.at >= 0);
			const below = s => s.frames.slice(s.at + 1);
			const axis = merged(through.map(s => ({frames: ['*', ...below(s)], values: s.values})));
			axis.forEach(a => a.frames.shift());
			return {axis, parts: through.map(s => ({...s, key: below(s).join(';')}))};
		}
		const axis = reverse
			? merged(stacks.map(s => ({...s, frames: s.frames.slice().reverse()})))
			: stacks;
		return {axis, parts: axis.map(s => ({...s, key: s.frames.join(';')}))};
	}

	/* The zoomed path as far as it goes, and the window on the axis. */
	window({axis}) {
		const path = [];
		for (const name of this.state.zoom) {
			if (!axis.some(s => begins(s.frames, [...path, name]))) break;
			path.push(name);
		}
		let [lo, hi] = this.extent(axis, path);
		const [from, to] = this.state.range.map(Number);
		if (this.state.range.length) {
			const span = hi - lo,
				start = lo,
				end = hi;
			lo = Math.min(Math.round(start + span * from), end - 1);
			hi = Math.min(end, Math.max(Math.round(start + span * to), lo + 1));
			lo = Math.max(lo, start);
		}
		return {path, lo, hi};
	}

	extent(axis, path) {
		let at = 0,
			lo = -1,
			hi = -1;
		for (const s of axis) {
			if (begins(s.frames, path)) {
				if (lo < 0) lo = at;
				hi = at + this.wide(s.values);
			}
			at += this.wide(s.values);
		}
		return lo < 0 ? [0, at] : [lo, hi];
	}

	/* What is to be saved: [stack, values, whether these are exact]. */
	saved() {
		const shown = this.shown(),
			{path, lo, hi} = this.window(shown),
			share = new Map();
		let at = 0;
		for (const s of shown.axis) {
			const w = this.wide(s.values);
			const inside = w
				? Math.max(0, Math.min(hi, at + w) - Math.max(lo, at)) / w
				: at >= lo && (at < hi || hi === this.extent(shown.axis, path)[1])
					? 1
					: 0;
			share.set(s.frames.join(';'), begins(s.frames, path) ? inside : 0);
			at += w;
		}
		return shown.parts
			.filter(p => share.get(p.key) > 0)
			.map(p => [p.frames.join(';'), p.values.map(v => v * share.get(p.key)), share.get(p.key) === 1]);
	}

	/* The deepest frame around a window, and the window as a part of it. */
	take(lo, hi) {
		const {axis} = this.shown(),
			path = [];
		for (;;) {
			const next = new Set(axis.filter(s => begins(s.frames, path)).map(s => s.frames[path.length]));
			next.delete(undefined);
			const name = Array.from(next).find(n => {
				const [a, b] = this.extent(axis, [...path, n]);
				return a <= lo && b >= hi;
			});
			if (name === undefined) break;
			path.push(name);
		}
		const [a, b] = this.extent(axis, path),
			range = hi - lo >= (b - a) * 0.9999 ? [] : [(lo - a) / (b - a), (hi - a) / (b - a)];
		this.change({zoom: path, range: range.map(v => v.toPrecision(12))});
	}
}

const GESTURES = {
	zoom(r, random) {
		const {axis} = r.shown();
		if (!axis.length) return null;
		const {frames} = axis[random(axis.length)],
			to = frames.slice(0, 1 + random(frames.length));
		r.change({zoom: to, range: []});
		return `fg.zoom(${JSON.stringify(to)})`;
	},
	out(r) {
		if (r.state.range.length) r.change({range: []});
		else r.change({zoom: r.window(r.shown()).path.slice(0, -1)});
		return 'fg.out()';
	},
	window(r, random) {
		const {axis} = r.shown(),
			whole = axis.reduce((sum, s) => sum + r.wide(s.values), 0);
		if (whole < 2) return null;
		const lo = random(whole - 1),
			hi = lo + 1 + random(whole - lo - 1);
		r.take(lo, hi);
		return `fg.window(${lo}, ${hi})`;
	},
	filter(r, random) {
		const what = ['focus', 'hide', 'drop', 'hide'][random(4)],
			all = r.stacks.flatMap(s => s.frames),
			frame = all[random(all.length)];
		const kind = ['function', 'function', 'module', 'match'][random(4)];
		const name =
			kind === 'function'
				? functionOf(frame)
				: kind === 'module'
					? moduleOf(frame)
					: ['^p', 'a|b', '_\\[l\\]$', '[a-f]o', 'x.*y', '^.$'][random(6)];
		const entry = {what, kind, name};
		if (!name || !all.some(matches(entry))) return `fg.${what}(${JSON.stringify(name)}, '${kind}')`;
		if (!r.state.filters.some(f => JSON.stringify(f) === JSON.stringify(entry)))
			r.change({filters: [...r.state.filters, entry]});
		/* A function may be asked for by any of its frames. */
		return `fg.${what}(${JSON.stringify(kind === 'function' ? frame : name)}, '${kind}')`;
	},
	system(r) {
		r.change({system: !r.state.system});
		return `fg.toggle('system')`;
	},
	native(r) {
		const on = r.state.filters.filter(f => f.kind !== 'native');
		if (on.length === r.state.filters.length) on.push({what: 'hide', kind: 'native'});
		r.change({filters: on});
		return 'fg.native()';
	},
	recursion(r) {
		r.change({recursion: !r.state.recursion});
		return `fg.toggle('recursion')`;
	},
	reverse(r) {
		r.change({reverse: !r.state.reverse, zoom: [], range: []});
		return `fg.toggle('reverse')`;
	},
	sandwich(r, random) {
		const all = r.stacks.flatMap(s => s.frames),
			frame = all[random(all.length)];
		const to = r.state.sandwich ? '' : functionOf(frame);
		r.change({sandwich: to, zoom: [], range: []});
		return `fg.sandwich(${JSON.stringify(to && frame)})`;
	},
	looks: (r, random) => ["fg.mode('function')", "fg.toggle('own')", "fg.tab('functions')"][random(3)],
	flip(r) {
		r.change({flip: !r.state.flip});
		return "fg.toggle('flip')";
	},
	undo(r) {
		if (r.past.length) {
			r.future.push(r.state);
			r.state = r.past.pop();
		}
		return 'fg.undo()';
	},
	redo(r) {
		if (r.future.length) {
			r.past.push(r.state);
			r.state = r.future.pop();
		}
		return 'fg.redo()';
	}
};

const add = (to, stack, values) => {
	const sum = to.get(stack);
	if (sum) values.forEach((v, c) => (sum[c] += v));
	else to.set(stack, values.slice());
};

/* The gate repeats the same states; the soak has others each month. */
const now = new Date(),
	SEED = process.env.RATES === '1' ? 100 * (12 * now.getFullYear() + now.getMonth()) : 1;

async function walk(open, name, wide) {
	const stacks = merged(read(fs.readFileSync(path.join(process.argv[2], name + '.folded'), 'utf8')));
	const page = await open(name + '.svg');
	for (let k = 0; k < SEQUENCES; k++) {
		const random = generator(SEED + k),
			r = new Reference(stacks, wide),
			said = [];
		await page.go('about:blank');
		await page.go('file://' + path.resolve(process.argv[2], name + '.svg'));
		for (let i = 0; i < STEPS; i++) {
			const gestures = Object.values(GESTURES),
				gesture = gestures[random(gestures.length)](r, random);
			if (!gesture) continue;
			said.push(gesture);
			const text = await page.run(`(${gesture}, fg.folded())`);
			/* The picture may be turned over; what is saved is not. */
			const got = new Map(),
				wanted = new Map(),
				parts = new Set();
			for (const {frames, values} of read(text)) add(got, frames.join(';'), values);
			for (const [stack, values, whole] of r.saved()) {
				add(wanted, stack, values);
				if (!whole) parts.add(stack);
			}
			const sums = Array.from(got.values(), wide).reduce((a, b) => a + b, 0),
				shown = r.window(r.shown());
			const told = `${name}, after\n${said.join('\n')}\n${JSON.stringify(r.state)}\n${text}`;
			for (const [stack, values] of wanted) {
				const has = got.get(stack) || values.map(() => 0);
				values.forEach((v, c) =>
					assert.ok(
						parts.has(stack) ? Math.abs(has[c] - v) <= 1 : has[c] === v,
						`${stack}: ${has} for ${values}; ${told}`
					)
				);
			}
			for (const stack of got.keys()) assert.ok(wanted.has(stack), `${stack} is not shown; ${told}`);
			if (wide.exact) assert.equal(sums, shown.hi - shown.lo, told);
		}
	}
}

const first = Object.assign(values => values[0], {exact: true}),
	larger = values => Math.max(...values),
	sum = values => values.reduce((a, b) => a + b);

suite({
	'one column': open => walk(open, 'truth', first),
	'base and head': open => walk(open, 'truth-diff', larger),
	'four columns': open => walk(open, 'truth-four', sum),
	'header lines are as they were': async open => {
		for (const name of [1, 2, 3, 4, 5].map(i => `header-${i}`)) {
			const page = await open(name + '.svg');
			assert.equal(
				await page.run(() => fg.folded()),
				fs.readFileSync(path.join(process.argv[2], name + '.folded'), 'utf8')
			);
		}
	}
});
