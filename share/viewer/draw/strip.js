/*
 * strip: the heatmap strip above the graph, taken from the static SVG. A range of time is selected
 * by brushing. Its cells are numbered by time: down a column, then down the next one. Only pictures
 * with a strip have this script and time.js.
 */

const brush = {down: null, from: 0, to: 0}; /* the pointer, and the first and current cell */

const stripCells = () => picture.options.strip.columns * picture.options.strip.rows;

/* Start of a cell, in ns. */
function cellTime(cell) {
	const {start, across, rows, cell: size} = picture.options.strip;
	return start + floor(cell / rows) * across + (cell % rows) * size;
}

/* The cell that contains a time. */
function cellOf(ns) {
	const {start, across, rows, cell} = picture.options.strip,
		column = floor((ns - start) / across);
	return max(0, min(stripCells() - 1, column * rows + floor((ns - start - column * across) / cell)));
}

/* The state's range as cells [from, to), or null. */
function brushed() {
	const [from, to] = timeRange();
	return to > from ? [cellOf(from), cellOf(to - 1) + 1] : null;
}

function buildStrip() {
	const {columns, rows, cell, across} = picture.options.strip;
	const still = picture.svg.querySelector('#fg-strip').cloneNode(true);
	setAll(ui.cells, {viewBox: `0 0 ${columns} ${rows}`});
	ui.cells.style.height = still.getAttribute('height') + 'px';
	ui.cells.prepend(...still.children);
	/* The scale of the static SVG, beside the legend. */
	const scale = picture.svg.querySelector('#fg-scale').cloneNode(true),
		shades = scale.querySelectorAll('path'),
		[none, most] = Array.from(scale.querySelectorAll('text'), e => e.textContent);
	shades.forEach((e, k) => setAll(e, {d: `M${8 * k + 4} 2v8`}));
	ui.scale.append(none + ' ', s('svg', {width: 8 * shades.length, height: 10}, ...shades), ' ' + most);
	ui.heatmap.title = `Activity over time: a column is ${figure(across / SECOND, 's')}, a cell ${figure(cell / SECOND, 's')}. Drag to see a part of the time.`;
	const {heatmap} = ui;
	on(heatmap, 'pointerdown', event => {
		if (event.button || brush.down !== null) return;
		brush.down = event.pointerId;
		brush.x = event.clientX;
		brush.y = event.clientY;
		brush.from = brush.to = cellAt(event);
		heatmap.setPointerCapture(event.pointerId);
		heatmap.focus({preventScroll: true});
		event.preventDefault();
		drawBrush();
	});
	on(heatmap, 'pointermove', event => {
		if (event.pointerId !== brush.down) return;
		brush.to = cellAt(event);
		drawBrush();
	});
	on(heatmap, 'pointerup', event => {
		if (event.pointerId !== brush.down) return;
		brush.down = null;
		brush.to = cellAt(event);
		const still = abs(event.clientX - brush.x) < SLACK && abs(event.clientY - brush.y) < SLACK;
		if (still) touchColumn(floor(brush.from / rows));
		else brushTo(min(brush.from, brush.to), max(brush.from, brush.to) + 1, 'push');
	});
	on(heatmap, 'pointercancel', () => {
		brush.down = null;
		drawBrush();
	});
	on(heatmap, 'keydown', brushByKey);
}

/* The cell at a point of the window. */
function cellAt({clientX, clientY}) {
	const {columns, rows} = picture.options.strip,
		box = ui.cells.getBoundingClientRect();
	const part = (at, size, n) => max(0, min(n - 1, floor((at / size) * n)));
	return part(clientX - box.left, box.width, columns) * rows + part(clientY - box.top, box.height, rows);
}

/* Selects the time of the cells [from, to). */
function brushTo(from, to, how) {
	const {start, across, rows} = picture.options.strip;
	const end = to % rows ? cellTime(to) : start + (to / rows) * across;
	return fg.time(inSeconds(cellTime(from)), inSeconds(end), how);
}

/* A click selects a column, or clears the range if it is that column. */
function touchColumn(column) {
	const {rows} = picture.options.strip,
		[from, to] = brushed() || [];
	if (from === column * rows && to === from + rows) fg.time();
	else brushTo(column * rows, (column + 1) * rows, 'push');
}

