/*
 * view: derives one or two panes from the state (filters, directions, column, zoom). A pane is
 * a tree with its widths and the visible window.
 */

/* The picture's tree, or its part in the state's range of time. */
const timedTree = remember(
	() => [showing.time.join()],
	() => (showing.time.length ? treeInTime() : picture.tree)
);

/* The picture's tree after the state's filters. */
const filteredTree = remember(
	() => [timedTree(), showing.system, showing.recursion, showing.filters.join(';')],
	() => {
		const steps = filterSteps();
		if (!steps.length && !showing.recursion) return timedTree();
		return stepped(timedTree(), picture.names.length, steps, {
			recursion: showing.recursion,
			timeOrder: picture.options.flamechart
		});
	}
);

/* The complete reversed tree. */
const callersTree = () => (filteredTree().callers ||= reversed(filteredTree()));

/* Builds the complete reversed tree, for questions whose answer may be anywhere in it. */
function completeTree() {
	if (!panes[0].tree.closed) return;
	callersTree();
	const before = panes;
	panes = arrange();
	chosen = carried(chosen, before);
	pointed = carried(pointed, before);
}

/* roughly() is in large pictures only. */
const isRough = () => typeof roughly === 'function' && roughly();

/* The trees to draw: one, or callers and callees of a sandwich view. */
const byNameTrees = remember(
	() => [filteredTree(), showing.reverse, showing.sandwich, isRough()],
	() => {
		const tree = filteredTree();
		if (!showing.sandwich) return [isRough() ? roughTree(tree) : showing.reverse ? callersTree() : tree];
		const is = groupFlags('function:' + showing.sandwich);
		return sandwiched(tree, is, is.indexOf(1));
	}
);

/* The trees to draw, sorted as the state requests. */
const shownTrees = remember(
	() => {
		const trees = byNameTrees();
		return [trees, showing.order, ...(showing.order ? trees.map(widthsOf) : [])];
	},
	() =>
		showing.order && !picture.options.flamechart
			? byNameTrees().map(tree => byWeight(tree, widthsOf(tree)))
			: byNameTrees()
);

/* Sums of a function over the filtered tree, recursion counted once: self, total and count. */
function occurrences(number) {
	const tree = filteredTree(),
		known = (tree.functions ||= new Map());
	if (known.has(number)) return known.get(number);
	const {of} = facts.functions(),
		self = tree.sums.map(() => 0),
		total = tree.sums.map(() => 0),
		selfOfName = new Map();
	let count = 0;
	for (let i = 1, until = 0; i < tree.n; i++) {
		const id = tree.name[i];
		if (of[id] !== number) continue;
		count++;
		const outer = i >= until,
			own = tree.sums.map(sum => ownOf(tree, sum, i));
		if (outer) until = tree.end[i];
		tree.sums.forEach((sum, c) => {
			self[c] += own[c];
			if (outer) total[c] += totalOf(tree, sum, i);
		});
		const before = selfOfName.get(id);
		selfOfName.set(id, before ? before.map((v, c) => v + own[c]) : own);
	}
	const found = {self, total, count, selfOfName};
	known.set(number, found);
	return found;
}

/* Caches the last result of make while its key is unchanged. */
function remember(key, make) {
	let last = null,
		value;
	return () => {
		const fresh = key();
		if (!last || fresh.some((k, i) => k !== last[i])) {
			value = make();
			last = fresh;
		}
		return value;
	};
}

/* Scale of the head column: makes the profile totals equal when shares are compared. */
function headScale() {
	if (!showing.share || !isDiff(picture.columns)) return 1;
	const [base, head] = picture.tree.sums.map(sum => sum[picture.tree.n]);
	return base && head ? base / head : 1;
}

/* The running sums that give frames their widths. */
function widthsOf(tree) {
	const {columns} = picture;
	if (isDiff(columns) && showing.view === 'diff')
		return blend(tree, 'diff' + headScale(), (b, h) => max(b, h * headScale()), 2);
	if (isDiff(columns) && (showing.view === 'head' || isMirrored())) return tree.sums[1];
	if (showing.column === 'sum')
		return blend(tree, 'sum', (...v) => v.reduce((a, b) => a + b, 0), columns.length);
	return tree.sums[max(0, columns.indexOf(showing.column))];
}

/* The total that shares refer to: the entire picture, or the range of time, unfiltered. */
const wholeWidth = () => widthsOf(timedTree())[timedTree().n];

/* Running sums of a number derived from each frame's self values. */
function blend(tree, key, mix, columns) {
	const kept = (tree.blends ||= {});
	if (!kept[key]) {
		const sums = tree.sums.slice(0, columns),
			self = floats(tree.n);
		for (let i = 0; i < tree.n; i++)
			self[i] =
				columns === 2
					? mix(selfOf(sums[0], i), selfOf(sums[1], i))
					: mix(...sums.map(sum => selfOf(sum, i)));
		kept[key] = prefixSums(self);
	}
	return kept[key];
}

/* A pane: a tree, its widths, the zoomed node and the window [lo, hi] of its widths. */
function paneOf(tree, up, sum = widthsOf(tree)) {
	const change = isDiff(picture.columns) ? changeOf(tree) : null;
	return {
		tree,
		sum,
		up,
		root: 0,
		lo: 0,
		hi: sum[tree.n],
		change,
		offset: 0, /* number of its levels not drawn */
		paint: painter(showing.mode, tree, sum, change)
	};
}

/* Only the nearest callers of a deep frame are drawn; all are in the breadcrumb. */
const DEEP = 6;
const NEAREST = 2;

/* Two panes are the halves of a sandwich view, or base and head of one tree. */
const isSandwich = () => panes.length === 2 && showing.sandwich !== '';
const isMirrored = () => showing.view === 'both' && !showing.sandwich;

/* The panes of the state, zoomed. */
function arrange() {
	const trees = shownTrees(),
		two = trees.length === 2;
	if (isMirrored()) return mirrored(trees[0]);
	const panes = two
		? [paneOf(trees[0], true), paneOf(trees[1], false)]
		: [paneOf(trees[0], !showing.flip)];
	const pane = panes[two && !showing.upper ? 1 : 0],
		{tree, sum} = pane;
	pane.root = descend(tree, showing.zoom.map(facts.id));
	pane.lo = sum[pane.root];
	pane.hi = sum[tree.end[pane.root]];
	panes.forEach(setRows);
	const deep = rowAt(pane, pane.root);
	if (deep > DEEP) pane.offset = deep - NEAREST;
	if (two) panes[0].offset ||= 1;
	const [from, to] = showing.range.map(Number);
	if (from >= 0 && to <= 1 && from < to) {
		/* At integer values, so that the view can be written as folded text. */
		const {lo, hi} = pane,
			span = hi - lo;
		const snap = at => (Number.isInteger(span) ? round(at) : at);
		pane.lo = min(snap(lo + span * from), hi - 1);
		pane.hi = max(snap(lo + span * to), pane.lo + 1);
		pane.lo = max(pane.lo, lo);
		pane.hi = min(pane.hi, hi);
	}
	return panes;
}

/* The pane with the zoomed frame: the only one, a half of the sandwich view, or head. */
const mainPane = () => panes[panes.length === 2 && !(showing.upper && isSandwich()) ? 1 : 0];

const namesTo = (tree, node) => lineage(tree, node).map(a => picture.names[tree.name[a]]);

/* The path to the zoomed frame: the part of the state's path that exists in this tree. */
const zoomPath = () => namesTo(mainPane().tree, mainPane().root);
