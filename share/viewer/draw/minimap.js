/*
 * minimap: the whole graph, scaled down, above the graph, with an outline of the visible
 * window. It is drawn as wide as the graph, and stretched where that is narrower.
 */

/* Pixels; minimap rows are integers, which are faster to write. */
const MINI = 32;

function drawMinimap() {
	const show = panes.length === 1;
	hide(ui.mini, !show);
	if (!show) return;
	const pane = panes[0],
		whole = {...pane, root: 0, lo: 0, hi: pane.sum[pane.tree.n]};
	const span = room.wide;
	const form = [showing.mode, span, pane.up, showing.own, showing.noise, showing.fold, pane.tree.opened.size].join();
	if (drawMinimap.sum !== pane.sum || drawMinimap.form !== form) {
		Object.assign(drawMinimap, {sum: pane.sum, form});
		/* draw() may have recorded the same view. */
		const {deepest, replay} =
				drawn.record?.span === span && pane.lo === 0 && pane.hi === whole.hi ? drawn.record : recorded(whole, span),
			rows = (drawMinimap.rows = 1 + deepest);
		const h = ceil(rows / MINI), /* at least 1 pixel */
			line = level => floor((level * MINI) / rows);
		const y = level => (pane.up ? rows - level - h : level);
		const {classes} = pane.paint,
			small = batches(classes.length, h, y);
		replay(
			(i, x1, x2, level) => {
				if (!level || line(level) !== line(level - 1))
					small.add(pane.paint.of(i), x1, x2, level);
			},
			found => density(found, span, (i, x, part) => small.bar(pane.paint.of(i), x, y(found.row) + h, max(1, round(part * h))))
		);
		setPaths(ui.small, classes, small.done());
		ui.map.setAttribute('viewBox', `0 0 ${span} ${rows}`);
	}
	const scale = whole.hi > 0 ? span / whole.hi : 0,
		{rows} = drawMinimap;
	const top = max(
		0,
		min(1, pane.up ? 1 + drawn.see / (rows * ROW) : drawn.see / (rows * ROW))
	);
	const tall = min(1 - top, drawn.tall / (rows * ROW));
	change(ui.window, {
		x: pane.lo * scale,
		width: max(2, (pane.hi - pane.lo) * scale),
		y: top * rows,
		height: max((2 * rows) / MINI, tall * rows)
	});
}
