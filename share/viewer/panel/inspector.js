/*
 * inspector: the details of one frame, in the panel, in the status line and in words for a
 * screen reader.
 */

/* A total or self value of the shown columns, from sums by column. */
const shownValue = of => {
	const values = picture.columns.map((_, c) => of(c));
	return showing.column === 'sum'
		? values.reduce((a, b) => a + b)
		: values[picture.columns.indexOf(showing.column)];
};

/* Isolates a right-to-left name, so that the values after it keep their order. */
const apart = text => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(text) ? `\u2068${text}\u2069` : text);

/* A description of a frame in one line. */
function describe({pane, node}) {
	const {tree, sum, root} = pane,
		whole = wholeWidth(),
		total = totalOf(tree, sum, node);
	if (pane.change) {
		return describeChange(pane, node);
	}
	return (
		`${apart(frameText(tree.name[node]))}: ${amount(total)}, ${percent(total / whole)} of all` +
		(root && node >= root
			? `, ${percent(total / totalOf(tree, sum, root))} of the zoom`
			: '') +
		`, self ${percent(ownOf(tree, sum, node) / whole)}`
	);
}

const meter = share => [
	percent(share),
	h('span', {class: 'meter'}, h('span', {style: `width:${share * 100}%`}))
];

/* A table of rows of cells; a row with one cell is a heading. */
const table = (...rows) =>
	h(
		'table',
		{},
		...rows.map((row, k) =>
			h(
				'tr',
				{},
				...row.map((cell, c) =>
					h(
						(k && c) || cell === '' ? 'td' : 'th',
						{colspan: row[1] === undefined ? 6 : undefined},
						...[cell].flat()
					)
				)
			)
		)
	);

/* Total and self of a frame, and of all frames of its function. */
function valueTable({pane, node}, id) {
	const {tree, sum, root} = pane,
		{total, self, count} = id ? occurrences(facts.functions().of[id]) : {count: 0};
	const all = [`All occurrences (${grouped(count)})`];
	if (pane.change) {
		return compareTable(tree, node, id && {total, self}, all);
	}
	const row = (text, value) => [text, amount(value, true), meter(value / wholeWidth())];
	const here = (text, value) => [...row(text, value), percent(value / totalOf(tree, sum, root))];
	const unit = shownUnit();
	return table(
		['', isCount(unit) ? unit : '', 'of all', 'of zoom'],
		here('Total', totalOf(tree, sum, node)),
		here('Self', ownOf(tree, sum, node)),
		...(isCount(unit) ? [] : [['Exactly', exactAmount(totalOf(tree, sum, node))]]),
		...(id
			? [
					all,
					row('Total', shownValue(c => total[c])),
					row('Self', shownValue(c => self[c]))
				]
			: [])
	);
}

/*
 * The facets of a function, each shown if it has at least two values: self by source line,
 * inlined or called, and the modules with a function of this name.
 */
function facetStrip(id) {
	const {of, number} = facts.functions(),
		{selfOfName} = occurrences(of[id]),
		{text} = facts.parts(id);
	const lines = new Map(),
		how = new Map(),
		modules = new Map();
	const value = self => (isDiff(picture.columns) ? self[1] : shownValue(c => self[c]));
	const add = (to, key, v) => to.set(key, (to.get(key) || 0) + v);
	selfOfName.forEach((self, name) => {
		const {file, notes} = facts.parts(name);
		if (file) add(lines, 'line ' + file.slice(file.lastIndexOf(':') + 1), value(self));
		add(how, notes.includes('i') ? 'inlined' : 'called', value(self));
	});
	for (const other of facts.namesakes(text)) {
		const {self} = occurrences(number.get(other));
		add(modules, facts.parts(facts.functions().first[number.get(other)]).module || 'no module', value(self));
	}
	const strips = [
		['Self by line', lines],
		['Inlined, called', how],
		['Self by module', modules]
	].filter(([, map]) => map.size > 1);
	return strips.map(([title, map]) => {
		const most = [...map].sort((a, b) => b[1] - a[1]),
			whole = most.reduce((sum, [, v]) => sum + v, 0) || 1,
			parts = most.slice(0, 6);
		if (most.length > 6)
			parts.push([`${most.length - 6} others`, most.slice(6).reduce((sum, [, v]) => sum + v, 0)]);
		return h(
			'div',
			{class: 'facets'},
			h('h3', {}, title),
			h(
				'span',
				{class: 'strip', 'aria-hidden': true},
				...parts.map(([, v]) => h('span', {style: `flex-grow:${v / whole}`}))
			),
			h(
				'ul',
				{},
				...parts.map(([key, v]) => h('li', {}, visible(key), ' ', percent(v / whole)))
			)
		);
	});
}