/* Arrow keys move the range by a column or a cell, with Shift its end; Escape clears it. */
function brushByKey(event) {
	const {key, shiftKey, ctrlKey, metaKey, altKey} = event,
		{rows} = picture.options.strip,
		all = stripCells();
	const by = {ArrowRight: rows, ArrowLeft: -rows, ArrowDown: 1, ArrowUp: -1, Home: -all, End: all}[key];
	if (ctrlKey || metaKey || altKey || !(by || (key === 'Escape' && showing.time.length))) return;
	event.preventDefault();
	if (!by) {
		fg.time();
		return;
	}
	const now = brushed();
	let [from, to] = now || (by > 0 ? [0, rows] : [all - rows, all]);
	if (now && shiftKey) to = max(from + 1, min(all, to + by));
	else if (now) {
		const size = to - from;
		from = max(0, min(all - size, from + by));
		to = from + size;
	}
	brushTo(from, to, steadily());
}

/* Outline of the cells [from, to). */
function brushPath(from, to) {
	const {rows} = picture.options.strip,
		[c1, r1, c2, r2] = [floor(from / rows), from % rows, floor((to - 1) / rows), ((to - 1) % rows) + 1];
	return c1 === c2
		? `M${c1} ${r1}h1V${r2}h-1z`
		: `M${c1} ${r1}H${c1 + 1}V0H${c2 + 1}V${r2}H${c2}V${rows}H${c1}z`;
}

function drawBrush() {
	const cells =
		brush.down === null
			? brushed()
			: [min(brush.from, brush.to), max(brush.from, brush.to) + 1];
	change(ui.brush, {d: cells ? brushPath(...cells) : ''});
}

function drawStrip() {
	const {start, across, columns, step} = picture.options.strip,
		span = columns * across;
	change(ui.heatmap, {
		'aria-valuemin': start / SECOND,
		'aria-valuemax': (start + span) / SECOND,
		'aria-valuenow': showing.time[0] || start / SECOND,
		'aria-valuetext': showing.time.length ? timeWords() : 'all of the time'
	});
	drawBrush();
	if (drawStrip.wide === room.strip) return;
	drawStrip.wide = room.strip;
	const apart = max(step, niceStep((span / room.strip) * MARK)),
		marks = [];
	for (let at = 0; at < span; at += apart) {
		const x = (at / span) * room.strip;
		if (x < room.strip - 1.5 * MARK)
			marks.push(tick(at / span, figure((start + at) / SECOND, 's')));
	}
	ui.marks.replaceChildren(...marks, h('span', {class: 'length'}, figure((start + span) / SECOND, 's')));
}

/* The heatmap strip with its brush, `y` from the top: {parts, height}. */
function stillStrip(y, width, ink) {
	const cells = ui.cells.cloneNode(true),
		height = parseFloat(ui.cells.style.height),
		edge = ui.heatmap.getBoundingClientRect().left,
		was = Array.from(ui.cells.querySelectorAll('*'));
	cells.removeAttribute('class');
	cells.removeAttribute('style');
	setAll(cells, {x: EDGE, y, width, height});
	Array.from(cells.querySelectorAll('*')).forEach((e, k) => {
		const {fill, fillOpacity, stroke, strokeWidth} = getComputedStyle(was[k]);
		for (const name of ['class', 'style']) e.removeAttribute(name);
		if (e.localName !== 'g')
			setAll(e, {fill, 'fill-opacity': fillOpacity, stroke, 'stroke-width': strokeWidth});
		if (was[k] === ui.brush) setAll(e, {'vector-effect': 'non-scaling-stroke'});
	});
	const marks = Array.from(ui.marks.children, e => {
		const {left} = e.getBoundingClientRect(),
			last = e.classList.contains('length');
		return s(
			'text',
			{
				x: EDGE + (last ? width : ((left - edge) / room.strip) * width),
				y: y + height + 13,
				fill: ink,
				'font-size': 11,
				'font-family': 'sans-serif',
				'text-anchor': last ? 'end' : 'start'
			},
			e.textContent
		);
	});
	return {parts: [cells, ...marks], height: height + 20};
}
