/*
 * rows: in which row of the graph a frame is drawn. Mostly that is its level; with chains
 * folded, frames of which each has but one child that is about as wide are one row, until
 * it is clicked open.
 */

const CHAIN = 3; /* frames from which on a chain is folded */
const ALIKE = 0.98; /* of its caller's width, and a frame is about as wide */

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

/* Whether a frame is drawn as part of the row of its caller. */
const isFolded = ({row, tree}, i) => i > 0 && row[i] === row[tree.parent[i]];

/* How many frames are folded into the row of frame i, itself among them. */
function chainLength({row, tree}, i) {
	let k = i;
	while (k + 1 < tree.n && tree.parent[k + 1] === k && row[k + 1] === row[i]) k++;
	return k - i + 1;
}

/* Open the chain of a frame, when it is folded: true when it was. */
function openChain({pane, node}) {
	if (!showing.fold || chainLength(pane, node) < CHAIN) return false;
	pane.tree.opened.add(node);
	refresh();
	return true;
}

/* The label of a folded chain: its first and its last frame and their number, or as much as there is room for. */
function chainLabel(first, last, count, room) {
	const both = `${first} … ${last} (${count})`;
	if (cells(both) <= room) return both;
	const more = ` +${count - 1}`,
		short = shorten(first, room - more.length);
	return short && short + more;
}
