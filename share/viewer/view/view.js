/*
 * view: what is looked at. Out of the state (filters, directions, column, zoom)
 * come one or two panes, each a tree with its widths and a window on it.
 */

/* What is known of names, found out when it is first asked for. */
function learn(names) {
	const parts = [];
	let ids;
	const facts = {
		names,
		paint: {},
		parts: id => (parts[id] ||= nameParts(id)),
		origin: originOf,
		/* 1 for the names of which test(parts, id) holds. */
		flags: test => Uint8Array.from(names, (_, id) => id && test(facts.parts(id), id)),
		id: name => (ids ||= new Map(names.map((n, i) => [n, i]))).get(name)
	};
	return facts;
}

/* What a name is called when names are grouped by function, module, file or origin. */
function groupName(kind, id) {
	switch (kind) {
		case 'module':
			return facts.parts(id).module;
		case 'file':
			return facts.parts(id).file.replace(/:\d+$/, '');
		case 'origin':
			return MODES.origin[facts.origin(id) + 1];
		default:
			return picture.names[id];
	}
}

/* The names of a group, "kind:name", as flags by name id. */
function groupFlags(group) {
	const colon = group.indexOf(':'),
		kind = group.slice(0, colon),
		name = group.slice(colon + 1);
	return facts.flags((_, id) => groupName(kind, id) === name);
}

/* The flags of each of the state's filters of a sort: "hide:kind:name", "focus:kind:name". */
const filterFlags = what =>
	showing.filters
		.filter(f => f.startsWith(what + ':'))
		.map(f => groupFlags(f.slice(what.length + 1)));

/* The picture's tree with the state's filters on. */
const filteredTree = remember(
	() => [showing.system, showing.recursion, showing.filters.join(';')],
	() => {
		const hide = filterFlags('hide'),
			focus = filterFlags('focus').slice(0, 30);
		if (showing.system && !showing.recursion && !hide.length && !focus.length)
			return picture.tree;
		if (!showing.system) hide.push(facts.flags(isSystem));
		const drop = facts.flags((_, id) => hide.some(h => h[id]));
		return pruned(picture.tree, picture.names.length, {
			drop,
			focus,
			recursion: showing.recursion,
			timeOrder: picture.options.flamechart
		});
	}
);

/* The trees to draw: one, or callers and callees of a sandwich. */
const shownTrees = remember(
	() => [filteredTree(), showing.reverse, showing.sandwich],
	() => {
		const tree = filteredTree(),
			n = picture.names.length;
		const id = showing.sandwich && facts.id(showing.sandwich);
		if (id) return sandwiched(tree, n, id);
		return [showing.reverse ? reversed(tree, n) : tree];
	}
);

/* Sums by function over the filtered tree: the inspector's and the list's "all occurrences". */
const functionSums = remember(
	() => [filteredTree()],
	() => tally(filteredTree(), null, picture.names.length)
);

/* The last answer of make, for as long as its key stays the same. */
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

/* How much a value of the head column counts: totals made equal when shares are compared. */
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
	if (isDiff(columns) && showing.view === 'head') return tree.sums[1];
	if (showing.column === 'sum')
		return blend(tree, 'sum', (...v) => v.reduce((a, b) => a + b, 0), columns.length);
	return tree.sums[max(0, columns.indexOf(showing.column))];
}

/* What all shares are of: the whole picture, without filters. */
const wholeWidth = () => widthsOf(picture.tree)[picture.tree.n];

/* Running sums of one number made of each frame's self values. */
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

/*
 * The change of a node: a change below 2 % of the frame or 0.1 % of the whole, or one
 * that a column says is noise, is none.
 */
function changeOf(tree) {
	const [base, head] = tree.sums,
		scale = headScale(),
		{noise, negate} = picture.options;
	const least = 0.001 * max(base[tree.n], head[tree.n] * scale);
	const real =
		noise &&
		blend(
			tree,
			'real',
			(...v) => (v[noise] === 0 && v[0] + v[1] > 0 ? 1 : 0),
			picture.columns.length
		);
	return i => {
		const end = showing.own ? i + 1 : tree.end[i];
		let b = base[end] - base[i],
			h = (head[end] - head[i]) * scale;
		if (negate) [b, h] = [h, b];
		if (b === h || (real && real[end] === real[i])) return SAME;
		if (!b || !h) return b ? REMOVED : ADDED;
		return abs(h - b) < max(0.02 * max(b, h), least) ? SAME : h > b ? SLOWER : FASTER;
	};
}

/* A pane: a tree, its widths, the zoomed node and the window [lo, hi] of its widths. */
function paneOf(tree, up) {
	const sum = widthsOf(tree);
	const change = isDiff(picture.columns) ? changeOf(tree) : null;
	return {
		tree,
		sum,
		up,
		root: 0,
		lo: 0,
		hi: sum[tree.n],
		change,
		offset: 0,
		paint: painter(showing.mode, tree, sum, change)
	};
}

/* The panes of the state, zoomed. */
function arrange() {
	const trees = shownTrees();
	const panes =
		trees.length === 2
			? [paneOf(trees[0], true), paneOf(trees[1], false)]
			: [paneOf(trees[0], !showing.flip)];
	if (trees.length === 2) panes[0].offset = 1;
	const pane = panes[trees.length === 2 && !showing.upper ? 1 : 0];
	pane.root = descend(pane.tree, showing.zoom.map(facts.id));
	pane.lo = pane.sum[pane.root];
	pane.hi = pane.sum[pane.tree.end[pane.root]];
	const [from, to] = showing.range.map(Number);
	if (from >= 0 && to <= 1 && from < to) {
		const span = pane.hi - pane.lo;
		pane.hi = pane.lo + span * to;
		pane.lo += span * from;
	}
	return panes;
}

/* The pane that the zoom is in: the only one, or a half of the sandwich. */
const mainPane = () => panes[panes.length === 2 && !showing.upper ? 1 : 0];

const namesTo = (tree, node) => lineage(tree, node).map(a => picture.names[tree.name[a]]);

/* The path to the zoomed frame: as much of what the state says as there is in this tree. */
const zoomPath = () => namesTo(mainPane().tree, mainPane().root);
