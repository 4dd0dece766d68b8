/*
 * viewer: starts everything, and is the interface window.fg, which the controls, the keys, the
 * tests and the benchmarks use.
 */

let picture,
	facts,
	showing,
	panes = [],
	chosen = null,
	pointed = null;

/* Shows the state: trees, panes, drawing, and everything that depends on them. */
function refresh() {
	const waited = work.waiting.splice(0);
	if (waited.length) ui.page.classList.remove('busy');
	const before = panes,
		root = before.length && mainPane().root,
		pending = startSearch();
	panes = arrange();
	chosen = carried(chosen, before);
	pointed = null;
	redraw();
	if (mainPane().root && mainPane().root !== root && !isMirrored()) reveal({pane: mainPane(), node: mainPane().root});
	settleScroll();
	for (const resolve of waited) resolve(pending);
	return (
		pending &&
		pending.then(() => {
			redraw();
			settleScroll();
		})
	);
}

const MINI_REST = 80; /* ms between two drawings of the minimap while the graph moves */

/* Updates the parts around the graph first: they decide its size, so one layout is enough. */
function redraw() {
	if (moving && !isStep()) endMotion();
	if (moving) {
		/* The parts beside the graph are updated when it rests. */
		draw();
		if (picture.options.flamechart) drawAxis();
		/* Limited in rate: each move of the window repaints the minimap. */
		const now = performance.now();
		if (!(now - moving.mini < MINI_REST)) {
			moving.mini = now;
			drawMinimap();
		}
		return;
	}
	const none = showing.tab === 'none',
		sized = room.wide && ui.side.hidden === none;
	hide(ui.side, none);
	follow();
	if (!sized) {
		measure();
		showCrumbs();
	}
	/* A rough tree is one for a width. */
	if (panes[0].tree.closed && shownTrees()[0] !== panes[0].tree) {
		const before = panes;
		panes = arrange();
		chosen = carried(chosen, before);
		pointed = null;
		follow();
	}
	draw();
	drawMinimap();
	drawn.record = null;
	if (picture.options.flamechart) drawAxis();
	if (picture.options.strip) drawStrip();
	followItem();
}

/* Finds a frame of the old panes in the new ones by its path of names, or returns null. */
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
	if (pane.tree.closed?.[node]) {
		completeTree();
		return carried(at, before);
	}
	return node ? {pane, node} : null;
}

const toPath = path => (Array.isArray(path) ? path : path ? String(path).split(';') : []);

