/*
 * search: a pattern into one flag for each name, and what of the picture they are.
 *
 * Patterns come from links too, so none may hang the page: names are tested in slices
 * with a time limit, and a pattern that could take for ever on one name is tested in
 * a worker, which can be stopped.
 */

const SLICE = 12;
const LIMIT = 2000;
const LONG = 5000;

const finding = {key: '', run: 0, flags: null, note: ''};

/* A regular expression, small letters matching both; a text that is none is taken literally. */
function compile(pattern) {
	const flags = /\p{Lu}/u.test(pattern) ? 'u' : 'iu';
	for (const [source, f] of [
		[pattern, flags],
		[pattern, flags.replace('u', '')]
	])
		try {
			return {re: new RegExp(source, f), note: ''};
		} catch {
			continue;
		}
	return {
		re: new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags),
		note: 'not a regular expression: searched as text'
	};
}

/* Whether matching may take more than polynomial time of a low degree, or names are very long. */
const isRisky = (re, names) =>
	/\)[*+?{]|\\[1-9k]|\(\?[=!<]/.test(re.source) ||
	(re.source.match(/[*+{]/g) || []).length > 2 ||
	names.some(n => n.length > LONG);

/* Begin the search that the state asks for; null when done, or a promise of its end. */
function startSearch() {
	const key = showing.mark
		? 'mark:' + showing.mark
		: showing.search && 'search:' + showing.search;
	if (key === finding.key) return null;
	const run = ++finding.run;
	Object.assign(finding, {key, flags: null, note: ''});
	if (showing.mark) {
		finding.flags = groupFlags(showing.mark);
		return null;
	}
	if (!showing.search) return null;
	const {re, note} = compile(showing.search);
	finding.note = note;
	const risky = isRisky(re, picture.names);
	const finish = (flags, late) => {
		if (run !== finding.run) return;
		finding.flags = flags;
		if (late) finding.note = 'the pattern took too long and was stopped';
	};
	return risky ? inWorker(re, finish) : inSlices(re, finish);
}

function inSlices(re, finish) {
	const flags = bytes(picture.names.length),
		began = performance.now(),
		run = finding.run;
	let id = 1;
	const slice = () => {
		for (const start = performance.now(); id < flags.length; id++) {
			if (id % 64 === 0 && performance.now() - start > SLICE) return false;
			const {text} = facts.parts(id),
				raw = picture.names[id];
			flags[id] = re.test(text) || (raw !== text && re.test(raw)) ? 1 : 0;
		}
		return true;
	};
	if (slice()) {
		finish(flags, false);
		return null;
	}
	return new Promise(resolve => {
		const more = () => {
			const late = performance.now() - began > LIMIT;
			if (late || run !== finding.run || slice()) {
				finish(flags, late);
				resolve();
			} else {
				setTimeout(more);
			}
		};
		setTimeout(more);
	});
}

function inWorker(re, finish) {
	const code = `onmessage = e => {
		const [source, f, texts, raws] = e.data, re = new RegExp(source, f);
		postMessage(Uint8Array.from(texts, (t, i) => i && (re.test(t) || re.test(raws[i])) ? 1 : 0));
	}`;
	const url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
	return new Promise(resolve => {
		let worker;
		const end = (flags, late) => {
			clearTimeout(timer);
			worker?.terminate();
			URL.revokeObjectURL(url);
			finish(flags, late);
			resolve();
		};
		const none = () => bytes(picture.names.length);
		const timer = setTimeout(() => end(none(), true), LIMIT);
		try {
			worker = new Worker(url);
		} catch {
			end(none(), true);
			return;
		}
		worker.onmessage = e => end(e.data, false);
		worker.onerror = () => end(none(), true);
		worker.postMessage([
			re.source,
			re.flags,
			picture.names.map((_, id) => facts.parts(id).text),
			picture.names
		]);
	});
}

/* Running count of the matching frames that have a width in this pane. */
function hitSums(pane) {
	const {tree, sum} = pane,
		kept = (tree.hits ||= {});
	if (kept.flags !== finding.flags || kept.sum !== sum) {
		const sums = ints(tree.n + 1),
			flags = finding.flags,
			{name, end} = tree;
		for (let i = 0; i < tree.n; i++)
			sums[i + 1] =
				sums[i] +
				(flags[name[i]] && !isGap(tree, i) && sum[end[i]] > sum[i] ? 1 : 0);
		Object.assign(kept, {flags, sum, sums});
	}
	return kept.sums;
}

/* {count, share, at}: matching frames below the zoomed one, their part of it, and which is selected. */
function matches() {
	const pane = mainPane(),
		{tree, sum, root} = pane;
	if (!finding.flags) return {count: 0, share: 0, at: 0};
	const sums = hitSums(pane),
		stop = tree.end[root];
	let span = 0;
	for (let i = root; i < stop;) {
		const end = tree.end[i];
		if (sums[i + 1] > sums[i]) span += sum[end] - sum[i];
		i = sums[i + 1] > sums[i] || sums[end] === sums[i] ? end : i + 1;
	}
	const whole = totalOf(tree, sum, root),
		node = chosen && chosen.pane === pane ? chosen.node : -1;
	const on = node >= root && node < stop && sums[node + 1] > sums[node];
	return {
		count: sums[stop] - sums[root],
		share: whole ? span / whole : 0,
		at: on ? sums[node] - sums[root] + 1 : 0
	};
}

/* The next (by 1) or previous (by -1) match after the selected frame, around the ends. */
function nextMatch(by) {
	const pane = mainPane(),
		{tree, root} = pane,
		{count} = matches();
	if (!count) return null;
	const sums = hitSums(pane),
		stop = tree.end[root];
	let i =
		chosen && chosen.pane === pane && chosen.node >= root && chosen.node < stop
			? chosen.node
			: by > 0
				? root - 1
				: stop;
	do {
		i += by;
		if (i >= stop) i = root;
		else if (i < root) i = stop - 1;
	} while (sums[i + 1] === sums[i]);
	return {pane, node: i};
}
