/*
 * rows: the row in which a frame is drawn. Usually it is the frame's level. A run is one row until it
 * is opened by a click: frames of about the same width that are not own code, and with the fold
 * command single-child runs of any code. Other children of its frames are in the next row.
 */

const CHAIN = 3; /* minimum length of a run to fold */
/* Minimum width of a run's frame; also in visible.c. */
const ALIKE = 0.995; /* relative to its caller */
const NEARLY = 0.98; /* of code that is not own, relative to the first frame of the run */

/* {row, by node; deepest row; count and last, of a run by its first node: its frames, the innermost}. */
function layRows({name, parent, end, n}, sum, opened) {
	const {fold} = showing,
		{what} = picture.about,
		row = ints(n),
		first = ints(n),
		count = ints(n),
		last = ints(n);
	/* Most time of a large tree is spent here: no calls. */
	for (let i = 1; i < n; i++) {
		const p = parent[i],
			w = sum[end[i]] - sum[i],
			q = first[p];
		const f = (first[i] =
			p &&
			w > 0 &&
			((what[name[i]] & FOREIGN && what[name[p]] & FOREIGN && w >= NEARLY * (sum[end[q]] - sum[q])) ||
				(fold && p === i - 1 && end[i] === end[p] && w >= ALIKE * (sum[end[p]] - sum[p])))
				? q
				: i);
		count[f]++;
		last[f] = i;
	}
	let deepest = 0;
	for (let i = 1; i < n; i++) {
		const f = first[i];
		if (f === i && (count[i] < CHAIN || opened.has(i))) count[i] = 1;
		const at = (row[i] = row[parent[i]] + (f === i || count[f] === 1));
		if (at > deepest) deepest = at;
	}
	return {row, count, last, deepest};
}

/* Sets the rows of a pane, and its folded runs. A run with the zoomed frame is opened. */
function setRows(pane) {
	const {tree, sum, root} = pane,
		opened = (tree.opened ||= new Set());
	if (!showing.fold && !facts.foreign()) {
		pane.row = tree.level;
		return;
	}
	const key = [showing.fold, opened.size].join();
	if (tree.rows?.key !== key || tree.rows.sum !== sum) tree.rows = {...layRows(tree, sum, opened), key, sum};
	Object.assign(pane, tree.rows);
	if (isFolded(pane, root)) {
		opened.add(rowStart(pane, root));
		setRows(pane);
	}
}

/* True if a frame is drawn as part of its caller's row. */
const isFolded = ({row, tree}, i) => i > 0 && row[i] === row[tree.parent[i]];

/* The first frame of the row of frame i. */
function rowStart(pane, i) {
	while (isFolded(pane, i)) i = pane.tree.parent[i];
	return i;
}

/* Number of frames folded into the row that begins with frame i. */
const chainLength = ({count}, i) => (count ? count[i] : 1);

/* The last frame of the row that begins with frame i: it has the row's colour. */
const rowEnd = ({count, last}, i) => (count?.[i] > 1 ? last[i] : i);

/* True if one of the frames in the row of frame i has a flag by name. */
function hasFlag(pane, i, flags) {
	const {name, parent} = pane.tree;
	let k = rowEnd(pane, i);
	while (k > i && !flags[name[k]]) k = parent[k];
	return flags[name[k]];
}

/* Opens the folded run of a frame; true if it was folded. */
function openChain({pane, node}) {
	const first = rowStart(pane, node);
	if (chainLength(pane, first) < CHAIN) return false;
	pane.tree.opened.add(first);
	refresh();
	return true;
}

const runText = (first, last, count) => `${count} frames: ${first} … ${last}`;

/* Label of a folded run: the number of its frames, the first and the last, shortened to fit. */
function chainLabel(first, last, count, room) {
	const both = runText(first, last, count);
	if (cells(both) <= room) return both;
	const more = ` +${count - 1}`,
		short = shorten(first, room - more.length);
	return short && short + more;
}
