/*
 * calltree: the calls as a table that opens level by level, designed for the keyboard: from
 * the root to the callees, or from each function to its callers. Only visible rows are in the
 * page.
 */

const calls = {up: false, open: new Set(), unfolded: new Set(), runs: {}, rows: [], at: 0, tree: null};

/* The children of a node, heaviest first. */
function childrenOf(tree, node) {
	const of = [],
		width = widthsOf(tree);
	for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) if (!isGap(tree, i)) of.push(i);
	const by = isDiff(picture.columns)
		? i => abs(totalOf(tree, tree.sums[1], i) * headScale() - totalOf(tree, tree.sums[0], i))
		: i => totalOf(tree, width, i);
	return of.sort((a, b) => by(b) - by(a) || a - b);
}

/*
 * Runs of code that is not own, which are one row here too, until a double click or Enter opens
 * them: see layRows. Callers of a function have none.
 */
const callRuns = remember(
	() => [calls.tree, widthsOf(calls.tree), showing.fold, calls.unfolded, calls.unfolded.size],
	() => {
		const {tree} = calls,
			rows = calls.up || !(showing.fold || facts.foreign()) ? null : layRows(tree, widthsOf(tree), calls.unfolded);
		return {tree, rows, row: rows ? rows.row : tree.level};
	}
);

/* The rows below open ones, in order. */
function callRows(tree) {
	const rows = [],
		pile = childrenOf(tree, 0).reverse();
	while (pile.length) {
		const node = pile.pop();
		rows.push(node);
		if (calls.open.has(node)) pile.push(...calleesOf(tree, node).reverse());
	}
	return rows;
}

/* The children of a row: of a run those of all its frames, but for the run itself. */
function calleesOf(tree, node) {
	const end = rowEnd(calls.runs, node),
		callees = childrenOf(tree, end);
	for (let i = end; i !== node; i = tree.parent[i]) callees.push(...childrenOf(tree, tree.parent[i]).filter(k => k !== i));
	return callees;
}

function showTree() {
	const tree = calls.up ? callersTree() : filteredTree();
	if (calls.tree !== tree) {
		Object.assign(calls, {tree, at: 0, open: new Set(), unfolded: new Set()});
		calls.runs = callRuns();
		/* Opens single-child runs, so that the first view has content. */
		for (let node = 0, next; (next = calleesOf(tree, node)).length === 1 && calls.open.size < 20; ) {
			node = next[0];
			calls.open.add(node);
		}
	}
	calls.runs = callRuns();
	if (!ui.panel.contains(calls.body)) buildTree();
	calls.rows = callRows(tree);
	calls.at = max(0, min(calls.rows.length - 1, calls.at));
	calls.ways.forEach(e => change(e, {'aria-pressed': (e.dataset.way === 'callers') === calls.up}));
	showCalls();
}

function buildTree() {
	calls.ways = ['callees', 'callers'].map(way =>
		actButton({'data-way': way}, way === 'callees' ? 'From the root' : 'Callers', () => {
			calls.up = way === 'callers';
			showTree();
		})
	);
	const heads = isDiff(picture.columns) ? ['base', 'head', 'change'] : ['self', 'total'];
	buildLines(
		calls,
		{class: 'list calls', role: 'tree', 'aria-label': 'call tree: arrow keys walk, open and close'},
		{
			onscroll: showCalls,
			onkeydown: walkCalls,
			onclick({target, detail}) {
				const line = target.closest('[data-row]');
				if (!line) return;
				calls.at = +line.dataset.row;
				if (target.closest('.twist') || (detail === 2 && !unfold(calls.rows[calls.at]))) twist(calls.rows[calls.at]);
				chooseCall();
			}
		}
	);
	renew(
		ui.panel,
		h('div', {class: 'head group'}, ...calls.ways),
		(calls.heads = h('div', {class: 'line sorts'}, ...heads.map(text => h('span', {}, text)), h('span', {}, 'name'))),
		calls.body
	);
	setColumns(calls, isDiff(picture.columns) ? [62, 62, 72] : [66, 66]);
	calls.tall = calls.body.clientHeight;
}

