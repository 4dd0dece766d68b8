/*
 * grip: the edge between graph and panel, moved by mouse, touch or keyboard. The state stores
 * the panel's part of the page in percent: of the width or, in a narrow window, where the
 * panel is below the graph, of the height.
 */

const LEAST_PANEL = 15;
const MOST_PANEL = 80;
const USUAL_PANEL = 330; /* pixels, as in the style sheet */
const PANEL_STEP = 2; /* of an arrow key */

const isBelow = () => getComputedStyle(ui.main).flexDirection === 'column';

/* The part of the page that the panel has now, percent. */
function panelPart() {
	const side = ui.side.getBoundingClientRect(),
		all = ui.main.getBoundingClientRect();
	return isBelow() ? (100 * side.height) / all.height : (100 * side.width) / all.width;
}

function sizePanel(part) {
	const size = max(LEAST_PANEL, min(MOST_PANEL, part)).toFixed(1);
	return update({panel: String(Number(size))});
}

/* Shows the state's size. */
function showSize() {
	const {panel} = showing;
	if (showSize.last === panel) return;
	showSize.last = panel;
	if (panel) {
		ui.side.style.setProperty('--panel', panel + '%');
		tellSize();
	} else ui.side.style.removeProperty('--panel');
}

/* Tells the size of a panel that has been measured. */
const tellSize = () =>
	change(ui.grip, {'aria-valuenow': round(showing.panel || min(MOST_PANEL, (100 * USUAL_PANEL) / innerWidth))});

function listenGrip() {
	on(ui.grip, 'pointerdown', event => {
		ui.grip.setPointerCapture(event.pointerId);
		event.preventDefault();
		ui.grip.focus();
	});
	on(ui.grip, 'pointermove', ({pointerId, clientX, clientY}) => {
		if (!ui.grip.hasPointerCapture(pointerId)) return;
		const {right, bottom, width, height} = ui.main.getBoundingClientRect();
		sizePanel(isBelow() ? (100 * (bottom - clientY)) / height : (100 * (right - clientX)) / width);
	});
	on(ui.grip, 'dblclick', () => update({panel: ''}));
	on(ui.grip, 'keydown', event => {
		const by = {ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1, Home: -100, End: 100}[event.key];
		if (!by) return;
		event.preventDefault();
		sizePanel(panelPart() + by * PANEL_STEP);
	});
}
