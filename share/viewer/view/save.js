/*
 * save: the view as folded text: the zoomed part of the tree, or all stacks through the
 * function of a sandwich view; of a range, exactly the part in it.
 */

/* Share of the self value of each of a pane's nodes that is in its window, 0 to 1. */
function visiblePart({tree, sum, root, lo, hi}) {
	const stop = tree.end[root];
	return i => {
		if (i < root || i >= stop) return 0;
		const from = sum[i],
			to = sum[i + 1];
		if (from === to) return from >= lo && (from < hi || hi === sum[stop]) ? 1 : 0;
		return max(0, min(to, hi) - max(from, lo)) / (to - from);
	};
}

/*
 * Calls each(node, values) for all visible stacks and returns the tree. The array of values,
 * by column, is reused. Parts of a value are rounded so that the parts of one node add up.
 */
function shownStacks(each) {
	const pane = mainPane(),
		parts = (isMirrored() ? panes : [pane]).map(visiblePart),
		part = parts.length > 1 ? i => max(parts[0](i), parts[1](i)) : parts[0],
		values = picture.columns.map(() => 0),
		rest = new Map();
	const give = (tree, i, key) => {
		if (!isStack(tree, i)) return;
		const share = part(key);
		if (!share) return;
		for (let c = 0; c < values.length; c++) values[c] = selfOf(tree.sums[c], i);
		if (share < 1) {
			if (!rest.has(key)) rest.set(key, values.map(() => 0));
			const left = rest.get(key);
			values.forEach((v, c) => {
				const exact = v * share + left[c];
				values[c] = round(exact);
				left[c] = exact - values[c];
			});
			if (!values.some(v => v > 0)) return;
		}
		each(i, values);
	};
	if (!isSandwich()) {
		for (let i = pane.root; i < pane.tree.end[pane.root]; i++) give(pane.tree, i, i);
		return pane.tree;
	}
	/* Stacks of the filtered tree, each by the pane's frame that it belongs to. */
	const tree = filteredTree(),
		{tops, where, place} = pane.tree;
	tops.forEach((top, k) => {
		for (let i = top; i < tree.end[top]; i++) give(tree, i, where ? where[k] : place[i]);
	});
	return tree;
}

function foldedText() {
	const {options, names} = picture,
		lines = options['header'].slice(); /* the input's header lines */
	const path = [],
		tree = isSandwich() ? filteredTree() : mainPane().tree;
	let last = 0;
	shownStacks((i, values) => {
		/* Names from the root; those shared with the stack before are present already. */
		let top = i;
		const fresh = [];
		for (; top > 0 && !(top <= last && tree.end[top] > last); top = tree.parent[top])
			fresh.push(top);
		path.length = top > 0 ? tree.level[top] : 0;
		while (fresh.length) path.push(names[tree.name[fresh.pop()]]);
		last = i;
		const stack = isGap(tree, i) ? path.slice(0, -1) : path;
		if (stack.length) lines.push(stack.join(';') + ' ' + values.map(exact).join(' '));
	});
	return lines.join('\n') + '\n';
}
