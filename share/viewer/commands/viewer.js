/*
 * viewer: begins everything, and is the interface window.fg, through which the
 * controls, the keys, the tests and the benchmarks go.
 */

let picture,
	facts,
	showing,
	panes = [],
	chosen = null,
	pointed = null;

/* Show the state: trees, panes, drawing, and all that tells of them. */
function refresh() {
	const before = panes,
		pending = startSearch();
	panes = arrange();
	chosen = carried(chosen, before);
	pointed = null;
	redraw();
	return pending && pending.then(redraw);
}

/* Side first: the graph's width depends on whether the panel is open. */
function redraw() {
	ui.side.hidden = showing.tab === 'none';
	draw();
	drawMinimap();
	follow();
}

/* A frame of the panes before, in the panes now: the same path of names, or nothing. */
function carried(at, before) {
	if (!at || panes.length !== before.length) return null;
	const pane = panes[before.indexOf(at.pane)],
		old = at.pane.tree;
	if (!pane) return null;
	if (pane.tree === old) return {pane, node: at.node};
	const node = descend(
		pane.tree,
		lineage(old, at.node).map(a => old.name[a])
	);
	return node ? {pane, node} : null;
}

const toPath = path => (Array.isArray(path) ? path : path ? String(path).split(';') : []);

const fg = {
	/* Zoom to a path of names (an array, or joined by `;`), or to a frame {pane, node}. */
	zoom(to) {
		if (!to || !to.pane) return update({zoom: toPath(to), range: []});
		return update({
			zoom: namesTo(to.pane.tree, to.node),
			range: [],
			upper: panes.length === 2 && to.pane === panes[0]
		});
	},
	out: () =>
		showing.range.length
			? update({range: []})
			: update({zoom: zoomPath().slice(0, -1)}),
	/* Look at the part [lo, hi] of all widths: the deepest frame around it, and a range of that. */
	window(lo, hi, how) {
		const pane = mainPane(),
			{tree, sum} = pane,
			whole = sum[tree.n];
		const span = min(whole, hi - lo);
		lo = max(0, min(whole - span, lo));
		hi = lo + span;
		let node = 0;
		for (let i = 1; i < tree.end[node];)
			if (sum[i] <= lo && sum[tree.end[i]] >= hi) node = i++;
			else i = tree.end[i];
		const from = sum[node],
			size = totalOf(tree, sum, node);
		const range =
			hi - lo >= size * 0.9999 ? [] : [(lo - from) / size, (hi - from) / size];
		return update(
			{zoom: namesTo(tree, node), range: range.map(v => v.toPrecision(12))},
			how
		);
	},
	/* Everything shown again; colours, column and theme stay. */
	reset: () =>
		update({
			...unzoomed,
			search: '',
			mark: '',
			sandwich: '',
			filters: [],
			reverse: false,
			recursion: false,
			system: true
		}),
	clear() {
		ui.menu.open = false;
		return showing.search || showing.mark
			? update({search: '', mark: ''})
			: showing.sandwich
				? update({...unzoomed, sandwich: ''})
				: select(null);
	},
	/* Returns {count, share}, or a promise of it where the pattern takes its time. */
	search(pattern) {
		ui.query.value = pattern;
		const pending = update(
			{search: String(pattern), mark: ''},
			showing.search && pattern ? 'replace' : 'push'
		);
		return pending ? pending.then(matches) : matches();
	},
	next: () => found(nextMatch(1)),
	previous: () => found(nextMatch(-1)),
	mark: group => update({mark: group, search: ''}),
	mode: name => (modesOf(picture).includes(name) ? update({mode: name}) : null),
	view: name =>
		isDiff(picture.columns) && ['base', 'head', 'diff'].includes(name)
			? update({view: name})
			: null,
	column: name =>
		[...picture.columns, 'sum'].includes(name)
			? update({column: name, range: []})
			: null,
	toggle: key =>
		update(
			key === 'reverse'
				? {...unzoomed, reverse: !showing.reverse}
				: {[key]: !showing[key]}
		),
	focus: (name, kind = 'function') => filter('focus', kind, name),
	hide: (name, kind = 'function') => filter('hide', kind, name),
	sandwich: name => update({...unzoomed, sandwich: facts.id(name) ? name : ''}),
	tab: name => update({tab: name}, 'replace'),
	undo: () => retrace(past, future),
	redo: () => retrace(future, past),
	select: path =>
		select({
			pane: mainPane(),
			node: descend(mainPane().tree, toPath(path).map(facts.id))
		}),
	/* What is shown, filters and zoom applied, as folded text. */
	folded: () =>
		foldedText(mainPane().tree, picture.names, mainPane().root, picture.columns, exact),
	state: () => ({
		...showing,
		zoom: zoomPath(),
		matches: matches(),
		frames: mainPane().tree.n,
		total: mainPane().sum[mainPane().tree.n],
		selected: chosen && namesTo(chosen.pane.tree, chosen.node),
		note: finding.note
	})
};

function found(at) {
	if (at) select(at);
}

function filter(what, kind, name) {
	const entry = `${what}:${kind}:${name}`;
	return name && !showing.filters.includes(entry)
		? update({filters: [...showing.filters, entry]})
		: null;
}

/* Styles that a page's rule against inline ones does not reach. */
function dress({style, colours}) {
	const sheet = new CSSStyleSheet(),
		text = new TextDecoder();
	sheet.replaceSync(text.decode(style) + text.decode(colours));
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function begin() {
	const svg = document.currentScript.closest('svg');
	dress(svg.fgData);
	picture = {svg, ...readPicture(svg)};
	facts = learn(picture.names);
	showing = fromHash(location.hash);
	buildPage();
	refresh();
	listen();
	window.fg = fg;
	svg.fgData = null;
}

begin();
