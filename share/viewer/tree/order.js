/*
 * order: a tree with the heaviest of each frame's children first.
 */

function byWeight(tree, widths) {
	const {n, name, level, end, sums} = tree,
		from = ints(n), /* by place in the new tree, the node of the old one */
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
		/* The lightest goes on the pile first, so that the heaviest is taken next. */
		for (const child of children) open.push(child);
	}
	const ordered = treeOf(
		from.map(i => name[i]),
		from.map(i => level[i]),
		sums.map(sum => prefixSums(floats(n).map((_, k) => sum[from[k] + 1] - sum[from[k]])))
	);
	/* Of a half of a sandwich: where the frames of the whole are in it now. */
	if (tree.tops) ordered.tops = tree.tops;
	if (tree.where) ordered.where = tree.where.map(i => to[i]);
	if (tree.place) ordered.place = tree.place.map(i => to[i]);
	return ordered;
}
