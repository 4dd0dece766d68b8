/*
 * minimap: the whole graph in small over the graph, with the window that is looked at.
 */

/* The whole graph in small, with the window that is looked at. */
function drawMinimap() {
	const show = panes.length === 1;
	if (ui.mini.hidden === show) ui.mini.hidden = !show;
	if (!show) return;
	const pane = panes[0],
		whole = {...pane, root: 0, lo: 0, hi: pane.sum[pane.tree.n]};
	const span = room.mini,
		height = 32;
	const form = [showing.mode, span, pane.up, showing.own, showing.noise, showing.fold && pane.tree.opened.size].join();
	if (drawMinimap.sum !== pane.sum || drawMinimap.form !== form) {
		Object.assign(drawMinimap, {sum: pane.sum, form});
		const rows = 1 + (drawMinimap.deepest = trace(whole, span));
		const h = max(1, height / rows),
			line = level => floor((level * height) / rows);
		const y = level => (pane.up ? height - line(level) - h : line(level));
		const {classes} = pane.paint,
			small = batches(classes.length, h, y);
		trace(whole, span, (i, x1, x2, level) => {
			if (!level || line(level) !== line(level - 1))
				small.add(pane.paint.of(i), x1, x2, level);
		});
		setPaths(ui.small, classes, small.done());
		ui.map.setAttribute('viewBox', `0 0 ${span} ${height}`);
	}
	const scale = whole.hi > 0 ? span / whole.hi : 0,
		rows = drawMinimap.deepest + 1;
	const top = max(
		0,
		min(1, pane.up ? 1 + drawn.see / (rows * ROW) : drawn.see / (rows * ROW))
	);
	const tall = min(1 - top, drawn.tall / (rows * ROW));
	change(ui.window, {
		x: pane.lo * scale,
		width: max(2, (pane.hi - pane.lo) * scale),
		y: top * height,
		height: max(2, tall * height)
	});
}
