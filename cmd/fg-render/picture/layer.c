/*
 * layer: the part of the SVG that needs no script: one path per colour, labels where they fit,
 * links of --nameattr. y is 0 at the outer edge of the root's row. Towards the leaves it grows
 * with --inverted, and decreases otherwise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/picture/layer.h"
#include "fg-render/reading/nameattr.h"
#include "fg-render/options.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"
#include "fg-render/xml.h"

#define ROWS_TALL 40 /* with more rows and no viewer, --chains auto folds single-child runs */
#define ROWS_ENOUGH 24 /* nearly empty rows above this one are not drawn */
#define ROWS_THIN 0.02 /* a row with less than this share of the total is nearly empty */
#define TEXT_PAD 3 /* pixels on each side of a label */
#define UNITS 4 /* units of bars per pixel: tenths would need a digit more of many numbers */

static void
add_integer(struct text *b, long long v)
{
	char digits[24];
	size_t n = sizeof digits;
	unsigned long long rest = (unsigned long long)llabs(v);

	do
		digits[--n] = (char)('0' + rest % 10);
	while ((rest /= 10) != 0);
	if (v < 0)
		digits[--n] = '-';
	text_add(b, digits + n, sizeof digits - n);
}

/* Appends tenths of a pixel as a decimal number: 12.5, .5, 12, 0. */
static void
add_tenths(struct text *b, long long tenths)
{
	unsigned long long v = (unsigned long long)llabs(tenths);

	if (tenths < 0)
		text_char(b, '-');
	if (v >= 10 || v == 0)
		add_integer(b, (long long)(v / 10));
	if (v % 10 != 0) {
		text_char(b, '.');
		text_char(b, (char)('0' + v % 10));
	}
}

static void
add_pixels(struct text *b, double v)
{
	add_tenths(b, llround(v * 10));
}

/*
 * True if frames have an outline. Without one a frame is a stroke as thick as its row, which
 * takes half the bytes.
 */
static bool
is_outlined(const struct picture *p)
{
	return p->options->strokecolor != NULL;
}

static void
add_bar(struct layer *l, unsigned class, uint32_t row, double x, double width)
{
	/* a gap of half a pixel separates neighbours, except for the narrowest frames */
	double drawn = width > 2.5 ? width - 0.5 : width;

	vec_fit(l->bar, l->cap, l->bars + 1);
	l->bar[l->bars++] = (struct bar){class, row, llround(x * UNITS), llround(drawn * UNITS)};
}

static const char *
attribute(const struct nameattr *a, const char *name)
{
	for (size_t i = 0; a != NULL && i < a->n; i++)
		if (strcmp(a->attribute[i].name, name) == 0)
			return a->attribute[i].value;
	return NULL;
}

/* Appends an attribute of --nameattr if the function has it. */
static void
add_attribute(struct text *b, const struct nameattr *a, const char *name)
{
	const char *text = attribute(a, name);

	if (text == NULL)
		return;
	text_printf(b, " %s=\"", name);
	text_html(b, str_of(text));
	text_char(b, '"');
}

/* Adds the link and the tooltip of a frame with attributes, drawn over it. */
static void
add_link(struct text *b, struct nameattr *a, double x, double y, double width, double height)
{
	const char *title = attribute(a, "title"), *href = attribute(a, "href");
	const char *element = href != NULL ? "a" : "g";

	text_printf(b, "<%s", element);
	if (!a->drawn)
		add_attribute(b, a, "id"); /* an id must be unique */
	a->drawn = true;
	add_attribute(b, a, "class");
	add_attribute(b, a, "href");
	if (href != NULL && attribute(a, "target") == NULL)
		text_puts(b, " target=\"_top\"");
	add_attribute(b, a, "target");
	text_char(b, '>');
	if (title != NULL) {
		text_puts(b, "<title>");
		text_html(b, str_of(title));
		text_puts(b, "</title>");
	}
	text_printf(b,
	    "<rect fill-opacity=\"0\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
	    "</%s>\n",
	    x, y, width, height - 1, element);
}

/*
 * True if every monospace font has all characters of the label: ASCII and the marks that
 * labels use.
 */
static bool
is_plain(const struct text *label)
{
	static const char *const mark[] = {
	    "\xe2\x80\xa6", "\xe2\x96\xb2", "\xe2\x96\xbc", "\xe2\x88\x92"};

	for (size_t i = 0; i < label->len; i++) {
		bool known = (unsigned char)label->s[i] < 0x80;

		for (size_t k = 0; k < sizeof mark / sizeof mark[0] && !known; k++)
			if (text_starts(label->s + i, label->len - i, mark[k])) {
				known = true;
				i += 2;
			}
		if (!known)
			return false;
	}
	return true;
}

