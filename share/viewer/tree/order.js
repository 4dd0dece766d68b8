/*
 * order: a tree with the children of each frame sorted by weight, heaviest first.
 */

function byWeight(tree, widths) {
	const {n, name, level, end, sums} = tree,
		from = ints(n), /* by node of the new tree: the old node */
		to = ints(n);
	const open = [0];
	let at = 0;
	while (open.length) {
		const node = open.pop();
		to[node] = at;
		from[at++] = node;
		const children = [];
		for (let i = node + 1; i < end[node]; i = end[i]) children.push(i);
		if (children.length > 1)
			children.sort((a, b) => widths[end[a]] - widths[a] - (widths[end[b]] - widths[b]) || b - a);
		else if (!children.length) continue;
		/* The lightest is pushed first, so that the heaviest is popped next. */
		for (const child of children) open.push(child);
	}
	const ordered = treeOf(
		ids(n).map((_, k) => name[from[k]]),
		from.map(i => level[i]),
		sums.map(sum => prefixSums(floats(n).map((_, k) => sum[from[k] + 1] - sum[from[k]]), totals(n + 1)))
	);
	/* In half of a sandwich view: new positions of the whole tree's frames. */
	if (tree.tops) ordered.tops = tree.tops;
	if (tree.where) ordered.where = tree.where.map(i => to[i]);
	if (tree.place) ordered.place = tree.place.map(i => to[i]);
	return ordered;
}