/* Opens a run; true if the row is one. */
function unfold(node) {
	if (chainLength(calls.runs, node) < CHAIN) return false;
	/* Its frames are rows, open to those that were below the run. */
	if (calls.open.has(node))
		for (let i = rowEnd(calls.runs, node); i !== node; i = calls.tree.parent[i]) calls.open.add(i);
	calls.open.add(node);
	calls.unfolded.add(node);
	showTree();
	return true;
}

function twist(node, open = !calls.open.has(node)) {
	if (open) calls.open.add(node);
	else calls.open.delete(node);
	showTree();
}

/* The row's frame, selected in the graph if it is drawn there. */
function chooseCall() {
	const node = calls.rows[calls.at],
		{tree} = calls;
	completeTree();
	const pane = mainPane();
	const path = lineage(tree, node).map(a => tree.name[a]);
	const there = !isSandwich() && showing.reverse === calls.up ? descend(pane.tree, path) : 0;
	select(there && pane.tree.level[there] === path.length ? {pane, node: there} : null);
	picked = {kind: 'function', name: facts.functionOf(tree.name[node])};
	showCalls();
	calls.body.focus({preventScroll: true});
}

function showCalls() {
	const {tree} = calls,
		whole = wholeWidth() || 1,
		wholes = timedTree().sums.map(sum => sum[timedTree().n] || 1),
		width = widthsOf(tree),
		change = isDiff(picture.columns) && changeOf(tree);
	const figures = node => {
		const total = totalOf(tree, width, node) / whole;
		if (change) {
			const [b, v] = tree.sums.map(sum => totalOf(tree, sum, node));
			return [
				shareCell(b / wholes[0]),
				shareCell(v / wholes[1]),
				changeCell((v * headScale() - b) / wholes[0], change(node) !== SAME)
			];
		}
		/*
		 * A caller has no self value in its callees: in the tree of callers only the
		 * leaf has one.
		 */
		const self = calls.up ? (tree.level[node] > 1 ? NaN : total) : ownOf(tree, width, node) / whole;
		return [shareCell(self), shareCell(total)];
	};
	showRows(calls, 'call', (node, k) => {
		const has = calleesOf(tree, node).length > 0,
			open = calls.open.has(node),
			run = chainLength(calls.runs, node),
			ends = [node, rowEnd(calls.runs, node)].map(i => frameText(tree.name[i])),
			text = run < CHAIN ? ends[0] : runText(...ends, run),
			level = rowAt(calls.runs, node),
			indent = min(12, level - 1) * 10;
		return [
			{
				role: 'treeitem',
				'aria-level': level,
				'aria-expanded': has ? open : undefined,
				title: text
			},
			...figures(node),
			h(
				'span',
				{class: 'name', style: `padding-left:${indent}px`},
				h('span', {class: 'twist', 'aria-hidden': true}, has ? (open ? '▾ ' : '▸ ') : '  '),
				run < CHAIN ? rowName(calls, text, indent + 16) : chainLabel(...ends, run, nameRoom(calls, indent + 16, ''))
			)
		];
	});
}

/* The frame whose row has a frame. */
function rowOf(node) {
	while (isFolded(calls.runs, node)) node = calls.tree.parent[node];
	return node;
}

function walkCalls(event) {
	const {key} = event,
		step = STEPS[key],
		node = calls.rows[calls.at];
	if (node === undefined) return;
	if (key === 'ArrowRight') {
		if (!calls.open.has(node)) twist(node, true);
		else calls.at++;
	} else if (key === 'ArrowLeft') {
		if (calls.open.has(node)) twist(node, false);
		else calls.at = max(0, calls.rows.indexOf(rowOf(calls.tree.parent[node])));
	} else if (key === 'Enter') {
		if (!unfold(node)) twist(node);
	} else if (step) {
		goToRow(calls, calls.at + step);
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
	goToRow(calls, calls.at);
	chooseCall();
}