/* The commands for a frame or a function, as buttons. */
const ACTS = {s: 'Callers', f: 'Focus', h: 'Hide', D: 'Drop', m: 'Mark', y: 'Copy name', Y: 'Copy stack'};
const actsOf = ({module}) => [
	...Object.entries(ACTS).map(([key, text]) => keyButton(key, text)),
	...(module ? [keyButton('F', 'Focus module'), keyButton('H', 'Hide module')] : [])
];

/* The stack of a frame, root first, each frame a link. */
function stackList({pane, node}) {
	const way = lineage(pane.tree, node);
	if (way.length < 2) return '';
	const {root} = pane;
	return h(
		'details',
		{class: 'stack'},
		h('summary', {}, `Stack of ${way.length} frames`),
		h(
			'ol',
			{},
			...way.map(a =>
				h(
					'li',
					{'aria-current': a === root ? 'location' : undefined},
					actButton({}, frameText(pane.tree.name[a]), () => {
						select({pane, node: a});
						ui.panel.querySelector('.stack')?.setAttribute('open', '');
					})
				)
			)
		)
	);
}

/* The panel's contents for a frame. */
function inspect(at) {
	const id = at.pane.tree.name[at.node],
		parts = facts.parts(id),
		{nametype} = picture.options;
	const {title, href} = (Object.hasOwn(picture.options.nameattr, id) && picture.options.nameattr[id]) || {};
	const known = [
		['File', parts.file],
		['Module', parts.module],
		['Title', title],
		['Origin', id && originWord(id)],
		['Notes', Array.from(parts.notes, n => NOTES[n]).join(', ')]
	].filter(([, text]) => text);
	return [
		...(nametype === 'Function:' ? [] : [h('div', {class: 'kind'}, visible(nametype))]),
		h('h2', {}, ...breakable(frameText(id))),
		h(
			'dl',
			{},
			...known.flatMap(([key, text]) => [
				h('dt', {}, key),
				h('dd', {}, ...breakable(visible(text)))
			]),
			href &&
				/^(https?:|mailto:|[^:]*$)/i.test(href) &&
				h(
					'dd',
					{},
					h(
						'a',
						{href, target: '_blank', rel: 'noopener'},
						visible(href)
					)
				)
		),
		h('div', {class: 'acts'}, ...(id ? actsOf(parts) : [keyButton('Y', ACTS.Y)])),
		valueTable(at, id),
		stackList(at),
		...(id ? facetStrip(id) : []),
		picture.columns.length > 1 ? columnTable(at) : ''
	];
}

/* A frame's stack and value as one line of folded text. */
function stackText({pane: {tree}, node}) {
	return (
		(namesTo(tree, node).join(';') || 'all') +
		' ' +
		tree.sums.map(sum => exact(totalOf(tree, sum, node))).join(' ')
	);
}

const help = () => [
	h(
		'dl',
		{},
		...[
			...Object.entries(COMMANDS).map(([key, {text}]) => [key, text]),
			...Object.entries(GESTURES)
		].flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)])
	)
];

/* The target of commands: the selected frame; if there is none, the one under the pointer. */
const current = () => chosen || pointed || {pane: mainPane(), node: mainPane().root};

/* Shows the current frame in all parts of the page. */
function showFrame() {
	setText(ui.status, describe(pointed || current()));
	if (showing.tab !== 'inspector') return;
	const {pane, node} = current();
	const key = [node, showing.column, showing.own, showing.view, showing.noise, headScale(), pane.root];
	const last = showFrame.last || [];
	if (last.pane === pane.tree && !key.some((k, i) => k !== last[i])) return;
	showFrame.last = Object.assign(key, {pane: pane.tree});
	renew(ui.panel, ...inspect(current()));
}

function showPanel() {
	if (showing.tab !== 'inspector') showFrame.last = null;
	if (showing.tab === 'functions') showFunctions();
	else if (showing.tab === 'summary') showSummary();
	else if (showing.tab === 'tree') showTree();
	else if (showing.tab === 'help' && showPanel.last !== 'help') renew(ui.panel, ...help());
	showPanel.last = showing.tab;
	showFrame();
}
