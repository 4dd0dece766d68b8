/*
 * commands: all commands of keys and buttons, and the keyboard. If run returns a string, it is
 * shown to the user: the reason why there is nothing to do.
 */

/* The selection as {kind, name}: a row of the list, or a frame's function; or null. */
function subject() {
	if (picked) return picked;
	const {pane, node} = current(),
		id = pane.tree.name[node];
	return id ? {kind: 'function', name: facts.functionOf(id)} : null;
}

const functionOr = act => () => {
	const what = subject();
	if (!what) return 'Select a frame first';
	return act(what.name, what.kind);
};
const moduleOr = act => () => {
	const what = subject();
	if (!what) return 'Select a frame first';
	const module = what.kind === 'function' ? facts.partsOf(what.name).module : '';
	return module ? act(module, 'module') : 'The module of this frame is unknown';
};
const needsDiff = act => () =>
	isDiff(picture.columns) ? act() : 'Nothing to compare: this is a single profile, not a differential';

const toggles = (key, text, why = () => '') => ({
	text,
	toggles: key,
	run: () => (!showing[key] === !firstState(picture)[key] && why()) || fg.toggle(key),
	on: () => showing[key]
});
const tab = (name, text) => ({
	text,
	on: () => showing.tab === name,
	run: () =>
		fg.tab(showing.tab === name ? (name === 'summary' ? 'none' : 'summary') : name)
});
const view = (name, text) => ({
	text,
	run: needsDiff(() => fg.view(name)),
	on: () => showing.view === name
});
const mode = (name, why) => ({
	text: `Colour by ${name}`,
	run: () => (modesOf(picture).includes(name) ? fg.mode(name) : why)
});
const matchOr = act => () =>
	act() ||
	(showing.search || showing.mark
		? 'No match'
		: isDiff(picture.columns)
			? picture.options.exact
				? 'Nothing changed'
				: `No change is above ${picture.summary.grew ? 'the noise' : 'the threshold'}`
			: 'No search: press / first');

const noSystem = () =>
	systemFlags().includes(1) ? '' : 'This profile does not mark system calls';

function noRecursion() {
	const {n, name, parent} = filteredTree();
	for (let i = 1; i < n; i++) if (name[i] === name[parent[i]] && parent[i]) return '';
	return 'No function here calls itself';
}

