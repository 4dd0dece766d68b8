/*
 * functions: the list of every function (or module, file, origin) with its self,
 * total and change; sorted, filtered by the search, only visible rows in the page.
 */

const LINE = 24;

const list = {group: 'function', sort: 'self', down: true, rows: [], at: 0};

/* {rows: [{name, self, total, change, key}], keys: by name id}. */
const groupRows = remember(
	() => [filteredTree(), list.group, showing.column, headScale()],
	() => {
		const {names, columns} = picture,
			numbers = new Map(),
			keys = ints(names.length);
		names.forEach((_, id) => {
			const name = groupName(list.group, id);
			if (id && !numbers.has(name)) numbers.set(name, numbers.size);
			keys[id] = id ? numbers.get(name) : -1;
		});
		const {self, total, count} = tally(filteredTree(), keys, numbers.size),
			rows = [];
		const shown = (of, key) =>
			isDiff(columns) ? of[1][key] * headScale() : shownValue(c => of[c][key]);
		numbers.forEach((key, name) => {
			if (count[key])
				rows.push({
					name,
					key,
					self: shown(self, key),
					total: shown(total, key),
					change: isDiff(columns)
						? shown(total, key) - total[0][key]
						: 0
				});
		});
		return {rows, keys};
	}
);

/* The rows that the list shows, sorted: those that the search matches. */
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
					: (a, b) => sign * (abs(a[by]) - abs(b[by]))
			);
	}
);

function showFunctions() {
	const diff = isDiff(picture.columns),
		top = list.body ? list.body.scrollTop : 0;
	list.rows = sortedRows();
	const sorters = ['self', 'total', ...(diff ? ['change'] : []), 'name'].map(key => {
		const e = h(
			'button',
			{'aria-pressed': list.sort === key},
			key + (list.sort === key ? (list.down ? ' ▾' : ' ▴') : '')
		);
		e.onclick = () => {
			list.down = list.sort !== key || !list.down;
			list.sort = key;
			showFunctions();
		};
		return e;
	});
	const group = h(
		'select',
		{title: 'Grouped by'},
		...optionsOf(['function', 'module', 'file', 'origin'])
	);
	group.value = list.group;
	group.onchange = () => {
		list.group = group.value;
		showFunctions();
	};
	list.window = h('div', {class: 'lines', style: `height:${list.rows.length * LINE}px`});
	list.body = h(
		'div',
		{class: 'list', role: 'listbox', tabindex: 0, 'aria-label': 'functions'},
		list.window
	);
	list.body.onscroll = showLines;
	list.body.onkeydown = walkList;
	list.body.onclick = event => pick(event.target.closest('[data-row]'));
	ui.panel.replaceChildren(
		h(
			'div',
			{class: 'head'},
			group,
			list.rows.length.toLocaleString('en') + (showing.search ? ' matching' : '')
		),
		h('div', {class: 'line sorts'}, ...sorters),
		list.body
	);
	list.body.scrollTop = top;
	showLines();
}

/* The rows in view, and a few more. */
function showLines() {
	const {scrollTop, clientHeight} = list.body,
		first = max(0, floor(scrollTop / LINE) - 5);
	const diff = isDiff(picture.columns),
		tree = filteredTree(),
		whole = diff
			? tree.sums[0][tree.n] || tree.sums[1][tree.n]
			: widthsOf(tree)[tree.n];
	list.window.replaceChildren(
		...list.rows.slice(first, first + clientHeight / LINE + 10).map((row, i) => {
			const k = first + i,
				text =
					list.group === 'function'
						? frameText(facts.id(row.name))
						: visible(row.name) || `no ${list.group}`;
			return h(
				'div',
				{
					class: k === list.at ? 'line at' : 'line',
					role: 'option',
					'data-row': k,
					style: `top:${k * LINE}px`,
					'aria-selected':
						showing.mark === list.group + ':' + row.name,
					title: `${text}\nself ${amount(row.self)}, total ${amount(row.total)}`
				},
				h('span', {}, percent(row.self / whole)),
				h('span', {}, percent(row.total / whole)),
				diff &&
					h(
						'span',
						{class: row.change > 0 ? 'up' : 'down'},
						signed(row.change / whole, percent)
					),
				h('span', {class: 'name'}, text)
			);
		})
	);
}

/* Mark a row's frames in the graph; the same row again takes the mark off. */
function pick(line) {
	if (!line) return;
	list.at = +line.dataset.row;
	const group = list.group + ':' + list.rows[list.at].name;
	fg.mark(showing.mark === group ? '' : group);
	list.body.focus();
}

function walkList(event) {
	const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -1e9, End: 1e9}[
		event.key
	];
	if (event.key === 'Enter') pick(list.window.querySelector('.at'));
	if (!step) return;
	event.preventDefault();
	event.stopPropagation();
	list.at = max(0, min(list.rows.length - 1, list.at + step));
	const top = list.at * LINE,
		{scrollTop, clientHeight} = list.body;
	list.body.scrollTop = max(top + LINE - clientHeight, min(top, scrollTop));
	showLines();
}
