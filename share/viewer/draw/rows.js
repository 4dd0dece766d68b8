/*
 * rows: the row in which a frame is drawn. Usually it is the frame's level. A run is one row until it
 * is opened by a click: frames of about the same width that are not own code, and with the fold
 * command single-child runs of any code. Other children of its frames are in the next row.
 */

const CHAIN = 3; /* minimum length of a run to fold */
/* Minimum width of a run's frame; also in visible.c. */
const ALIKE = 0.995; /* relative to its caller */
const NEARLY = 0.98; /* of code that is not own, relative to the first frame of the run */

/*
 * The rows of a tree: {row, by node, 0 until it is laid; lay(node); the deepest so far; laid: no
 * node before it is deeper; runs, by first node: [number of frames, the innermost]}. Most frames of a
 * large tree are never laid.
 */
function layRows({name, parent, end, n, level}, sum, opened) {
	const {fold} = showing,
		{what} = picture.about,
		row = new level.constructor(n),
		rows = {row, lay, laid: 1, deepest: 0, runs: new Map()},
		width = i => sum[end[i]] - sum[i],
		isForeign = i => what[name[i]] & FOREIGN;
	/* The next frame of a run of that width, or 0: at most one child is as wide. */
	const following = (i, wide) => {
		const least = NEARLY * wide;
		if (isForeign(i))
			for (let k = i + 1; k < end[i] && sum[end[i]] - sum[k] >= least; k = end[k]) if (width(k) >= least && isForeign(k)) return k;
		return fold && end[i + 1] === end[i] && width(i + 1) >= ALIKE * width(i) ? i + 1 : 0;
	};
	function layRun(first) {
		const wide = width(first),
			place = row[parent[first]] + 1;
		let last = first,
			count = 1;
		for (let i = first; wide > 0 && (i = following(i, wide)); count++) last = i;
		const folded = count >= CHAIN && !opened.has(first);
		for (let i = last, k = count; k--; i = parent[i]) row[i] = place + (folded ? 0 : k);
		if (folded) rows.runs.set(first, [count, last]);
		rows.deepest = max(rows.deepest, row[last]);
	}
	function lay(node) {
		const path = [];
		for (let i = node; i && !row[i]; i = parent[i]) path.push(i);
		while (path.length) {
			const i = path.pop();
			if (!row[i]) layRun(i);
		}
		return row[node];
	}
	return rows;
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
	if (tree.rows?.key !== key || tree.rows.sum !== sum) tree.rows = Object.assign(layRows(tree, sum, opened), {key, sum});
	Object.assign(pane, {rows: tree.rows, row: tree.rows.row});
	if (isFolded(pane, root)) {
		opened.add(rowStart(pane, root));
		setRows(pane);
	}
}

/* The deepest row of all frames; of a deeper one than that, any. */
function deepestRow({tree, rows}, enough) {
	if (!rows) return tree.depth;
	for (; rows.laid < tree.n && rows.deepest <= enough; rows.laid++)
		if (tree.level[rows.laid] > rows.deepest) rows.lay(rows.laid);
	return max(rows.deepest, tree.closed ? tree.depth : 0);
}

/* The row of a frame. */
const rowAt = ({row, rows}, i) => row[i] || (i && rows.lay(i));

/* True if a frame is drawn as part of its caller's row. */
const isFolded = (pane, i) => i > 0 && rowAt(pane, i) === rowAt(pane, pane.tree.parent[i]);

/* The first frame of the row of frame i. */
function rowStart(pane, i) {
	while (isFolded(pane, i)) i = pane.tree.parent[i];
	return i;
}

/* The folded run that begins with frame i: see layRows. */
const runAt = (pane, i) => pane.rows && rowAt(pane, i) && pane.rows.runs.get(i);

/* Number of frames folded into the row that begins with frame i. */
const chainLength = (pane, i) => runAt(pane, i)?.[0] || 1;

/* The last frame of the row that begins with frame i: it has the row's colour. */
const rowEnd = (pane, i) => runAt(pane, i)?.[1] || i;

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

const runText = (first, last, count) => `${grouped(count)} frames: ${first} … ${last}`;

/* Label of a folded run: the number of its frames, the first and the last, shortened to fit. */
function chainLabel(first, last, count, room) {
	const both = runText(first, last, count);
	if (cells(both) <= room) return both;
	const more = ` +${count - 1}`,
		short = shorten(first, room - more.length);
	return short && short + more;
}