const COMMANDS = {
	Enter: {text: 'Zoom', run: () => fg.zoom(current())},
	Backspace: {text: 'Zoom out', run: () => fg.out()},
	0: {text: 'Reset: no filters, no zoom', run: () => fg.reset()},
	Escape: {text: 'Clear menu, search, marks or selection', run: () => fg.clear()},
	'/': {text: 'Search', run: () => ui.query.select()},
	n: {text: 'Next match, heaviest first; without a search, the next change of a differential', run: matchOr(() => fg.next())},
	N: {text: 'Previous match or change', run: matchOr(() => fg.previous())},
	i: toggles('flip', 'Root on top'),
	r: toggles('reverse', 'Reversed'),
	c: toggles('recursion', 'Collapse recursion', noRecursion),
	w: {
		text: 'Heaviest first',
		run: () => update({order: showing.order ? '' : 'weight', range: []}),
		on: () => showing.order === 'weight'
	},
	l: toggles('fold', 'Fold single-child runs'),
	k: toggles('system', 'System calls', noSystem),
	p: {
		text: 'No native frames',
		run: () => fg.native(),
		on: () => showing.filters.includes(hideNative())
	},
	O: {
		text: 'Only user code',
		run: () => fg.origin('user'),
		on: () => shownOrigins().join() === 'user'
	},
	s: {
		text: 'Callers and callees',
		run: () => {
			if (showing.sandwich && subject()?.name === showing.sandwich) return fg.sandwich('');
			return functionOr((name, kind) =>
				kind === 'function' ? fg.sandwich(name) : 'Only a function has callers and callees'
			)();
		}
	},
	f: {text: 'Focus: only stacks with it', run: functionOr((...of) => fg.focus(...of))},
	F: {text: 'Focus its module', run: moduleOr((...of) => fg.focus(...of))},
	h: {text: 'Hide: its value goes to its caller', run: functionOr((...of) => fg.hide(...of))},
	H: {text: 'Hide its module', run: moduleOr((...of) => fg.hide(...of))},
	D: {text: 'Drop: remove stacks with it', run: functionOr((...of) => fg.drop(...of))},
	m: {
		text: 'Mark all its frames',
		run: functionOr((name, kind) => {
			const group = kind + ':' + name;
			return fg.mark(showing.mark === group ? '' : group);
		})
	},
	1: mode('origin'),
	2: mode('function'),
	3: mode('differential', 'Nothing to compare: this is a single profile, not a differential'),
	4: {
		text: 'Colour by bottleneck or wait',
		run: () => {
			const [name] = modesOf(picture).filter(m => m === 'bottleneck' || m === 'wait');
			return name ? fg.mode(name) : 'This profile has no bottleneck or wait columns';
		}
	},
	b: view('base', 'Base: widths before the change'),
	e: view('head', 'Head: widths after the change'),
	B: view('both', 'Both: base above, head below'),
	d: view('diff', 'Diff: the larger of both widths'),
	o: {...toggles('own', 'Colour by change of self'), run: needsDiff(() => fg.toggle('own'))},
	a: {...toggles('share', 'Make both totals equal'), run: needsDiff(() => fg.toggle('share'))},
	A: tab('summary', 'Summary'),
	I: tab('inspector', 'Inspector'),
	t: tab('functions', 'Function list'),
	g: tab('tree', 'Call tree'),
	'?': tab('help', 'Help'),
	x: {text: 'Close the panel', run: () => fg.tab('none')},
	y: {text: 'Copy name', run: () => copy(subjectName() || 'all', 'Name')},
	Y: {text: 'Copy stack', run: () => copy(stackText(current()), 'Stack')},
	u: {text: 'Undo', run: () => fg.undo()},
	U: {text: 'Redo', run: () => fg.redo()},
	T: {
		text: 'Theme: system, dark, light',
		run: () => update({theme: {'': 'dark', dark: 'light', light: ''}[showing.theme]})
	},
	S: {text: 'Save as folded text', run: save},
	V: {text: 'Save as SVG', run: saveSvg},
	P: {text: 'Save as PNG', run: savePng},
	C: {text: 'Copy the command for this view', run: copyCommand},
	L: {
		text: 'Copy a link',
		run: () => {
			tellAddress();
			return copy(location.href, 'Link');
		}
	}
};

/* A list row's name, or a frame's name as in the input. */
const subjectName = () => {
	const {pane, node} = current();
	return picked ? picked.name : picture.names[pane.tree.name[node]];
};

/* The gestures of the pointer, for the help. */
const GESTURES = {
	'← ↑ → ↓': 'Walk',
	click: 'Select and zoom',
	'Alt-click, right click': 'Select, with a menu',
	'click, Shift-click on the legend': 'Only code of that origin, without it',
	drag: 'Pan',
	'drag over the times': 'Select a range of time',
	'Shift-drag': 'Zoom to a range',
	'wheel sideways': 'Pan',
	'Ctrl-wheel': 'Zoom',
	'tap, tap': 'Inspect, zoom',
	'two fingers': 'Zoom and pan'
};

/* Runs a command, and shows its message. */
function obey(key) {
	const command = Object.hasOwn(COMMANDS, key) && COMMANDS[key];
	if (!command) return;
	if (key !== 'Escape') closeMenu();
	const words = command.run();
	if (typeof words === 'string' && words) say(words);
}

/*
 * In a page of its own, the picture handles all keys, wherever the focus is. Embedded in
 * another page, it handles them only while the graph has the focus.
 */
