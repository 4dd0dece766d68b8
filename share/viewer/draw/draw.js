/*
 * draw: draws panes as SVG: one path per colour class, labels where they fit; and finds the
 * frame at a point. Frames have no elements of their own.
 */

const OVERSCAN = 20;

/* Pixels: height of a row, width of a character. */
let ROW = 18,
	CELL = 7.3;

/* Classes that are dark in the dark theme, so that their labels are light. */
const PALE = /^(o(3|7|11|15)|[db]([4-9]|\d\d)|t([3-9]|\d\d))$/;

/* Class of a label on a frame's class: shades of the classic palettes have any lightness. */
function inkOn(name) {
	if (PALE.test(name)) return 'on same';
	if (!/^[pcw]\d/.test(name)) return 'on';
	if (!inkOn.of) {
		inkOn.of = {};
		for (const [, shade, rgb] of picture.colours.matchAll(/\.(\w+)\{fill:#(\w{6})\}/g)) {
			const [r, g, b] = [0, 2, 4].map(at => {
				const v = parseInt(rgb.slice(at, at + 2), 16) / 255;
				return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
			});
			/*
			 * Relative luminance (WCAG); above 0.179 black text has the higher
			 * contrast.
			 */
			inkOn.of[shade] ||= 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? 'black' : 'white';
		}
	}
	return inkOn.of[name] || 'on';
}

const drawn = {};

/* Sizes of the page's parts, measured only when they change: reading them forces a layout. */
const room = {scroll: 0, scrolled: 0};

function measure() {
	room.wide = max(50, ui.graph.clientWidth);
	room.tall = ui.graph.clientHeight;
	if (picture.options.strip) room.strip = max(50, ui.marks.clientWidth);
	tellSize();
}

/* Minimum width of a block, pixels. */
const OTHERS = 24;

/*
 * Visits the frames that own at least one pixel, with their pixels. A frame owns the pixels
 * whose left edge, rounded, is in it: so widths add up, and the children of a narrower frame
 * can be skipped. tiny(node, x) is called for the skipped ones. block, if given, is called for
 * neighbours that are visible only together.
 */
function trace(pane, span, frame = () => {}, tiny, block) {
	const {tree, sum, root, lo, hi, row} = pane,
		{name, end} = tree,
		{gap} = picture.options;
	const scale = hi > lo ? span / (hi - lo) : 0;
	let deepest = rowAt(pane, root);
	for (let a = tree.parent[root]; a >= 0; a = tree.parent[a])
		if (!isFolded(pane, a)) frame(a, 0, span, row[a]);
	if (!scale) {
		frame(root, 0, span, deepest);
		return deepest;
	}
	let checked = root + 1; /* frames before it are not in a block */
	for (let i = root, stop = end[root]; i < stop;) {
		const from = sum[i],
			to = sum[end[i]];
		if (from >= hi) break;
		if (block && i >= checked && (to - from) * scale < 1) {
			const last = end[tree.parent[i]];
			let k = i,
				count = 0;
			for (; k < last && (sum[end[k]] - sum[k]) * scale < 1 && name[k] !== gap; k = end[k]) count++;
			checked = max(checked, k);
			const x1 = max(0, round((from - lo) * scale)),
				x2 = min(span, round((sum[k] - lo) * scale));
			if (count > 1 && x2 - x1 >= OTHERS) {
				const level = rowAt(pane, i);
				block({pane, first: i, from, to: sum[k], count, x1, x2, row: level});
				if (level > deepest) deepest = level;
				for (; tiny && i < k; i = end[i]) tiny(i, max(0, round((sum[i] - lo) * scale)));
				i = k;
				continue;
			}
		}
		const x1 = from <= lo ? 0 : round((from - lo) * scale);
		const x2 = to >= hi ? span : round((to - lo) * scale);
		if (x2 <= x1 || name[i] === gap) {
			if (tiny && x2 <= x1 && to > lo) tiny(i, x1);
			i = end[i];
			continue;
		}
		const level = rowAt(pane, i);
		if (i === root || level !== row[tree.parent[i]]) frame(i, x1, x2, level);
		if (level > deepest) deepest = level;
		i++;
	}
	return deepest;
}

/*
 * Records what trace() visits: {deepest, span, replay(frame, block)}. Walking the tree again takes
 * much longer.
 */
function recorded(pane, span) {
	const visits = [],
		deepest = trace(pane, span, (i, x1, x2, level) => visits.push(i, x1, x2, level), undefined, found => visits.push(found, 0, 0, 0));
	const replay = (frame, block) => {
		for (let k = 0; k < visits.length; k += 4)
			if (visits[k].pane) block(visits[k]);
			else frame(visits[k], visits[k + 1], visits[k + 2], visits[k + 3]);
	};
	return {deepest, span, replay};
}

const rectangle = (x, y, w, h) => `M${x} ${y}h${w}v${h}h-${w}z`;

/*
 * Path data by class, or for a bitmap lists of x, y, width. Neighbours of one colour that are
 * too narrow for a gap are merged.
 */
function batches(classes, height, y, bitmap) {
	const d = Array.from({length: classes}, () => (bitmap ? [] : '')),
		runs = [];
	const put = bitmap
		? (c, x1, x2, level) => d[c].push(x1, y(level), x2 - x1)
		: (c, x1, x2, level) => (d[c] += rectangle(x1, y(level), x2 - x1, height));
	return {
		add(c, x1, x2, level) {
			const run = runs[level];
			if (x2 - x1 > 2) {
				put(c, x1, x2 - 1, level);
			} else if (run && run.c === c && run.x2 === x1) {
				run.x2 = x2;
			} else {
				if (run) put(run.c, run.x1, run.x2, level);
				runs[level] = {c, x1, x2};
			}
		},
		/* Some pixels of a row, at its lower edge. */
		bar: (c, x, bottom, tall) => bitmap || (d[c] += rectangle(x, bottom - tall, 1, tall)),
		done() {
			runs.forEach((run, level) => put(run.c, run.x1, run.x2, level));
			return d;
		}
	};
}

/* y of a level's upper edge; 0 is the base line that the panes share. */
const rowY = ({up, offset}, level) => (up ? offset - level - 1 : level - offset) * ROW;

/* The paths of one layer, reused from one drawing to the next. */
function setPaths(group, classes, d) {
	while (group.childElementCount > d.length) group.lastChild.remove();
	d.forEach((data, c) => {
		const path = group.children[c] || group.appendChild(s('path'));
		change(path, {class: classes[c], d: data});
	});
}

/*
 * Upper and lower edge of the graph when drawn at that width. While the graph moves it keeps its
 * rows, and draw() adds deeper ones.
 */
function extent(span) {
	let y1 = Infinity,
		y2 = -Infinity;
	drawn.record = null;
	for (const pane of panes) {
		const place = [pane.root, span, showing.fold, pane.tree.opened.size].join(),
			key = [place, pane.lo, pane.hi].join();
		const memo = (pane.tree.extent ||= {});
		if (memo.sum !== pane.sum || (moving ? memo.place !== place : memo.key !== key)) {
			Object.assign(memo, {key, place, sum: pane.sum});
			if (panes.length === 1) drawn.record = recorded(pane, span);
			memo.deepest = drawn.record ? drawn.record.deepest : trace(pane, span);
		}
		const edge = rowY(pane, memo.deepest) + (pane.up ? 0 : ROW);
		y1 = min(y1, edge, 0);
		y2 = max(y2, edge, 0);
	}
	return [y1, y2];
}

/* Width of a tall graph per pixel of its height, so that it fills a sheet of paper. */
const PAPER = 1.1;

const USUAL_ROW = 18;
const TALL_ROW = 26;

/* A graph that is lower than its space has higher rows, if neither rows nor text have a given size. */
function sizeRows() {
	const {height} = picture.options,
		most = room.tall / height,
		rows = panes.reduce((sum, pane) => sum + 1 + deepestRow(pane, most), 0);
	ROW = height === USUAL_ROW && !drawn.all ? max(height, min(TALL_ROW, floor(room.tall / rows))) : height;
}

/* Draws the state's view, without rows far outside the visible area. again: has more rows now. */
function draw(again) {
	const {tall} = room,
		{classes} = mainPane().paint,
		n = classes.length,
		hits = finding.flags;
	sizeRows();
	let span = room.wide,
		[y1, y2] = extent(span);
	if (drawn.paper) {
		span = round(max(span, PAPER * (y2 - y1)));
		[y1, y2] = extent(span);
	}
	if (y2 - y1 < tall && !drawn.all) {
		const spare = tall - (y2 - y1);
		if (panes.length === 2) {
			y1 -= floor(spare / 2);
			y2 = y1 + tall;
		} else y2 = y1 + tall;
	}
	place(y1, y2, span, tall);
	if (drawn.all) atRest();
	const pane = mainPane(),
		wide = pane.hi - pane.lo,
		form = [span, tall, drawn.see].join(),
		/* At most a sideways movement since it was painted. */
		sideways = moving?.stepping && panes.length === 1 && drawn.sight === form && abs(wide - drawn.wide) * span < wide / 2;
	if (sideways && !again && slide(pane)) return;
	const wing = sideways ? WING : 0,
		more = (wing * wide) / span;
	Object.assign(drawn, {sight: form, wide});
	const rows = moving ? ROW : OVERSCAN * ROW,
		from = drawn.all ? -Infinity : drawn.see - rows,
		to = drawn.all ? Infinity : drawn.see + tall + rows;
	drawn.at = drawn.see;

	const plain = [],
		dim = [],
		above = [],
		labels = [];
	let match = '',
		thin = '',
		hatch = '',
		others = '';
	drawn.blocks = [];
	let deeper = false;
	panes.forEach(pane => {
		const {tree, paint} = pane,
			y = level => rowY(pane, level);
		const seen = batches(n, ROW - 1, y, moving),
			faded = batches(n, ROW - 1, y, moving);
		const lastHit = [],
			sums = hits && hitSums(pane),
			rootLevel = rowAt(pane, pane.root);
		const frame = (i, x1, x2, level) => {
			const top = y(level);
			if (top < from || top > to || level < pane.offset) return;
			x1 -= wing;
			x2 -= wing;
			const c = paint.of(rowEnd(pane, i)),
				w = x2 - x1,
				/* The label of a frame that begins before the window stays in it. */
				x = wing && x2 > 0 ? max(0, x1) : x1,
				hit = hits && hasFlag(pane, i, hits);
			const faint = level < rootLevel || (hits && !hit);
			(faint ? faded : seen).add(c, x1, x2, level);
			if (hit && w > 5)
				match += rectangle(x1 + 1, top + 1, w - 3, ROW - 3);
			else if (hit) thin += rectangle(x1, top, w, ROW - 1);
			if (hit) lastHit[level] = x2;
			if (classes[c] === 'd3' && w > 3)
				hatch += rectangle(x1, top, w - 1, ROW - 1);
			if (x2 - x > 28)
				labels.push(
					pane,
					i,
					c,
					x,
					top,
					x2 - x,
					faint ? 'on same faint' : inkOn(classes[c])
				);
		};
		const tiny = (i, x) => {
			if (sums[tree.end[i]] === sums[i]) return;
			const level = rowAt(pane, i),
				top = y(level);
			x -= wing;
			if (top >= from && top <= to && !(lastHit[level] > x)) {
				thin += rectangle(x, top, 1, ROW - 1);
				lastHit[level] = x + 1;
			}
		};
		const block = found => {
			const top = y(found.row),
				w = found.x2 - found.x1;
			found.x1 -= wing;
			found.x2 -= wing;
			drawn.blocks.push(found);
			if (top < from || top > to || found.row < pane.offset) return;
			others += rectangle(found.x1, top, w - 1, ROW - 1);
			if (!moving) density(found, span, (i, x, part) => faded.bar(paint.of(i), x, top + ROW - 1, max(1, round(part * (ROW - 1)))));
			labels.push(pane, othersWords(found, floor((w - 6) / CELL)), 0, found.x1, top, w, 'on same');
		};
		/* extent() has recorded this view. */
		const record = !wing && !hits && drawn.record;
		if (record) record.replay(frame, block);
		const deepest = record
			? record.deepest
			: trace(
					wing ? {...pane, lo: pane.lo - more, hi: pane.hi + more} : pane,
					span + 2 * wing,
					frame,
					hits && tiny,
					panes.length === 1 && block
				);
		/* Panes may share a tree, which has the rows of the last one. */
		if (moving && tree.extent.sum === pane.sum && deepest > tree.extent.deepest) {
			Object.assign(tree.extent, {deepest, key: ''});
			deeper = true;
		}
		plain.push(seen.done());
		dim.push(faded.done());
	});
	if (deeper && !again) {
		draw(true);
		return;
	}
	const joined = lists => (lists.length === 1 ? lists[0] : classes.map((_, c) => lists.map(d => d[c]).join('')));
	if (labelMemo.size > 200000) labelMemo = new Map();
	if (moving) {
		Object.assign(moving, {x: 0, painted: {root: pane.root, lo: pane.lo, wing}});
		paint(classes, plain, dim, {others, match, thin}, labels);
		return;
	}
	setPaths(ui.frames, classes, joined(plain));
	setPaths(ui.dim, classes, joined(dim));
	for (const [name, d] of Object.entries({hatch, match, thin, others})) change(ui[name], {d});
	writeLabels(labels);
	outline(ui.selected, chosen);
	outline(ui.hovered, pointed);
}

/*
 * Sets the height of the graph and keeps its visible part in place: the lower edge of the view
 * for a graph with its root at the bottom, the upper edge for others.
 */
function place(y1, y2, span, tall) {
	const {up} = panes[0],
		two = panes.length === 2,
		form = `${two}${up}`;
	let see = up && !two ? drawn.low - tall : drawn.see;
	if (drawn.form !== form) see = two ? -tall / 2 : up ? -tall : 0;
	see = round(max(y1, min(y2 - tall, see)));
	change(ui.canvas, {viewBox: `0 ${y1} ${span} ${y2 - y1}`, width: span, height: y2 - y1});
	room.scroll = see - y1;
	Object.assign(drawn, {top: y1, span, tall, form});
	looked();
}

/* Stores the edges of the view, in the graph's y. */
function looked() {
	drawn.see = room.scroll + drawn.top;
	drawn.low = drawn.see + room.tall;
}

/* Labels by name id and width; emptied when there are very many. */
let labelMemo = new Map();

/* Text of a label; cached by name and width. */
function labelText(pane, i, c, w) {
	const block = typeof i === 'string',
		mark = !block && showing.mode === 'differential' ? changeMark(c % 5) : '';
	const room = floor((w - 6) / CELL) - mark.length,
		id = block ? 0 : pane.tree.name[i];
	const key = id * 4096 + min(room, 4095);
	let text = block ? i : labelMemo.get(key);
	if (text === undefined) labelMemo.set(key, (text = shorten(frameText(id), room)));
	if (!pane.tree.level[i] && !block && isMirrored()) text = shorten(pane.up ? 'base' : 'head', room);
	const chain = block ? 1 : chainLength(pane, i);
	if (chain >= CHAIN)
		text = chainLabel(frameText(id), frameText(pane.tree.name[rowEnd(pane, i)]), chain, room);
	return text && mark + text;
}

const baseline = () => ROW / 2 + 0.33 * picture.options.fontsize;

/* Labels are selectable text, in elements that are reused. */
function writeLabels(list) {
	const pool = ui.labelPool,
		doubtful = [];
	let used = 0;
	for (let k = 0; k < list.length; k += 7) {
		const [pane, i, c, x, y, w, kind] = list.slice(k, k + 7),
			text = labelText(pane, i, c, w);
		if (!text) continue;
		const node = pool[used] || (pool[used] = ui.labels.appendChild(s('text')));
		used++;
		change(node, {x: x + 3, y: y + baseline(), class: kind});
		setText(node, text);
		if (node.fgFitted) {
			node.removeAttribute('textLength');
			node.fgFitted = false;
		}
		if (picture.options.fonttype || !/^[ -~…▲▼−]*$/.test(text)) doubtful.push([node, w - 6]);
	}
	while (pool.length > used) pool.pop().remove();
	fitLabels(doubtful);
}

/* With a fallback font, text may be wider than its cells. */
function fitLabels(list) {
	const widths = list.map(([node]) => node.getComputedTextLength());
	list.forEach(([node, room], k) => {
		if (widths[k] <= room) return;
		setAll(node, {textLength: room, lengthAdjust: 'spacingAndGlyphs'});
		node.fgFitted = true;
	});
}

const frameText = id => labelOf(facts.parts(id));

/* Pixel rectangle of a frame in the graph, or null if it is outside the window. */
function boxOf({pane, node}) {
	const {tree, sum, lo, hi} = pane,
		scale = hi > lo ? drawn.span / (hi - lo) : 0;
	const inside = node >= pane.root && node < tree.end[pane.root];
	if (!inside && !(node < pane.root && tree.end[node] >= tree.end[pane.root])) return null;
	const x1 = inside ? max(0, (sum[node] - lo) * scale) : 0;
	const x2 =
		inside && scale ? min(drawn.span, (sum[tree.end[node]] - lo) * scale) : drawn.span;
	return x2 < 0 || x1 > drawn.span ? null : {x1, x2, y: rowY(pane, rowAt(pane, node))};
}

/* Places the outline of a frame; at least 3 pixels wide, so that it is visible. */
function outline(rect, at) {
	const box = at && boxOf(at);
	change(
		rect,
		box
			? {
					x: round(box.x1),
					y: box.y,
					height: ROW - 1,
					width: max(3, round(box.x2) - round(box.x1) - 1)
				}
			: {height: 0}
	);
}

/*
 * Of a block that is drawn from x1 on, the widest frame of each pixel, and its width relative to the
 * widest frame of all: bar(frame, x, part).
 */
function density({pane, first, to, x1, x2}, span, bar) {
	const {tree, sum, lo, hi} = pane,
		scale = span / (hi - lo);
	const found = [];
	let at = x1,
		widest = 0,
		part = 0,
		most = 0;
	const put = () => {
		if (!part || at >= x2 - 1) return;
		found.push([widest, at, part]);
		most = max(most, part);
	};
	for (let i = first; sum[i] < to; i = tree.end[i]) {
		const x = max(x1, round((sum[i] - lo) * scale)),
			w = (sum[tree.end[i]] - sum[i]) * scale;
		if (x > at) {
			put();
			at = x;
			part = 0;
		}
		if (w > part) [widest, part] = [i, w];
	}
	put();
	for (const [i, x, part] of found) bar(i, x, part / most);
}

/* Label of a block, at most `room` characters. */
function othersWords({count, from, to}, room = Infinity) {
	const share = ((to - from) / wholeWidth()) * 100,
		few = grouped(count),
		text = `${few} others, ${share < 1 ? share.toFixed(1) : round(share)} %`;
	return [text, few].find(words => words.length <= room) || '';
}

/* The block at a point of the window, or undefined. */
function blockAt(clientX, clientY) {
	const box = ui.canvas.getBoundingClientRect(),
		x = clientX - box.left - (moving?.x || 0),
		y = clientY - box.top + drawn.top;
	return drawn.blocks.find(({pane, x1, x2, row}) => {
		const top = rowY(pane, row);
		return x >= x1 && x < x2 && y >= top && y < top + ROW;
	});
}

/* The frame at a point of the window: {pane, node}, or null. */
function frameAt(clientX, clientY) {
	if (blockAt(clientX, clientY)) return null;
	const box = ui.canvas.getBoundingClientRect();
	const x = clientX - box.left,
		y = clientY - box.top + drawn.top;
	for (const pane of panes) {
		const level = pane.offset + (pane.up ? ceil(-y / ROW) - 1 : floor(y / ROW));
		const {tree, sum, root, lo, hi, row} = pane,
			rootLevel = rowAt(pane, root);
		if (level < pane.offset || x < 0 || x >= drawn.span) continue;
		let node = root;
		if (level <= rootLevel) {
			while (row[node] > level || (row[node] === level && node !== root && isFolded(pane, node)))
				node = tree.parent[node];
			return {pane, node};
		}
		const at = lo + ((x + 0.5) / drawn.span) * (hi - lo);
		while (node >= 0 && rowAt(pane, node) < level) {
			let i = node + 1;
			while (i < tree.end[node] && sum[tree.end[i]] <= at) i = tree.end[i];
			node = i < tree.end[node] && sum[i] <= at && !isGap(tree, i) ? i : -1;
		}
		if (node >= 0 && !tree.closed?.[node]) return {pane, node};
	}
	return null;
}

/* Scrolls a frame's row into view. */
function reveal(at) {
	const y = rowY(at.pane, rowAt(at.pane, at.node)) - drawn.top;
	let to = room.scroll;
	if (y < to) to = y - ROW;
	else if (y + ROW > to + room.tall) to = y + 2 * ROW - room.tall;
	to = max(0, to);
	if (to === room.scroll) return;
	room.scroll = to;
	looked();
	settleScroll();
}

/* Called after all other writes, since it forces a layout. */
function settleScroll() {
	if (room.scrolled !== room.scroll) ui.graph.scrollTop = room.scrolled = room.scroll;
}
