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
 * by column of the input, is reused. Parts of a value are rounded so that the parts of one node add up.
 */
function shownStacks(each) {
	const pane = mainPane(),
		parts = (isMirrored() ? panes : [pane]).map(visiblePart),
		part = parts.length > 1 ? i => max(parts[0](i), parts[1](i)) : parts[0],
		/* without the noise column that fg-render added */
		values = picture.columns.slice(0, picture.options.judged && -1).map(() => 0),
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

/*
 * Bytes of a part, at first and at most: for many small ones the browser takes more time, and a
 * large one starts a garbage collection.
 */
const FIRST_PART = 1 << 16;
const PART = 1 << 24;

/*
 * Calls each(bytes) for all parts of the view as folded text, which end at line ends. The array of
 * bytes is reused: strings of a large profile would take more time and memory.
 */
function eachPart(each) {
	completeTree();
	const {options, names} = picture,
		codes = [], /* by name id: its bytes after a semicolon */
		ends = [0], /* by level: size of the path from the root */
		tree = isSandwich() ? filteredTree() : mainPane().tree;
	let path = bytes(4096),
		part = bytes(FIRST_PART),
		n = 0,
		last = 0;
	/* The input's header lines. */
	if (options.header.length) each(utf8.encode(options.header.join('\n') + '\n'));
	shownStacks((i, values) => {
		/* Paths shared with the stack before are present already. */
		const fresh = [];
		for (let top = i; top > 0 && !(top <= last && tree.end[top] > last); top = tree.parent[top])
			fresh.push(top);
		last = i;
		while (fresh.length) {
			const node = fresh.pop(),
				id = tree.name[node],
				code = (codes[id] ||= utf8.encode(';' + names[id])),
				from = ends[tree.level[node] - 1],
				to = (ends[tree.level[node]] = from + code.length);
			if (to > path.length) {
				const more = bytes(2 * to);
				more.set(path);
				path = more;
			}
			path.set(code, from);
		}
		const level = tree.level[i] - isGap(tree, i),
			line = path.subarray(1, ends[level]),
			text = ' ' + values.map(exact).join(' ') + '\n',
			size = line.length + text.length;
		if (!level) return;
		if (n + size > part.length) {
			each(part.subarray(0, n));
			n = 0;
			if (size > part.length || part.length < PART) part = bytes(max(size, min(PART, 4 * part.length)));
		}
		part.set(line, n);
		n += line.length;
		for (let k = 0; k < text.length; k++) part[n++] = text.charCodeAt(k);
	});
	each(part.subarray(0, n));
}
