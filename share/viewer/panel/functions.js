/*
 * functions: the list of all functions (or modules, files, origins) with self and total; for a
 * differential, with the change of self and total, and base and head in a panel wide enough. It
 * is sorted and filtered by the search; only visible rows are in the page. A click on a row
 * selects it, so that commands act on it.
 */

const list = {group: 'function', sort: 'self', down: true, rows: [], at: -1, tall: 0};

/* The list's row selected last, as {kind, name}, or null. */
let picked = null;

/*
 * {rows: [{name, key, and its values}], keys: by name id}. The changes are shares of base's
 * total; base and head are [self, total], shares of that side. isReal: [self, total], false for noise.
 */
const groupRows = remember(
	() => [filteredTree(), list.group, showing.column, showing.noise, headScale()],
	() => {
		const {names, columns} = picture,
			numbers = new Map(),
			diff = isDiff(columns),
			tree = filteredTree(),
			gap = picture.options.gap;
		let keys = ints(names.length);
		if (list.group === 'function') {
			keys = facts.functions().of.slice();
			facts.functions().names.forEach((name, k) => numbers.set(name, k));
		} else {
			names.forEach((_, id) => {
				const name = id === gap ? '' : groupName(list.group, id);
				if (id && !numbers.has(name)) numbers.set(name, numbers.size);
				keys[id] = numbers.get(name);
			});
		}
		keys[0] = -1;
		const {self, total, count} = tally(tree, keys, max(1, numbers.size)),
			rows = [];
		const wholes = timedTree().sums.map(sum => sum[timedTree().n] || 1),
			whole = wholeWidth() || 1,
			sum = diff && realSums(tree),
			real = sum && tally({...tree, sums: [sum]}, keys, max(1, numbers.size));
		numbers.forEach((key, name) => {
			if (!count[key]) return;
			const row = {name, key};
			if (diff) {
				compareRow(row, [self, total].map(of => [of[0][key], of[1][key]]), wholes, real && [real.self, real.total].map(of => of[0][key]));
			} else {
				const s = shownValue(c => self[c][key]),
					t = shownValue(c => total[c][key]);
				row.self = s / whole;
				row.total = t / whole;
				row.title = `self ${amount(s)}, total ${amount(t)}`;
			}
			rows.push(row);
		});
		return {rows, keys};
	}
);

/* Minimum width of the list for base and head as well, pixels. */
const FOUR_COLUMNS = 370;

const listColumns = () =>
	isDiff(picture.columns) && list.wide >= FOUR_COLUMNS
		? ['self', 'total', 'base', 'head']
		: ['self', 'total'];

/* Base and head show self values, or totals in a list sorted by total. */
const listSide = () => (list.sort === 'total' ? 1 : 0);
const listValue = (row, key) => ([row[key]].flat()[key === 'base' || key === 'head' ? listSide() : 0]);

/* The rows of the list, sorted: those that match the search. */
const sortedRows = remember(
	() => [groupRows(), list.sort, list.down, showing.search && finding.flags],
	() => {
		const {rows, keys} = groupRows(),
			sign = list.down ? -1 : 1,
			by = list.sort;
		const matching =
			showing.search &&
			finding.flags &&
			new Set(keys.filter((_, id) => finding.flags[id]));
		return rows
			.filter(row => !matching || matching.has(row.key))
			.sort(
				by === 'name'
					? (a, b) => sign * (a.name < b.name ? 1 : -1)
					: (a, b) => sign * (abs(listValue(a, by)) - abs(listValue(b, by))) || (a.name < b.name ? -1 : 1)
			);
	}
);

function showFunctions() {
	const diff = isDiff(picture.columns);
	list.rows = sortedRows();
	if (!ui.panel.contains(list.body)) buildList();
	list.wide ||= list.body.clientWidth;
	const columns = [...listColumns(), 'name'];
	setColumns(list, columns.length === 5 ? [70, 76, 62, 62] : diff ? [70, 76] : [66, 66]);
	list.at = picked ? list.rows.findIndex(row => row.name === picked.name) : -1;
	list.sorters.forEach(e => {
		const {key} = e.dataset,
			on = list.sort === key;
		change(e, {'aria-pressed': on});
		hide(e, !columns.includes(key));
		setText(e, (diff && (key === 'self' || key === 'total') ? 'Δ ' : '') + key + (on ? (list.down ? ' ▾' : ' ▴') : ''));
	});
	setText(
		list.count,
		grouped(list.rows.length) +
			(showing.search ? ' matching' : '') +
			(diff ? ", Δ in % of base's total" : '') +
			(columns.length === 5 ? `; base and head: ${['self', 'total'][listSide()]}` : '')
	);
	showLines();
}

