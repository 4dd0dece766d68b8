/*
 * pointer: mouse, touch and wheel on the graph and the minimap, and the events of the window.
 * Hovering shows details, a click selects and zooms, a drag pans, and a shift-drag selects a
 * range. Alt-click and the right button select and open a menu; two fingers zoom and pan.
 */

const waiting = new Set();

/* Runs once in the next animation frame, however often it is requested. */
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
	if (!at) showTip();
}

/* Shows the tooltip: below the pointer, or above it if space is short. */
function showTip() {
	const show = pointed && hand.last && !hand.dragged && !moving && ui.popup.hidden;
	hide(ui.tip, !show);
	if (!show) return;
	setText(ui.tip, describe(pointed));
	const box = ui.page.getBoundingClientRect(),
		{width, height} = ui.tip.getBoundingClientRect(),
		x = hand.last.x - box.left + 12,
		y = hand.last.y - box.top + 18;
	ui.tip.style.transform = `translate(${max(0, min(x, box.width - width - 4))}px,${y + height > box.height ? y - height - 26 : y}px)`;
}

/* A press that moves by more pixels is a drag. */
const SLACK = 4;

/* State of the pointers on the graph. */
const hand = {
	down: new Map(), /* pointer id -> {x, y} */
	start: null, /* of a drag: its start, the window then, and whether it has moved */
	range: null, /* of a shift-drag: its start */
	dragged: false,
	last: null, /* the last position of the mouse */
	tapped: null,
	moved: -Infinity
};

/* The steps of one movement are one step of undo. */
function steadily() {
	const now = performance.now(),
		same = hand.start ? hand.start.moved : now - hand.moved < 700;
	hand.moved = now;
	if (hand.start) hand.start.moved = true;
	return same ? 'replace' : 'push';
}

function moveWindow(lo, hi) {
	inMotion();
	moving.stepping = true;
	fg.window(lo, hi, steadily());
	if (!moving) return;
	moving.stepping = false;
	moving.at = [mainPane().lo, mainPane().hi].join();
}

const graphX = clientX => max(0, min(drawn.span, clientX - ui.canvas.getBoundingClientRect().left));

/* Value per pixel. */
const perPixel = pane => (pane.hi - pane.lo) / drawn.span;

function pan(pixels) {
	const pane = mainPane(),
		by = pixels * perPixel(pane);
	if (pane.hi - pane.lo < pane.sum[pane.tree.n]) moveWindow(pane.lo + by, pane.hi + by);
}

/* Start of a drag or a pinch: its middle, its spread, and the window that it moves. */
function grip() {
	const points = Array.from(hand.down.values()),
		{lo, hi} = mainPane();
	const x = points.reduce((a, p) => a + p.x, 0) / points.length,
		y = points.reduce((a, p) => a + p.y, 0) / points.length;
	const spread = points.length > 1 ? abs(points[0].x - points[1].x) : 0;
	return {x, y, spread, lo, hi, scroll: ui.graph.scrollTop, touch: hand.touch, moved: hand.start?.moved};
}

function drag() {
	const {start} = hand;
	if (!start || !hand.down.size) return;
	const now = grip(),
		left = ui.canvas.getBoundingClientRect().left,
		span = start.hi - start.lo;
	const two = hand.down.size > 1;
	const zoom = two && start.spread > 10 ? start.spread / max(10, now.spread) : 1;
	const at = start.lo + ((start.x - left) / drawn.span) * span,
		lo = at - ((now.x - left) / drawn.span) * span * zoom;
	const pane = mainPane();
	if (zoom !== 1 || span < pane.sum[pane.tree.n])
		if (zoom !== 1 || abs(now.x - start.x) > 1) moveWindow(lo, lo + span * zoom);
	if (!start.touch || two) ui.graph.scrollTop = start.scroll - (now.y - start.y);
}

const on = (target, what, act, options) => target.addEventListener(what, act, options);