const fg = {
	/* Zooms to a path of names (an array, or joined by `;`), or to a frame {pane, node}. */
	zoom(to) {
		finding.scope = null;
		if (!to || !to.pane) return update({zoom: toPath(to), range: []});
		return update({
			zoom: namesTo(to.pane.tree, to.node),
			range: [],
			upper: isSandwich() && to.pane === panes[0],
			tab: chosen && showing.tab === 'summary' ? 'inspector' : showing.tab
		});
	},
	out: () =>
		showing.range.length
			? update({range: []})
			: update({zoom: zoomPath().slice(0, -1)}),
	/*
	 * Shows the part lo to hi of the graph, in values from its left edge: zooms to the
	 * deepest frame that contains the part, and stores the part as a range of that frame.
	 */
	window(lo, hi, how) {
		settle();
		completeTree();
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
	/*
	 * Selects the samples from one time to another, in seconds; clears the range without
	 * arguments.
	 */
	time(from, to, how) {
		if (!picture.options.strip) return 'This profile has no times';
		return update({time: from === undefined ? [] : [String(from), String(to)], range: []}, how);
	},
	/* Removes all filters and zoom; keeps colours, column and theme. */
	reset() {
		select(null);
		forgetTyping();
		return update({
			...unzoomed,
			time: [],
			search: '',
			mark: '',
			sandwich: '',
			filters: [],
			reverse: false,
			order: '',
			recursion: false,
			system: true
		});
	},
	/* Clears one thing at a time: menu, search and marks, sandwich view, selection. */
	clear() {
		if (ui.menu.open || !ui.popup.hidden) {
			ui.menu.open = false;
			closeMenu();
			return null;
		}
		forgetTyping();
		return showing.search || showing.mark
			? update({search: '', mark: ''})
			: showing.sandwich
				? update({...unzoomed, sandwich: ''})
				: select(null);
	},
	/* Returns {count, share}, or a promise of it if the search takes time. */
	search(pattern) {
		forgetTyping();
		ui.query.value = pattern;
		const pending = update(
			{search: String(pattern), mark: ''},
			showing.search && pattern ? 'replace' : 'push'
		);
		return pending ? pending.then(matches) : matches();
	},
	/* The next match; in a differential without a search, the next smaller change. */
	next: () => found(nextMatch(1)),
	previous: () => found(nextMatch(-1)),
	/* A change below `least` percent of its frame is noise. */
	noise: least => update({noise: String(least)}),
	mark(group) {
		const [kind, name] = groupParts(group);
		return update({
			mark: kind === 'function' ? 'function:' + (facts.functionCalled(name) || name) : group,
			search: ''
		});
	},
	mode: name => (modesOf(picture).includes(name) ? update({mode: name}) : null),
	view: name =>
		isDiff(picture.columns) && VIEWS.includes(name)
			? update({view: name})
			: null,
	column: name =>
		[...picture.columns, 'sum'].includes(name)
			? update({column: name, range: []})
			: null,
	/* By the name of a part of the state that is on or off, or by the key of its command. */
	toggle(name) {
		const key = (Object.hasOwn(COMMANDS, name) && COMMANDS[name].toggles) || name;
		if (typeof showing[key] !== 'boolean' || key === 'upper') return `Nothing to toggle: ${name}`;
		if (key === 'flip') writeChoice(!showing.flip);
		return update(
			key === 'reverse'
				? {...unzoomed, reverse: !showing.reverse}
				: {[key]: !showing[key]}
		);
	},
	focus: (name, kind = 'function') => (kind === 'origin' ? fg.origin(name) : filter('focus', kind, name)),
	hide: (name, kind = 'function') => (kind === 'origin' ? fg.origin(name, true) : filter('hide', kind, name)),
	/*
	 * Shows only frames of that origin; their callees' values are theirs. hide: all but these. Twice:
	 * shows them all again.
	 */
	origin(word, hide) {
		const all = originWords(),
			shown = shownOrigins(),
			rest = showing.filters.filter(entry => entry !== originFilter());
		if (!all.includes(word)) return `The origins are ${all.join(', ')}`;
		const next = hide
			? all.filter(w => shown.includes(w) !== (w === word))
			: shown.join() === word
				? all
				: [word];
		if (!facts.flags((_, id) => next.includes(originWord(id))).includes(1)) return 'No frame would be left';
		return update({filters: next.length === all.length ? rest : ['only:origin:' + next, ...rest]});
	},
	drop: (name, kind = 'function') => filter('drop', kind, name),
	/* Hides the functions that are in no language but native code's, or shows them again. */
	native() {
		const {filters} = showing,
			entry = hideNative();
		if (!picture.options.languages) return 'This profile has only native frames';
		const done = update({filters: filters.includes(entry) ? filters.filter(f => f !== entry) : [...filters, entry]});
		if (filters.includes(entry)) return done;
		return Promise.resolve(done).then(() => {
			const total = tree => widthsOf(tree)[tree.n],
				left = 1 - total(filteredTree()) / total(picture.tree);
			if (left > 0) say(`${percent(left)} is in stacks without ${picture.options.languages}: they are left out`);
		});
	},
	sandwich: name => update({...unzoomed, sandwich: facts.functionCalled(name)}),
	tab: name => update({tab: name}, 'replace'),
	undo: () => retrace(past, future),
	redo: () => retrace(future, past),
	select(path) {
		settle();
		completeTree();
		return select({
			pane: mainPane(),
			node: descend(mainPane().tree, toPath(path).map(facts.id))
		});
	},
	/* The parts of a frame's whole name: {text, module, file, notes}. */
	about: name => facts.parts(facts.id(name) || 0),
	/* {line, notes}: the command that makes this view. */
	command() {
		settle();
		return commandLine();
	},
	/* The view as folded text. */
	folded() {
		settle();
		let text = '';
		eachPart(part => (text += textOf(part)));
		return text || '\n';
	},
	state() {
		settle();
		completeTree();
		return {
		...showing,
		zoom: zoomPath(),
		matches: matches(),
		frames: mainPane().tree.n,
		total: mainPane().sum[mainPane().tree.n],
		window: [mainPane().lo, mainPane().hi],
		selected: chosen && namesTo(chosen.pane.tree, chosen.node),
		note: finding.note
		};
	}
};

/* Goes to a match, and zooms in if it is too narrow to read; false if there is none. */
function found(at) {
	if (!at) return false;
	const zoom = closer(at),
		{tree, root} = mainPane(),
		scope = finding.scope || {tree, node: root};
	select(at);
	if (zoom) {
		update({zoom, range: []});
		select({pane: mainPane(), node: at.node});
	}
	finding.scope = scope;
	showFound();
	return true;
}

const MOST_FILTERS = 30;

/*
 * Adds a filter. One that removes nothing, or that fg-filter would not accept, is refused with
 * a message.
 */
function filter(what, kind, name) {
	if (!KINDS.includes(kind)) return `Cannot filter by ${kind}, only by function or module`;
	const wrong = misnamed(kind, name);
	if (wrong) return wrong;
	const known = kind === 'function' ? facts.functionCalled(name) : name,
		entry = `${what}:${kind}:${known}`;
	if (kind === 'match' && !isQuick(name)) return `No filter: ${unlike(name)}`;
	if (!known || !groupFlags(kind + ':' + known).includes(1)) return name ? `No frame is named ${name}` : 'Select a frame first';
	if (showing.filters.includes(entry)) return 'This filter is set already';
	if (showing.filters.length >= MOST_FILTERS) return `There are ${MOST_FILTERS} filters already`;
	return update({filters: [...showing.filters, entry]});
}

/* Adds styles in a way that a page's policy against inline styles permits. */
function dress(css) {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(css);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

function begin(svg, what = readOptions(svg), tree) {
	picture = {svg, ...readPicture(svg.fgData, what, tree)};
	dress(textOf(svg.fgData.style) + picture.colours);
	facts = learn(picture.names);
	readChoice();
	showing = fromHash(location.hash);
	buildPage();
	refresh();
	listen();
	svg.fg = fg;
	if (!window.fg?.state) window.fg = fg;
	svg.fgData = null;
}

if (typeof beginLarge === 'function') beginLarge();
else begin(document.currentScript.closest('svg'));
