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

/* A string has a limit of about 500 MB in browsers, a file of such parts does not. */
const PART = 20000; /* lines */

/* The view as folded text, as an array of strings to be joined. */
function foldedParts() {
	const {options, names} = picture,
		parts = [],
		path = [], /* by level: the names from the root, joined */
		tree = isSandwich() ? filteredTree() : mainPane().tree;
	let lines = options['header'].slice(), /* the input's header lines */
		last = 0;
	const flush = () => {
		if (lines.length) parts.push(lines.join('\n') + '\n');
		lines = [];
	};
	shownStacks((i, values) => {
		/* Paths shared with the stack before are present already. */
		let top = i;
		const fresh = [];
		for (; top > 0 && !(top <= last && tree.end[top] > last); top = tree.parent[top])
			fresh.push(top);
		path.length = top > 0 ? tree.level[top] : 0;
		while (fresh.length) {
			const name = names[tree.name[fresh.pop()]];
			path.push(path.length ? path[path.length - 1] + ';' + name : name);
		}
		last = i;
		const stack = path[path.length - (isGap(tree, i) ? 2 : 1)];
		if (stack !== undefined) lines.push(stack + ' ' + values.map(exact).join(' '));
		if (lines.length >= PART) flush();
	});
	flush();
	return parts;
}
