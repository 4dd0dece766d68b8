/*
 * calltree: the calls as a table that opens level by level, for the keyboard first: from the
 * root to the callees, or from each function to its callers. Only visible rows are in the page.
 */

const calls = {up: false, open: new Set(), rows: [], at: 0, tree: null};

const callersTree = remember(
	() => [filteredTree()],
	() => reversed(filteredTree())
);

/* The children of a node, the heaviest first. */
function childrenOf(tree, node) {
	const of = [],
		width = widthsOf(tree);
	for (let i = node + 1; i < tree.end[node]; i = tree.end[i]) if (!isGap(tree, i)) of.push(i);
	const by = isDiff(picture.columns)
		? i => abs(totalOf(tree, tree.sums[1], i) * headScale() - totalOf(tree, tree.sums[0], i))
		: i => totalOf(tree, width, i);
	return of.sort((a, b) => by(b) - by(a) || a - b);
}

/* The rows that are open, in order. */
function callRows(tree) {
	const rows = [],
		pile = childrenOf(tree, 0).reverse();
	while (pile.length) {
		const node = pile.pop();
		rows.push(node);
		if (calls.open.has(node)) pile.push(...childrenOf(tree, node).reverse());
	}
	return rows;
}

function showTree() {
	const tree = calls.up ? callersTree() : filteredTree();
	if (calls.tree !== tree) {
		Object.assign(calls, {tree, at: 0, open: new Set()});
		/* Open what has no choice, so that the first look sees something. */
		for (let node = 0, next; (next = childrenOf(tree, node)).length === 1 && calls.open.size < 20; ) {
			node = next[0];
			calls.open.add(node);
		}
	}
	if (!ui.panel.contains(calls.body)) buildTree();
	calls.rows = callRows(tree);
	calls.at = max(0, min(calls.rows.length - 1, calls.at));
	calls.window.style.height = calls.rows.length * LINE + 'px';
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
	calls.window = h('div', {class: 'lines'});
	calls.body = h(
		'div',
		{class: 'list calls', role: 'tree', tabindex: 0, 'aria-label': 'call tree: arrow keys walk, open and close'},
		calls.window
	);
	calls.body.onscroll = showCalls;
	calls.body.onkeydown = walkCalls;
	calls.body.onclick = event => {
		const line = event.target.closest('[data-row]');
		if (!line) return;
		calls.at = +line.dataset.row;
		if (event.target.closest('.twist') || event.detail === 2) twist(calls.rows[calls.at]);
		chooseCall();
	};
	renew(
		ui.panel,
		h('div', {class: 'head group'}, ...calls.ways),
		h('div', {class: 'line sorts'}, ...heads.map(text => h('span', {}, text)), h('span', {}, 'name')),
		calls.body
	);
	calls.tall = calls.body.clientHeight;
}

function twist(node, open = !calls.open.has(node)) {
	if (open) calls.open.add(node);
	else calls.open.delete(node);
	showTree();
}

/* The row's frame: selected in the graph where it is drawn there. */
function chooseCall() {
	const node = calls.rows[calls.at],
		{tree} = calls,
		pane = mainPane();
	const path = lineage(tree, node).map(a => tree.name[a]);
	const there = !isSandwich() && showing.reverse === calls.up ? descend(pane.tree, path) : 0;
	select(there && pane.tree.level[there] === path.length ? {pane, node: there} : null);
	picked = {kind: 'function', name: facts.functionOf(tree.name[node])};
	showCalls();
	calls.body.focus({preventScroll: true});
}

function showCalls() {
	const {tree, rows, body} = calls,
		diff = isDiff(picture.columns),
		first = max(0, floor(body.scrollTop / LINE) - 5),
		whole = wholeWidth() || 1,
		wholes = timedTree().sums.map(sum => sum[timedTree().n] || 1),
		width = widthsOf(tree);
	calls.tall ||= body.clientHeight;
	calls.window.replaceChildren(
		...rows.slice(first, first + calls.tall / LINE + 10).map((node, i) => {
			const k = first + i,
				has = childrenOf(tree, node).length > 0,
				open = calls.open.has(node);
			const [b, v] = diff ? tree.sums.map(sum => totalOf(tree, sum, node)) : [];
			const effect = diff ? (v * headScale() - b) / wholes[0] : 0;
			return h(
				'div',
				{
					class: 'line',
					role: 'treeitem',
					id: `${ui.page.id}-call-${k}`,
					'data-row': k,
					style: `top:${k * LINE}px`,
					'aria-level': tree.level[node],
					'aria-expanded': has ? open : undefined,
					'aria-selected': k === calls.at,
					title: frameText(tree.name[node])
				},
				...(diff
					? [
							h('span', {}, percent(b / wholes[0])),
							h('span', {}, percent(v / wholes[1])),
							h('span', {class: effect > 0 ? 'up' : 'down'}, signed(effect, percent))
						]
					: [
							/* Who calls has no part in what is spent below: of callers only the leaf has self. */
							h(
								'span',
								{},
								!calls.up
									? percent(ownOf(tree, width, node) / whole)
									: tree.level[node] > 1
										? '–'
										: percent(totalOf(tree, width, node) / whole)
							),
							h('span', {}, percent(totalOf(tree, width, node) / whole))
						]),
				h(
					'span',
					{class: 'name', style: `padding-left:${min(12, tree.level[node] - 1) * 10}px`},
					h('span', {class: 'twist', 'aria-hidden': true}, has ? (open ? '▾ ' : '▸ ') : '  '),
					frameText(tree.name[node])
				)
			);
		})
	);
	change(body, {'aria-activedescendant': `${ui.page.id}-call-${calls.at}`});
}

function walkCalls(event) {
	const {key} = event,
		step = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -1e9, End: 1e9}[key],
		node = calls.rows[calls.at];
	if (node === undefined) return;
	if (key === 'ArrowRight') {
		if (!calls.open.has(node)) twist(node, true);
		else calls.at++;
	} else if (key === 'ArrowLeft') {
		if (calls.open.has(node)) twist(node, false);
		else calls.at = max(0, calls.rows.indexOf(calls.tree.parent[node]));
	} else if (key === 'Enter') {
		twist(node);
	} else if (step) {
		calls.at = max(0, min(calls.rows.length - 1, calls.at + step));
	} else {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
	calls.at = min(calls.at, calls.rows.length - 1);
	const top = calls.at * LINE;
	calls.body.scrollTop = max(top + LINE - calls.tall, min(top, calls.body.scrollTop));
	chooseCall();
}
