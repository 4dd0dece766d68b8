/*
 * axis: over a flame chart, whose width is time, a scale from the left edge of what is
 * looked at, and how long that is.
 */

/* Pixels that a mark's text needs. */
const MARK = 90;

/* 1, 2 or 5 times a power of ten, the first that is not below least. */
function niceStep(least) {
	const power = 10 ** floor(Math.log10(least));
	return [1, 2, 5, 10].map(n => n * power).find(step => step >= least * 0.999999);
}

/* A mark at a part of the width: paper has another one than the window. */
const tick = (at, text) => h('span', {class: 'tick', style: `left:${(100 * at).toFixed(3)}%`}, text);

function drawAxis() {
	const show = Boolean(picture.options.flamechart) && panes.length === 1 && !showing.reverse;
	hide(ui.axis, !show);
	if (!show) return;
	const {lo, hi} = panes[0],
		span = hi - lo,
		key = [lo, hi, drawn.span].join();
	if (drawAxis.key === key || !(span > 0)) return;
	drawAxis.key = key;
	const step = niceStep((span * MARK) / drawn.span),
		marks = [];
	for (let at = ceil(lo / step) * step; at < hi; at += step) {
		const x = ((at - lo) / span) * drawn.span;
		/* The length of the whole stands at the right edge. */
		if (x < drawn.span - 2 * MARK)
			marks.push(tick(x / drawn.span, amount(at)));
	}
	ui.axis.replaceChildren(...marks, h('span', {class: 'length'}, `${amount(span)} wide`));
}
