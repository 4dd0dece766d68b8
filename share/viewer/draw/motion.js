/*
 * motion: paints the graph on a bitmap while it is dragged or moved by the wheel, and moves the
 * bitmap by a style where that is enough.
 */

/* Milliseconds without a movement after which the graph is at rest. */
const AT_REST = 150;

/* The current movement: its timer, its bitmap and cached styles; null at rest. */
let moving = null;

/* Starts or continues a movement (drag or wheel): drawing is optimized for speed until rest. */
function inMotion() {
	if (moving) clearTimeout(moving.timer);
	else {
		const {fontSize, fontFamily} = getComputedStyle(ui.labels);
		moving = {font: `${fontSize} ${fontFamily}`, frames: {}, dims: {}, texts: {}, marks: {}};
		ui.canvas.style.visibility = 'hidden';
		ui.ink.hidden = false;
	}
	moving.timer = setTimeout(atRest, AT_REST);
}

/* True if the drawing is a step of the movement, not another change of the state. */
const isStep = () => moving.stepping || moving.at === [mainPane().lo, mainPane().hi].join();

function endMotion() {
	clearTimeout(moving.timer);
	moving = null;
	ui.canvas.style.visibility = '';
	ui.ink.hidden = true;
}

function atRest() {
	if (!moving) return;
	endMotion();
	if (!drawn.all) redraw();
}

/*
 * While the graph is panned, its bitmap is moved by a style. So it is wider than the window, by
 * some pixels on each side, and is painted again only at its end.
 */
const WING = 240;

/* Moves the bitmap to the window; false if it does not reach that far, or was painted otherwise. */
function slide({root, lo, hi}) {
	const {painted} = moving,
		x = painted && round(((painted.lo - lo) / (hi - lo)) * drawn.span);
	if (!painted || painted.root !== root || abs(x) > painted.wing) return false;
	moving.x = x;
	ui.ink.style.transform = `translateX(${x - painted.wing}px)`;
	return true;
}

/*
 * While the graph moves, it is painted on a bitmap in its place, because SVG layout and
 * painting take most of the time of a frame. When it has been at rest for a moment, it becomes
 * SVG again, with selectable text.
 */
function paint(classes, plain, dim, marks, labels) {
	const {ink} = ui,
		scale = window.devicePixelRatio || 1,
		{wing} = moving.painted,
		span = drawn.span + 2 * wing,
		wide = round(span * scale),
		tall = round(room.tall * scale);
	if (ink.width !== wide || ink.height !== tall) {
		Object.assign(ink, {width: wide, height: tall});
		Object.assign(ink.style, {width: span + 'px', height: room.tall + 'px'});
	}
	ink.style.transform = `translateX(${-wing}px)`;
	const to = (moving.to ||= ink.getContext('2d'));
	to.setTransform(scale, 0, 0, scale, 0, 0);
	to.clearRect(0, 0, span, room.tall);
	to.translate(wing, -drawn.see);
	if (moving.scroll !== room.scroll) ink.style.top = (moving.scroll = room.scroll) + 'px';
	const fill = (panes, group) => {
		for (const list of panes)
			list.forEach((at, c) => {
				if (!at.length) return;
				const look = lookOf(group, classes[c]);
				to.fillStyle = look.fill;
				to.globalAlpha = look.fillOpacity;
				for (let k = 0; k < at.length; k += 3) to.fillRect(at[k], at[k + 1], at[k + 2], ROW - 1);
			});
	};
	fill(plain, ui.frames);
	fill(dim, ui.dim);
	to.globalAlpha = 1;
	for (const name of ['others', 'thin', 'match']) {
		if (!marks[name]) continue;
		const look = (moving.marks[name] ||= getComputedStyle(ui[name])),
			path = new Path2D(marks[name]);
		to.fillStyle = look.fill;
		if (look.fill !== 'none') to.fill(path);
		to.strokeStyle = look.stroke;
		to.lineWidth = parseFloat(look.strokeWidth) || 1;
		if (look.stroke !== 'none') to.stroke(path);
	}
	paintLabels(to, labels);
}

function paintLabels(to, list) {
	let last;
	to.font = moving.font;
	for (let k = 0; k < list.length; k += 7) {
		const [pane, i, c, x, y, w, kind] = list.slice(k, k + 7),
			text = labelText(pane, i, c, w);
		if (!text) continue;
		if (kind !== last) {
			const look = lookOf(ui.labels, (last = kind));
			to.fillStyle = look.fill;
			to.globalAlpha = look.fillOpacity;
		}
		if (/^[ -~…▲▼−]*$/.test(text)) to.fillText(text, x + 3, y + baseline());
		else to.fillText(text, x + 3, y + baseline(), w - 6);
	}
}

/* Style of a class's elements in a group, from the style sheets; cached for one movement. */
function lookOf(group, kind) {
	const looks = group === ui.labels ? moving.texts : group === ui.dim ? moving.dims : moving.frames;
	if (!looks[kind]) {
		const probe = group.appendChild(s(group === ui.labels ? 'text' : 'path', {class: kind})),
			{fill, fillOpacity} = getComputedStyle(probe);
		looks[kind] = {fill, fillOpacity};
		probe.remove();
	}
	return looks[kind];
}