static void
add_label(const struct picture *p, struct layer *l, const struct shown *s, unsigned class, double x,
    double y, double width)
{
	const struct options *o = p->options;
	double character = o->fontsize * o->fontwidth;
	double cells = (width - 2 * TEXT_PAD) / character;
	struct text *b = &l->text, *label = &l->label;
	bool clip;

	text_cut(label, 0);
	label_shown(p, s, class, cells > 0 ? (unsigned)fmin(cells, 10000) : 0, label);
	if (label->len == 0)
		return;
	clip = o->fonttype != NULL || character < 0.6 * o->fontsize || !is_plain(label);
	if (clip) {
		/* a nested <svg> clips the label */
		text_puts(b, "<svg x=\"");
		add_pixels(b, x);
		text_puts(b, "\" y=\"");
		add_pixels(b, y);
		text_puts(b, "\" width=\"");
		add_pixels(b, width - 1);
		text_puts(b, "\" height=\"");
		add_pixels(b, o->height);
		text_puts(b, "\">");
		x = y = 0;
	}
	text_puts(b, "<text x=\"");
	add_pixels(b, x + TEXT_PAD);
	text_puts(b, "\" y=\"");
	add_pixels(b, y + o->height / 2. + o->fontsize * 0.33);
	text_puts(b, s->others || palette_pale(p, class) ? "\" class=\"on same\">"
		     : palette_is_dark(p, class)	 ? "\" fill=\"#fff\">"
							 : "\">");
	text_html(b, text_as_str(label));
	text_puts(b, clip ? "</text></svg>\n" : "</text>\n");
}

/* State of the walk that counts the rows or draws the frames. */
struct drawing {
	const struct picture *p;
	struct layer *l;
	double scale; /* pixels per sample */
	double *covered; /* by row: sum of the widths of its frames, in samples */
	uint32_t cap, last; /* allocated rows of covered; last row to draw */
};

static void
draw(void *drawing, const struct shown *s)
{
	const struct drawing *d = drawing;
	const struct picture *p = d->p;
	const struct options *o = p->options;
	struct layer *l = d->l;
	double row = o->height, y = o->inverted ? s->row * row : -(s->row + 1.0) * row;
	double x = s->from * d->scale, width = s->width * d->scale;
	unsigned class = s->others ? 0 : palette_node(p, s->last);
	struct nameattr *a = NULL;

	if (s->row > d->last)
		return;
	if (!s->others)
		a = nameattr_find(&p->attributes, p->names.text[p->tree->node[s->last].name].s);
	add_bar(l, s->others ? palette_classes(p) : class, s->row, x, width);
	add_label(p, l, s, class, x, y, width);
	if (a != NULL)
		add_link(&l->links, a, x, y, width, row);
	if (s->row > l->rows)
		l->rows = s->row;
}

static void
cover(void *drawing, const struct shown *s)
{
	struct drawing *d = drawing;
	uint32_t rows = d->cap;

	vec_fit(d->covered, d->cap, s->row + 1);
	for (; rows < d->cap; rows++)
		d->covered[rows] = 0;
	d->covered[s->row] += s->width;
	if (s->row > d->last)
		d->last = s->row;
}

/* Returns the minimum width of a drawn frame, in samples. */
static double
narrowest(const struct picture *p, double scale)
{
	const struct options *o = p->options;

	return o->minwidth_percent ? o->minwidth / 100 * p->profile_total : o->minwidth / scale;
}

/* Sets d->last to the last row of the picture, and d->covered to the widths by row. */
static void
count_rows(struct drawing *d, struct walk *w)
{
	d->last = 0;
	for (uint32_t i = 0; i < d->cap; i++)
		d->covered[i] = 0;
	w->show = cover;
	walk(d->p, w);
}

static int
by_class(const void *a, const void *b)
{
	const struct bar *x = a, *y = b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->x > y->x) - (x->x < y->x);
}

/*
 * Fits a tall picture on a page: nearly empty rows at the leaf end are left to the interactive
 * viewer. Without a viewer, which would show all rows, single-child runs become one row each.
 */
void
layer_build(const struct picture *p, double width, struct layer *l)
{
	const struct options *o = p->options;
	struct drawing d = {.p = p, .l = l, .scale = width / p->profile_total};
	struct walk w = {.narrow = narrowest(p, d.scale), .least = 1 / d.scale, .context = &d};
	uint32_t rows;

	*l = (struct layer){0};
	w.fold = o->chains == CHAINS_FOLD;
	w.foreign = o->chains == CHAINS_AUTO && !o->flamechart;
	w.only = !o->no_javascript;
	count_rows(&d, &w);
	if (o->chains == CHAINS_AUTO && o->no_javascript && o->max_depth == 0 &&
	    d.last > ROWS_TALL) {
		w.fold = true;
		count_rows(&d, &w);
	}
	rows = d.last;
	if (o->max_depth != 0 && o->max_depth < d.last)
		d.last = o->max_depth;
	while (o->max_depth == 0 && d.last > ROWS_ENOUGH &&
	       d.covered[d.last] < ROWS_THIN * p->profile_total)
		d.last--;
	l->above = rows - d.last;
	w.show = draw;
	walk(p, &w);
	sort_items(l->bar, l->bars, sizeof *l->bar, by_class);
	free(d.covered);
}