function listen() {
	const {graph} = ui;
	on(ownsPage() ? window : ui.page, 'keydown', onKey);
	if (ownsPage()) {
		on(window, 'popstate', followHash);
		on(window, 'hashchange', followHash);
		/* Write the address before the user reaches for it or leaves the page. */
		for (const event of ['blur', 'pagehide']) on(window, event, tellAddress);
		on(document.documentElement, 'pointerleave', tellAddress);
		on(document, 'visibilitychange', tellAddress);
		on(window, 'keydown', ({key, ctrlKey, metaKey, altKey}) => {
			if (ctrlKey || metaKey || altKey || /^F\d/.test(key)) tellAddress();
		});
	}
	for (const [event, all] of [
		['beforeprint', true],
		['afterprint', false]
	])
		on(window, event, () => {
			completeTree();
			drawn.all = drawn.paper = all;
			draw();
			settleScroll();
		});
	new ResizeObserver(() => {
		const old = [room.wide, room.tall].join();
		measure();
		for (const rows of [list, calls]) rows.tall = rows.wide = 0;
		if (old !== [room.wide, room.tall].join()) {
			redraw();
			settleScroll();
		}
	}).observe(graph);
	on(graph, 'scroll', () => {
		/*
		 * The graph's height has changed since it was measured: a redraw follows at
		 * once.
		 */
		if (graph.clientHeight !== room.tall) return;
		room.scroll = room.scrolled = graph.scrollTop;
		looked();
		if (moving || abs(drawn.see - drawn.at) > (OVERSCAN * ROW) / 2) later(draw);
		later(drawMinimap);
		if (hand.last) later(hoverAgain);
	});
	on(graph, 'pointerdown', press);
	on(graph, 'pointermove', move);
	for (const event of ['pointerup', 'pointercancel']) on(graph, event, release);
	on(graph, 'pointerleave', () => {
		hand.last = null;
		hover(null);
	});
	on(graph, 'click', click);
	on(graph, 'contextmenu', event => {
		event.preventDefault();
		const byKey = event.button !== 2 && event.clientX <= 1;
		const at = byKey ? current() : frameAt(event.clientX, event.clientY) || current();
		openMenu(at, byKey ? null : event);
	});
	on(
		graph,
		'wheel',
		event => {
			const {deltaX, deltaY, shiftKey} = event,
				sideways = shiftKey && !deltaX ? deltaY : deltaX;
			if (event.ctrlKey) {
				const pane = mainPane(),
					scale = Math.exp(max(-60, min(60, deltaY)) / 120),
					at = pane.lo + graphX(event.clientX) * perPixel(pane);
				moveWindow(at - (at - pane.lo) * scale, at + (pane.hi - at) * scale);
			} else if (abs(sideways) > abs(shiftKey ? 0 : deltaY)) {
				pan(sideways);
			} else {
				return;
			}
			event.preventDefault();
		},
		{passive: false}
	);
	for (const event of ['pointerdown', 'pointermove'])
		on(ui.mini, event, ({buttons, clientX}) => {
			const pane = mainPane(),
				box = ui.mini.getBoundingClientRect(),
				half = (pane.hi - pane.lo) / 2;
			const at = ((clientX - box.left) / box.width) * pane.sum[pane.tree.n];
			if (buttons) moveWindow(at - half, at + half);
		});
	on(document, 'pointerdown', event => {
		if (!ui.menu.contains(event.target)) ui.menu.open = false;
		if (!ui.popup.contains(event.target)) closeMenu();
	});
	ui.query.oninput = typed;
	listenGrip();
}

/* The frame under a mouse at rest while the graph moves. */
const hoverAgain = () => hand.last && hover(frameAt(hand.last.x, hand.last.y));

function press(event) {
	const {pointerId, clientX, clientY, button, shiftKey, pointerType} = event;
	hand.touch = pointerType === 'touch';
	if (button) return;
	hand.dragged &&= hand.down.size > 0;
	hand.down.set(pointerId, {x: clientX, y: clientY});
	if (shiftKey) {
		hand.range = graphX(clientX);
		ui.graph.setPointerCapture(pointerId);
		event.preventDefault();
	} else {
		hand.start = grip();
		if (hand.down.size > 1) hand.dragged = true;
	}
}

