/*
 * rows: the row in which a frame is drawn. Usually it is the frame's level. When single-child
 * runs are folded, a run is one row until it is opened by a click.
 */

const CHAIN = 3; /* minimum length of a run to fold */
const ALIKE = 0.995; /* minimum width of a run's frame, relative to its caller; also in visible.c */

function rowsOf({tree, sum, root}) {
	if (!showing.fold) return tree.level;
	const {n, parent, end} = tree,
		row = ints(n),
		opened = (tree.opened ||= new Set());
	/* Such children follow their callers in pre-order. */
	const goesOn = i =>
		i < n &&
		i !== root &&
		parent[i] === i - 1 &&
		i > 1 &&
		end[i] === end[i - 1] &&
		sum[end[i]] - sum[i] >= ALIKE * (sum[end[i - 1]] - sum[i - 1]);
	for (let i = 1; i < n; ) {
		let last = i;
		row[i] = row[parent[i]] + 1;
		while (goesOn(last + 1)) last++;
		const folded = last - i + 1 >= CHAIN && !opened.has(i);
		for (let k = i + 1; k <= last; k++) row[k] = folded ? row[i] : row[k - 1] + 1;
		i = last + 1;
	}
	return row;
}

/* True if a frame is drawn as part of its caller's row. */
const isFolded = ({row, tree}, i) => i > 0 && row[i] === row[tree.parent[i]];

/* Number of frames folded into the row of frame i, including i. */
function chainLength({row, tree}, i) {
	let k = i;
	while (k + 1 < tree.n && tree.parent[k + 1] === k && row[k + 1] === row[i]) k++;
	return k - i + 1;
}

/* Opens the folded run of a frame; true if it was folded. */
function openChain({pane, node}) {
	if (!showing.fold || chainLength(pane, node) < CHAIN) return false;
	pane.tree.opened.add(node);
	refresh();
	return true;
}

/* Label of a folded run: its first and last frame and their number, shortened to fit. */
function chainLabel(first, last, count, room) {
	const both = `${first} … ${last} (${count})`;
	if (cells(both) <= room) return both;
	const more = ` +${count - 1}`,
		short = shorten(first, room - more.length);
	return short && short + more;
}
