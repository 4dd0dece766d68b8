/*
 * pointer: mouse, touch and wheel over the graph and the minimap, and the events of
 * the window. Hovering tells, a click zooms, shift-drag takes a range.
 */

const waiting = new Set();

/* Once in the next frame, however often it is asked for. */
function later(what) {
	if (!waiting.has(what))
		requestAnimationFrame(() => {
			waiting.delete(what);
			what();
		});
	waiting.add(what);
}

function hover(at) {
	if (at?.node === pointed?.node && at?.pane === pointed?.pane) return;
	pointed = at;
	outline(ui.hovered, at);
	later(showFrame);
}

function listen() {
	let from = null,
		tapped = null;
	const {graph, range, mini} = ui,
		on = (target, what, act, options) => target.addEventListener(what, act, options);
	const x = event =>
		max(0, min(drawn.span, event.clientX - ui.canvas.getBoundingClientRect().left));
	on(window, 'keydown', onKey);
	on(window, 'popstate', followHash);
	on(window, 'hashchange', followHash);
	for (const [event, all] of [
		['beforeprint', true],
		['afterprint', false]
	])
		on(window, event, () => {
			drawn.all = all;
			draw();
		});
	new ResizeObserver(() => {
		if (drawn.span !== graph.clientWidth || drawn.tall !== graph.clientHeight) redraw();
	}).observe(graph);
	on(graph, 'scroll', () => {
		if (drawn.tall === graph.clientHeight) looked();
		if (abs(drawn.see - drawn.at) > (OVERSCAN * ROW) / 2) later(draw);
		later(drawMinimap);
	});
	on(graph, 'pointermove', event => {
		if (from !== null)
			setAll(range, {
				style: '',
				x: min(from, x(event)),
				width: abs(from - x(event)),
				y: drawn.top
			});
		else if (event.pointerType !== 'touch')
			hover(frameAt(event.clientX, event.clientY));
	});
	on(graph, 'pointerleave', () => hover(null));
	on(graph, 'pointerdown', event => {
		if (!event.shiftKey) return;
		from = x(event);
		graph.setPointerCapture(event.pointerId);
		event.preventDefault();
	});
	on(graph, 'click', event => {
		if (from !== null) {
			const pane = mainPane(),
				unit = (pane.hi - pane.lo) / drawn.span,
				to = x(event);
			setAll(range, {style: 'display:none'});
			if (abs(to - from) > 3)
				fg.window(
					pane.lo + min(from, to) * unit,
					pane.lo + max(from, to) * unit,
					'push'
				);
			from = null;
			return;
		}
		const at = frameAt(event.clientX, event.clientY);
		if (!at) return;
		const again = tapped && tapped.pane === at.pane && tapped.node === at.node;
		select(at);
		tapped = event.pointerType === 'touch' && !again ? at : null;
		if (!tapped) fg.zoom(at);
	});
	on(
		graph,
		'wheel',
		event => {
			if (!event.ctrlKey) return;
			event.preventDefault();
			const pane = mainPane(),
				scale = Math.exp(max(-60, min(60, event.deltaY)) / 120);
			const at = pane.lo + (x(event) / drawn.span) * (pane.hi - pane.lo);
			fg.window(
				at - (at - pane.lo) * scale,
				at + (pane.hi - at) * scale,
				'replace'
			);
		},
		{passive: false}
	);
	for (const event of ['pointerdown', 'pointermove'])
		on(mini, event, ({buttons, clientX}) => {
			const pane = mainPane(),
				box = mini.getBoundingClientRect(),
				half = (pane.hi - pane.lo) / 2;
			const at = ((clientX - box.left) / box.width) * pane.sum[pane.tree.n];
			if (buttons) fg.window(at - half, at + half, 'replace');
		});
	on(document, 'click', event => {
		if (!ui.menu.contains(event.target)) ui.menu.open = false;
	});
}