function onKey(event) {
	const {key, target} = event,
		plain = !event.ctrlKey && !event.metaKey && !event.altKey;
	if (event.defaultPrevented) return;
	if (target === ui.query) {
		if (plain && key === 'Enter') {
			if (typing.timer || ui.query.value !== showing.search) {
				forgetTyping();
				fg.search(ui.query.value);
			}
			obey(event.shiftKey ? 'N' : 'n');
		} else if (plain && key === 'Escape') {
			fg.search('');
			ui.graph.focus();
		}
		return;
	}
	if (!ownsPage() && target !== ui.graph && !ui.popup.contains(target)) return;
	if (ownsPage() && !plain && !event.altKey && key === 'f') {
		event.preventDefault();
		ui.query.select();
	} else if (
		plain &&
		!target.closest('input, select, textarea') &&
		!(key === 'Enter' && target.closest('button, summary, a'))
	) {
		const walk = key.startsWith('Arrow');
		if (!walk && !Object.hasOwn(COMMANDS, key)) return;
		event.preventDefault();
		if (ui.popup.contains(target) && walk) {
			const items = [...ui.popup.children],
				by = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : items.length - 1;
			items[(items.indexOf(target) + by) % items.length].focus();
		} else if (walk) {
			const to = neighbour(current(), key);
			if (to) select(to);
		} else {
			obey(key);
		}
	}
}

/* The frame next to `at` in a direction of the screen. */
function neighbour({pane, node}, key) {
	const {tree, sum} = pane,
		{end, level, parent} = tree,
		span = i => (isGap(tree, i) ? 0 : sum[end[i]] - sum[i]);
	if (key === 'ArrowLeft' || key === 'ArrowRight') {
		const by = key === 'ArrowRight' ? 1 : -1;
		for (let i = by > 0 ? end[node] : node - 1; i > 0 && i < tree.n; i += by)
			if (level[i] === level[node] && span(i)) return {pane, node: i};
		return null;
	}
	if ((key === 'ArrowUp') !== pane.up) return node ? {pane, node: parent[node]} : null;
	let widest = 0;
	for (let i = node + 1; i < end[node]; i = end[i])
		if (span(i) && !(widest && span(i) <= span(widest))) widest = i;
	return widest ? {pane, node: widest} : null;
}

/* Sets the target of commands. */
function choose(at) {
	chosen = at;
	picked = null;
	pointed = null;
}

/* Selects a frame, visibly and for a screen reader. */
function select(at, stay) {
	if (at?.pane.tree.closed?.[at.node]) {
		const before = panes;
		completeTree();
		at = carried(at, before);
	}
	choose(at);
	outline(ui.selected, at);
	outline(ui.hovered, null);
	if (!at) {
		showFrame();
		return;
	}
	reveal(at);
	tellItem(at);
	if (!stay) tellOfIt();
	showFrame();
	showFound();
}

/* Opens the frame's details when the user selects one. */
function tellOfIt() {
	if (showing.tab === 'summary') fg.tab('inspector');
}

/* Makes the accessibility tree's item the current frame, also after a reset or in other panes. */
function followItem() {
	const {pane, node} = current();
	if (followItem.node !== node || followItem.tree !== pane.tree || followItem.root !== pane.root) tellItem({pane, node}, true);
}

/*
 * Sets the attributes of the accessibility tree's item: the number of siblings, and its
 * position. quiet: without an announcement.
 */
function tellItem({pane, node}, quiet) {
	Object.assign(followItem, {node, tree: pane.tree, root: pane.root});
	const {level, end, parent} = pane.tree;
	let set = 0,
		place = 1;
	if (node)
		for (let i = parent[node] + 1; i < end[parent[node]]; i = end[i]) {
			set++;
			if (i === node) place = set;
		}
	change(ui.item, {
		'aria-level': level[node] + 1,
		'aria-posinset': place,
		'aria-setsize': max(1, set)
	});
	if (end[node] > node + 1) change(ui.item, {'aria-expanded': true});
	else {
		ui.item.removeAttribute('aria-expanded');
		delete ui.item.fgLast['aria-expanded'];
	}
	const text = describe({pane, node});
	setText(ui.item, text);
	if (!quiet) setText(ui.live, text);
}
