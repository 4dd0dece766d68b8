/*
 * inspector: what is known of one frame, in the panel, in the status line and in
 * words for a screen reader.
 */

/* [base, head, change, change in %, effect on the whole] of two values, written. */
function comparison(base, head) {
	const [b, h] = picture.tree.sums.map(sum => sum[picture.tree.n]),
		change = head * headScale() - base;
	return [
		amount(base, true),
		amount(head, true),
		signed(change, v => amount(v, true)),
		base ? signed(change / base, percent) : head ? 'new' : '–',
		signed(change / (b || h), percent)
	];
}

/* A total or self value of the columns that are shown, of sums by column. */
const shownValue = of => {
	const values = picture.columns.map((_, c) => of(c));
	return showing.column === 'sum'
		? values.reduce((a, b) => a + b)
		: values[picture.columns.indexOf(showing.column)];
};

/* One line about a frame. */
function describe({pane, node}) {
	const {tree, sum, root} = pane,
		whole = wholeWidth(),
		total = totalOf(tree, sum, node);
	if (pane.change) {
		const [base, head, change, rate, effect] = comparison(
			...tree.sums.map(c => totalOf(tree, c, node))
		);
		return (
			`${frameText(tree.name[node])}: ${MODES.differential[pane.change(node) + 1]}, base ${base}, head ${head}, ` +
			`${change} (${rate}), ${effect} of the whole`
		);
	}
	return (
		`${frameText(tree.name[node])}: ${amount(total)}, ${percent(total / whole)} of all` +
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

/* A table of rows of cells; a row of one cell is a heading. */
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
						k && c ? 'td' : 'th',
						{colspan: row[1] === undefined ? 6 : undefined},
						...[cell].flat()
					)
				)
			)
		)
	);

/* Total and self of a frame, and of all occurrences of its function. */
function valueTable({pane, node}, id) {
	const {tree, sum, root} = pane,
		{total, self, count} = functionSums();
	const all = [`All occurrences (${count[id].toLocaleString('en')})`];
	if (pane.change) {
		const rows = (of, own) => {
			const [totals, selfs] = [of, own].map(value =>
				comparison(...tree.sums.map(value))
			);
			return ['base', 'head', 'change', '%', 'of whole'].map((text, k) => [
				text,
				totals[k],
				selfs[k]
			]);
		};
		return table(
			['', 'total', 'self'],
			...rows(
				c => totalOf(tree, c, node),
				c => ownOf(tree, c, node)
			),
			all,
			...rows(
				(_, c) => total[c][id],
				(_, c) => self[c][id]
			)
		);
	}
	const row = (text, value) => [text, amount(value, true), meter(value / wholeWidth())];
	const here = (text, value) => [...row(text, value), percent(value / totalOf(tree, sum, root))];
	const unit = shownUnit();
	return table(
		['', isCount(unit) ? unit : '', 'of all', 'of zoom'],
		here('Total', totalOf(tree, sum, node)),
		here('Self', ownOf(tree, sum, node)),
		...(isCount(unit) ? [] : [['Exactly', exactAmount(totalOf(tree, sum, node))]]),
		all,
		row('Total', shownValue(c => total[c][id])),
		row('Self', shownValue(c => self[c][id]))
	);
}

/* Each column's share of a frame, where there are several. */
function columnTable({pane: {tree, change}, node}) {
	const {columns} = picture;
	if (columns.length < 2 || change) return '';
	const sum = list => list.reduce((a, b) => a + b),
		totals = tree.sums.map(c => totalOf(tree, c, node));
	const self = tree.sums.map(c => ownOf(tree, c, node));
	return table(
		['', 'total', 'of total', 'of self'],
		...columns.map((name, c) => [
			[columns.length === 4 ? swatch('b' + c) : '', name],
			amount(totals[c], true),
			meter(totals[c] / sum(totals)),
			percent(self[c] / sum(self))
		])
	);
}

/* The panel's contents for a frame. */
function inspect(at) {
	const id = at.pane.tree.name[at.node],
		parts = facts.parts(id);
	const {title, href} = picture.options.nameattr[id] || {};
	const known = [
		['File', parts.file],
		['Module', parts.module],
		['Title', title],
		['Origin', id && MODES.origin[facts.origin(id) + 1]],
		['Notes', Array.from(parts.notes, n => NOTES[n]).join(', ')]
	].filter(([, text]) => text);
	return [
		h('h2', {}, frameText(id)),
		h(
			'dl',
			{},
			...known.flatMap(([key, text]) => [
				h('dt', {}, key),
				h('dd', {}, visible(text))
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
		valueTable(at, id),
		columnTable(at),
		h(
			'div',
			{class: 'acts'},
			...[...'yYsfhm', ...(parts.module ? 'FH' : '')].map(key =>
				keyButton(key, key === 's' ? 'Callers' : COMMANDS[key].text)
			)
		)
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

/* What the pointer or the keyboard is on. */
const current = () => pointed || chosen || {pane: mainPane(), node: mainPane().root};

/* Show the current frame wherever frames are told of. */
function showFrame() {
	ui.status.textContent = describe(current());
	if (showing.tab === 'inspector') ui.panel.replaceChildren(...inspect(current()));
}

function showPanel() {
	if (showing.tab === 'functions') showFunctions();
	else if (showing.tab === 'help') ui.panel.replaceChildren(...help());
	showFrame();
}
