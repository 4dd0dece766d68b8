/*
 * axis: the time scale above a flame chart, from the left edge of the visible part, and the
 * length of that part.
 */

/* Width of a mark's text, pixels. */
const MARK = 90;

/* The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
function niceStep(least) {
	const power = 10 ** floor(Math.log10(least));
	return [1, 2, 5, 10].map(n => n * power).find(step => step >= least * 0.999999);
}

/* A mark. Its position is a share of the width, because paper and window differ in width. */
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
		/* The length of the visible part is at the right edge. */
		if (x < drawn.span - 2 * MARK)
			marks.push(tick(x / drawn.span, amount(at)));
	}
	ui.axis.replaceChildren(...marks, h('span', {class: 'length'}, `${amount(span)} wide`));
}