/* Returns the index of the first bar of a class, or of a later one. */
static size_t
first_bar(const struct layer *l, unsigned class)
{
	size_t from = 0, to = l->bars;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (l->bar[middle].class < class)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/*
 * Writes the bars of a class row by row, each relative to the one before it, in integers: x in
 * units, y in rows, or in units if frames have outlines.
 */
static void
write_bars(const struct picture *p, const struct layer *l, unsigned class, const char *look,
    struct output *o)
{
	bool outlined = is_outlined(p);
	long long row = outlined ? UNITS * p->options->height : 1;
	struct text d = {0};
	size_t i = first_bar(l, class), end = first_bar(l, class + 1);

	while (i < end) {
		text_cut(&d, 0);
		do {
			const struct bar *bar = &l->bar[i];

			if (d.len > 0 && bar[-1].row == bar->row) {
				text_char(&d, 'm');
				add_integer(
				    &d, bar->x - bar[-1].x - (outlined ? 0 : bar[-1].width));
				text_puts(&d, " 0h");
			} else {
				text_char(&d, 'M');
				add_integer(&d, bar->x);
				text_char(&d, p->options->inverted ? ' ' : '-');
				add_integer(&d, row * (bar->row + !p->options->inverted));
				text_char(&d, 'h');
			}
			add_integer(&d, bar->width);
			if (outlined) {
				text_printf(&d, "v%dh", UNITS * (p->options->height - 1));
				add_integer(&d, -bar->width);
				text_char(&d, 'z');
			}
		} while (++i < end && d.len < XML_SECTION);
		output_printf(o, "<path %s d=\"", look);
		output_write(o, d.s, d.len);
		output_text(o, "\"/>\n");
	}
	text_free(&d);
}

void
layer_write(const struct picture *p, const struct layer *l, struct output *o)
{
	int height = p->options->height, hatched = palette_hatched(p);
	double y = is_outlined(p) ? 1. / UNITS : height; /* pixels */
	const char *paint = is_outlined(p) ? "fill" : "stroke";
	char look[64];

	if (is_outlined(p))
		output_printf(o,
		    "<g stroke=\"%s\" stroke-width=\"%.10g\" transform=\"scale(%.10g)\">\n",
		    p->options->strokecolor, 0.5 * UNITS, y);
	else
		output_printf(o,
		    "<g stroke-width=\"%.6g\" transform=\"translate(0 %.10g)scale(%.10g %d)\">\n",
		    (height - 1.) / height, (height - 1) / 2., 1. / UNITS, height);
	for (unsigned i = 0; i < palette_classes(p); i++) {
		char hex[8];

		palette_hex(p, i, hex);
		snprintf(look, sizeof look, "class=\"%s%u\" %s=\"%s\"", palette_prefix(p), i, paint,
		    hex);
		write_bars(p, l, i, look, o);
	}
	snprintf(look, sizeof look, "class=\"rest\" %s=\"#e3e6ea\"", paint);
	write_bars(p, l, palette_classes(p), look, o);
	if (hatched >= 0 && first_bar(l, (unsigned)hatched) < first_bar(l, (unsigned)hatched + 1)) {
		/* a diagonal of 6 pixels, in both scales */
		output_printf(o,
		    "<pattern id=\"fg-hatch\" width=\"6\" height=\"6\" "
		    "patternUnits=\"userSpaceOnUse\" patternTransform=\"scale(%d %.6g)rotate(45)\">"
		    "<path stroke=\"#fff\" stroke-opacity=\".35\" stroke-width=\"3\" d=\"M0 0v6\"/>"
		    "</pattern>\n",
		    UNITS, 1 / y);
		snprintf(look, sizeof look, "%s=\"url(#fg-hatch)\"", paint);
		write_bars(p, l, (unsigned)hatched, look, o);
	}
	output_text(o, "</g>\n<g class=\"on\" fill=\"#14161a\">\n");
	output_write(o, l->text.s, l->text.len);
	output_text(o, "</g>\n");
	output_write(o, l->links.s, l->links.len);
}

void
layer_free(struct layer *l)
{
	free(l->bar);
	text_free(&l->text);
	text_free(&l->label);
	text_free(&l->links);
}