function buildList() {
	list.sorters = ['self', 'total', ...(isDiff(picture.columns) ? ['base', 'head'] : []), 'name'].map(key =>
		actButton({'data-key': key}, key, () => {
			list.down = list.sort !== key || !list.down;
			list.sort = key;
			showFunctions();
		})
	);
	const group = h(
		'select',
		{'aria-label': 'Grouped by'},
		...optionsOf(['function', 'module', 'file', 'origin'])
	);
	group.value = list.group;
	group.onchange = () => {
		list.group = group.value;
		picked = null;
		showFunctions();
	};
	list.count = h('span', {});
	buildLines(
		list,
		{class: 'list', role: 'listbox', 'aria-label': 'functions'},
		{
			onscroll: showLines,
			onkeydown: walkList,
			onclick(event) {
				pick(event.target.closest('[data-row]'));
				/* A click replaces the rows, so dblclick would never fire. */
				if (event.detail === 2) obey('s');
			}
		}
	);
	renew(
		ui.panel,
		h('div', {class: 'head'}, group, list.count),
		(list.heads = h('div', {class: 'line sorts'}, ...list.sorters)),
		list.body,
		h('div', {class: 'acts'}, ...'sfhDm'.split('').map(key => keyButton(key, ACTS[key])))
	);
	list.tall = list.body.clientHeight;
}

function showLines() {
	const columns = listColumns();
	showRows(list, 'row', (row, k) => {
		const [text, more] = listText(row.name);
		return [
			{
				role: 'option',
				'aria-posinset': k + 1,
				'aria-setsize': list.rows.length,
				title: `${text}${more}\n${row.title}`
			},
			...columns.map((key, k) =>
				k < 2 && row.isReal ? changeCell(row[key], row.isReal[k]) : shareCell(listValue(row, key), !k)
			),
			h('span', {class: 'name'}, rowName(list, text, 0, more))
		];
	});
}

/*
 * [text, more] of a row's name: a function's text, and the part that distinguishes it from
 * others of that text.
 */
function listText(name) {
	if (list.group !== 'function') return [visible(name) || `no ${list.group}`, ''];
	const parts = facts.partsOf(name),
		alike = facts.namesakes(parts.text).map(facts.partsOf),
		modules = new Set(alike.map(({module}) => module));
	const text = visible(parts.text) || '(no name)';
	return [
		text,
		alike.length < 2
			? ''
			: ` · ${visible((modules.size < alike.length && parts.source) || parts.module || parts.source || 'no module')}`
	];
}

/* Selects a row's function: its widest frame in the graph, and the target of commands. */
function pick(line) {
	if (line) pickRow(+line.dataset.row);
	list.body.focus({preventScroll: true});
}

function pickRow(k) {
	const {name} = list.rows[k];
	list.at = k;
	completeTree();
	const flags = groupFlags(list.group + ':' + name),
		pane = mainPane(),
		{tree, sum} = pane;
	let node = 0;
	for (let i = 1; i < tree.n; i++)
		if (flags[tree.name[i]] && !(node && totalOf(tree, sum, i) <= totalOf(tree, sum, node)))
			node = i;
	select(node ? {pane, node} : null);
	picked = {kind: list.group, name};
	showLines();
	say(`${listText(name).join('')}: ${list.rows[k].title}`);
}

function walkList(event) {
	const step = STEPS[event.key];
	if (event.key === 'Enter' && list.at >= 0) obey('s');
	else if (!step || !list.rows.length) return;
	event.preventDefault();
	event.stopPropagation();
	if (!step) return;
	goToRow(list, list.at + step);
	pickRow(list.at);
}
