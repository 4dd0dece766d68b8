/*
 * lines: a long list with only the visible rows in the page: the function list, the call tree.
 * It is {rows, at: the number of the selected row or -1, heads, body, window, tall, wide}.
 */

const LINE = 24;
const NAME_CELL = 7.3; /* width of a character in a row, pixels */
/* Between columns, and at the sides of a row, pixels, as in the style sheet. */
const GAP = 6;
const MARGIN = 12;
const STEPS = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -1e9, End: 1e9};

/* Builds its body; acts: handlers of scroll, key and click events. */
function buildLines(list, attributes, acts) {
	list.window = h('div', {class: 'lines'});
	list.body = Object.assign(h('div', {tabindex: 0, ...attributes}, list.window), acts);
}

/*
 * Draws the visible rows and a few more. row(one of the rows, its number): its attributes, and
 * its cells.
 */
function showRows(list, name, row) {
	const {rows, at, body, window} = list,
		first = max(0, floor(body.scrollTop / LINE) - 5),
		idOf = k => `${ui.page.id}-${name}-${k}`;
	list.tall ||= body.clientHeight;
	list.wide ||= body.clientWidth;
	window.style.height = rows.length * LINE + 'px';
	window.replaceChildren(
		...rows.slice(first, first + list.tall / LINE + 10).map((of, i) => {
			const k = first + i,
				[attributes, ...cells] = row(of, k);
			return h(
				'div',
				{
					class: 'line',
					id: idOf(k),
					'data-row': k,
					style: `top:${k * LINE}px`,
					'aria-selected': k === at,
					...attributes
				},
				...cells
			);
		})
	);
	if (at >= 0) change(body, {'aria-activedescendant': idOf(at)});
}

/* Selects row k, or the nearest one, and scrolls it into view. */
function goToRow(list, k) {
	list.at = max(0, min(list.rows.length - 1, k));
	const top = list.at * LINE;
	list.body.scrollTop = max(top + LINE - list.tall, min(top, list.body.scrollTop));
}

/* Sets the widths of the columns of values, pixels; the name has the rest. */
function setColumns(list, widths) {
	list.figures = widths.reduce((sum, width) => sum + width + GAP, 2 * MARGIN);
	for (const e of [list.heads, list.body]) e.style.setProperty('--figures', widths.join('px ') + 'px');
}

/* A name shortened like a label to the space beside the row's values, less some pixels. */
const rowName = (list, text, pixels = 0, more = '') => shorten(text, nameRoom(list, pixels, more)) + more;
const nameRoom = (list, pixels, more) => max(8, floor((list.wide - list.figures - pixels) / NAME_CELL) - cells(more));

/* A share; bar: drawn as a bar too. */
const shareCell = (share, bar) => h('span', bar === true ? {class: 'share', style: `--share:${100 * share}%`} : {}, percent(share));
/* A change, without a colour if it is noise. */
const changeCell = (change, isReal) =>
	h('span', isReal ? {class: change > 0 ? 'up' : 'down'} : {}, signed(change, percent));
