/*
 * commands: everything a key or a button can ask for, and the keyboard.
 */

const frameName = () => current().node && picture.names[current().pane.tree.name[current().node]];
const moduleName = () => frameName() && facts.parts(facts.id(frameName())).module;
const toggles = (key, text) => ({text, run: () => fg.toggle(key), on: () => showing[key]});
const tab = (name, text) => ({
	text,
	on: () => showing.tab === name,
	run: () =>
		fg.tab(showing.tab === name ? (name === 'inspector' ? 'none' : 'inspector') : name)
});
const view = (name, text) => ({text, run: () => fg.view(name), on: () => showing.view === name});
const mode = name => ({text: `Colour by ${name}`, run: () => fg.mode(name)});

const COMMANDS = {
	Enter: {text: 'Zoom', run: () => fg.zoom(current())},
	Backspace: {text: 'Zoom out', run: () => fg.out()},
	0: {text: 'Show everything again', run: () => fg.reset()},
	Escape: {text: 'Clear search and marks', run: () => fg.clear()},
	'/': {text: 'Search', run: () => ui.query.select()},
	n: {text: 'Next match', run: () => fg.next()},
	N: {text: 'Previous match', run: () => fg.previous()},
	i: toggles('flip', 'Root on top'),
	r: toggles('reverse', 'Reversed'),
	c: toggles('recursion', 'Collapse recursion'),
	k: toggles('system', 'System calls'),
	s: {
		text: 'Callers and callees',
		run: () => fg.sandwich(showing.sandwich ? '' : frameName())
	},
	f: {text: 'Focus', run: () => fg.focus(frameName())},
	F: {text: 'Focus module', run: () => fg.focus(moduleName(), 'module')},
	h: {text: 'Hide', run: () => fg.hide(frameName())},
	H: {text: 'Hide module', run: () => fg.hide(moduleName(), 'module')},
	m: {text: 'Mark all of this name', run: () => fg.mark('function:' + frameName())},
	1: mode('origin'),
	2: mode('function'),
	3: mode('differential'),
	4: mode('bottleneck'),
	b: view('base', 'Base: as wide as before'),
	e: view('head', 'Head: as wide as now'),
	d: view('diff', 'Diff: as wide as the larger'),
	o: toggles('own', 'Colour by change of self'),
	a: toggles('share', 'Make both totals equal'),
	I: tab('inspector', 'Inspector'),
	t: tab('functions', 'Function list'),
	'?': tab('help', 'Help'),
	x: {text: 'Close the panel', run: () => fg.tab('none')},
	y: {text: 'Copy name', run: () => copy(frameName() || 'all', 'Name')},
	Y: {text: 'Copy stack', run: () => copy(stackText(current()), 'Stack')},
	u: {text: 'Undo', run: () => fg.undo()},
	U: {text: 'Redo', run: () => fg.redo()},
	T: {
		text: 'Theme: system, dark, light',
		run: () => update({theme: {'': 'dark', dark: 'light', light: ''}[showing.theme]})
	},
	S: {text: 'Save as folded text', run: save},
	L: {text: 'Copy a link', run: () => copy(location.href, 'Link')}
};

/* What the pointer does, for the help. */
const GESTURES = {
	'← ↑ → ↓': 'Walk',
	click: 'Zoom',
	'Shift-drag': 'Zoom to a range',
	'Ctrl-wheel': 'Zoom',
	'tap, tap': 'Inspect, zoom'
};

function onKey(event) {
	const {key, target} = event,
		plain = !event.ctrlKey && !event.metaKey && !event.altKey;
	if (!plain && !event.altKey && key === 'f') {
		event.preventDefault();
		ui.query.select();
	} else if (plain && target === ui.query) {
		if (key === 'Enter') {
			fg.search(ui.query.value);
			COMMANDS[event.shiftKey ? 'N' : 'n'].run();
		} else if (key === 'Escape') {
			fg.search('');
			ui.graph.focus();
		}
	} else if (
		plain &&
		!target.closest(key === 'Enter' ? 'button, summary, .list' : 'select, textarea')
	) {
		command(event, key);
	}
}

function command(event, key) {
	if (key.startsWith('Arrow')) {
		event.preventDefault();
		const to = neighbour(current(), key);
		if (to) select(to);
	} else if (Object.hasOwn(COMMANDS, key)) {
		event.preventDefault();
		COMMANDS[key].run();
	}
}

/* The frame that a walk from `at` in a direction of the screen leads to. */
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

/* Where the keyboard is, for the eye and for a screen reader. */
function select(at) {
	chosen = at;
	pointed = null;
	outline(ui.selected, at);
	outline(ui.hovered, null);
	if (!at) return;
	reveal(at);
	const {level, end} = at.pane.tree;
	setAll(ui.item, {
		'aria-level': level[at.node] + 1,
		'aria-expanded': end[at.node] > at.node + 1
	});
	ui.item.textContent = ui.live.textContent = describe(at);
	showFrame();
	showFound();
}
