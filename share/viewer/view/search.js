/*
 * search: converts a pattern to one flag per name, and counts the matching frames.
 *
 * Patterns may come from links, so none may hang the page. Names are tested in slices with a
 * time limit. A pattern that might take exponential time on one name is tested in a worker,
 * which can be stopped.
 */

const SLICE = 12;
const LIMIT = 2000;
const STEPS_MAX = 1e8;

const finding = {key: '', run: 0, flags: null, note: '', scope: null};

/*
 * Compiles a regular expression; lower case matches both cases. An invalid one is matched
 * literally.
 */
function compile(pattern) {
	const flags = /\p{Lu}/u.test(pattern) ? 'u' : 'iu';
	let note = '';
	for (const f of [flags, flags.replace('u', '')])
		try {
			return {re: new RegExp(pattern, f), note: ''};
		} catch (error) {
			note = error.message.replace(/^.*: /, '').toLowerCase();
		}
	return {
		re: new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags),
		note: `not a regular expression (${note}): searched as text`
	};
}

/*
 * Steps on the longest name, at most: each repetition is tried at each length, each alternative of
 * a group in turn, from each start.
 */
function steps(pattern) {
	const longest = facts.longest();
	let n = longest,
		depth = 0;
	for (const c of pattern.replace(/\\.|\[[^\]]*\]/g, 'x')) {
		depth += (c === '(') - (c === ')');
		n *= '*+{'.includes(c) ? longest : c === '?' || (c === '|' && depth) ? 2 : 1;
	}
	return n;
}

/* True if matching may take exponential time, or long on one name. */
const isRisky = re => /\)[*+?{]|\\[1-9k]|\(\?[=!<]/.test(re.source) || steps(re.source) > STEPS_MAX;

/* Starts the search of the state; null if done, otherwise a promise of its end. */
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
	const risky = isRisky(re);
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
			if (performance.now() - start > SLICE) return false;
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

/* Running count of the matching frames with a width in this pane. */
function hitSums(pane) {
	const {tree, sum} = pane,
		kept = (tree.hits ||= {});
	if (kept.flags !== finding.flags || kept.sum !== sum) {
		const sums = kept.sums || ints(tree.n + 1),
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

/* The node that is searched: the zoomed one, or the one before the first step to a match. */
function searched({tree, root}) {
	const {scope} = finding;
	return scope && scope.tree === tree && scope.node <= root && root < tree.end[scope.node]
		? scope.node
		: root;
}

/*
 * Visits the targets of n and N: the matching frames with their widths; in a differential
 * without a search, the frames whose self value changed, with the size of the change.
 */
function eachStep(pane, each) {
	if (finding.flags) {
		eachMatch(pane, each);
		return;
	}
	if (!pane.change) return;
	eachChange(pane, each);
}

/* The matching frames below the searched node, each with its width. */
function eachMatch(pane, each) {
	const {tree, sum} = pane,
		{name, end} = tree,
		{flags} = finding,
		from = searched(pane),
		gap = picture.options.gap;
	for (let i = from; i < end[from]; i++)
		if (flags[name[i]] && sum[end[i]] > sum[i] && !(gap && name[i] === gap))
			each(i, sum[end[i]] - sum[i]);
}

/* Order by weight, heaviest first: true if a match of width w at i precedes one of width v at k. */
const isHeavier = (w, i, v, k) => w > v || (w === v && i < k);

/* {count, share, at}: matching frames, their share of the width, index of the selected one. */
const matches = () => ({...countMatches()});

const countMatches = remember(
	() => [finding.flags, mainPane(), searched(mainPane()), chosen?.pane, chosen?.node],
	countedAnew
);

function countedAnew() {
	if (!finding.flags) return {count: 0, share: 0, at: 0};
	const pane = mainPane(),
		{tree, sum} = pane,
		{end} = tree,
		from = searched(pane),
		hits = hitSums(pane),
		node = chosen && chosen.pane === pane ? chosen.node : -1,
		whole = totalOf(tree, sum, from);
	let at = 0,
		span = 0;
	for (let i = from; i < end[from]; ) {
		const isHit = hits[i + 1] > hits[i];
		if (isHit) span += totalOf(tree, sum, i);
		i = isHit || hits[end[i]] === hits[i] ? end[i] : i + 1;
	}
	if (node >= from && node < end[from] && hits[node + 1] > hits[node]) {
		const width = totalOf(tree, sum, node);
		eachMatch(pane, (i, w) => (at += i === node || isHeavier(w, i, width, node)));
	}
	return {count: hits[end[from]] - hits[from], share: whole ? span / whole : 0, at};
}

/* The next (by 1) or previous (by -1) match in order of weight, wrapping around; or null. */
function nextMatch(by) {
	const pane = mainPane(),
		node = chosen && chosen.pane === pane ? chosen.node : -1;
	let near = -1,
		nearWidth = 0,
		end = -1,
		endWidth = 0,
		width = 0;
	if (node >= 0) eachStep(pane, (i, w) => (width = i === node ? w : width));
	const here = width > 0;
	const ahead = (w, i, v, k) => (by > 0 ? isHeavier(w, i, v, k) : isHeavier(v, k, w, i));
	eachStep(pane, (i, w) => {
		if (end < 0 || ahead(w, i, endWidth, end)) [end, endWidth] = [i, w];
		if (here && ahead(width, node, w, i) && (near < 0 || ahead(w, i, nearWidth, near)))
			[near, nearWidth] = [i, w];
	});
	const found = near < 0 ? end : near;
	return found < 0 ? null : {pane, node: found};
}

/* Minimum width of a readable frame, pixels. */
const READABLE = 60;

/* Path of the frame to zoom to, so that a frame is readable; null if it is readable already. */
function closer({pane, node}) {
	const {tree, sum, root, lo, hi} = pane,
		width = totalOf(tree, sum, node);
	const readable = whole => width * drawn.span >= READABLE * whole;
	if (
		node >= root &&
		node < tree.end[root] &&
		sum[node] >= lo &&
		sum[tree.end[node]] <= hi &&
		readable(hi - lo)
	)
		return null;
	let a = node;
	while (a > 0 && readable(totalOf(tree, sum, tree.parent[a]))) a = tree.parent[a];
	return namesTo(tree, a);
}