function move({pointerId, clientX, clientY, pointerType, buttons}) {
	const point = hand.down.get(pointerId);
	if (pointerType !== 'touch') {
		hand.last = {x: clientX, y: clientY};
		if (!buttons) hand.down.clear();
	}
	if (hand.range !== null) {
		const x = graphX(clientX);
		setAll(ui.range, {
			display: 'inline',
			x: min(hand.range, x),
			width: abs(hand.range - x),
			y: drawn.top
		});
	} else if (point && hand.down.size) {
		Object.assign(point, {x: clientX, y: clientY});
		if (!hand.dragged) {
			const far = max(abs(clientX - hand.start.x), abs(clientY - hand.start.y));
			if (far < SLACK) return;
			hand.dragged = true;
			hover(null);
			if (pointerType !== 'touch') ui.graph.setPointerCapture(pointerId);
		}
		later(drag);
	} else if (pointerType !== 'touch') {
		hover(frameAt(clientX, clientY));
		later(showTip);
		tellBlock(blockAt(clientX, clientY));
	}
}

/* Describes the block under the mouse in the status line. */
function tellBlock(block) {
	if (block) later(() => setText(ui.status, `${othersWords(block)} of all: too narrow to draw; click to see them`));
	else if (hand.block) later(showFrame);
	hand.block = block;
}

function release({pointerId, type}) {
	if (hand.dragged && hand.down.has(pointerId) && type === 'pointerup') drag();
	hand.down.delete(pointerId);
	hand.start = hand.down.size ? grip() : null;
	if (type === 'pointercancel') hand.range = null;
}

function click(event) {
	if (hand.range !== null) {
		const {lo} = mainPane(),
			unit = perPixel(mainPane()),
			from = hand.range,
			to = graphX(event.clientX);
		hand.range = null;
		setAll(ui.range, {display: 'none'});
		if (abs(to - from) > 3) fg.window(lo + min(from, to) * unit, lo + max(from, to) * unit, 'push');
		return;
	}
	if (hand.dragged) {
		hand.dragged = false;
		return;
	}
	const block = blockAt(event.clientX, event.clientY);
	if (block) {
		openBlock(block, event.clientX);
		return;
	}
	const at = frameAt(event.clientX, event.clientY);
	if (!at) return;
	if (event.altKey) {
		openMenu(at, event);
		return;
	}
	const {tapped} = hand,
		again = tapped && tapped.pane.tree === at.pane.tree && tapped.node === at.node;
	hand.tapped = event.pointerType === 'touch' && !again ? at : null;
	if (hand.tapped) {
		select(at);
		return;
	}
	choose(at);
	tellItem(at);
	if (openChain(at)) tellOfIt();
	else fg.zoom(at);
}

/* Average width of a block's frames after it is opened, pixels. */
const OPENED = 12;

/* Zooms to a block; if it has too many frames, to those around a point of the window. */
function openBlock({from, to, count}, clientX) {
	const pane = mainPane(),
		span = min(to - from, ((to - from) / count) * (drawn.span / OPENED)),
		at = pane.lo + graphX(clientX) * perPixel(pane),
		lo = max(from, min(to - span, at - span / 2));
	fg.window(lo, lo + span, 'push');
}

/* Selects a frame, and opens its menu at the pointer or at the frame. */
function openMenu(at, event) {
	select(at);
	const id = at.pane.tree.name[at.node],
		box = ui.page.getBoundingClientRect(),
		canvas = ui.canvas.getBoundingClientRect(),
		frame = boxOf(at);
	const x = event ? event.clientX : canvas.left + (frame ? frame.x1 : 0) + 8,
		y = event ? event.clientY : canvas.top + (frame ? frame.y - drawn.top : 0) + ROW;
	ui.popup.replaceChildren(
		...[keyButton('Enter', 'Zoom'), ...(id ? actsOf(facts.parts(id)) : [])].map(e => {
			setAll(e, {role: 'menuitem', tabindex: -1});
			return e;
		})
	);
	ui.popup.hidden = false;
	const {width, height} = ui.popup.getBoundingClientRect();
	ui.popup.style.left = max(0, min(x - box.left, box.width - width - 4)) + 'px';
	ui.popup.style.top = max(0, min(y - box.top, box.height - height - 4)) + 'px';
	ui.popup.firstChild.focus({preventScroll: true});
}

/* Closes the menu and returns the focus to the graph. */
function closeMenu() {
	if (ui.popup.hidden) return false;
	const held = ui.popup.contains(document.activeElement);
	ui.popup.hidden = true;
	if (held) ui.graph.focus({preventScroll: true});
	return true;
}
