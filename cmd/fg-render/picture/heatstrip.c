/*
 * heatstrip: the heatmap strip above the graph: columns are seconds, rows are offsets within a
 * second. The more was sampled in a cell, the darker it is. The viewer uses the same paths.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture/palettecss.h"
#include "fg-render/picture.h"
#include "fg-render/reading/times.h"
#include "fg-render/xml.h"
#include "names/cells.h"
#include "profile/unit.h"

#define HEIGHT_MIN 24 /* limits of its height, pixels */
#define HEIGHT_MAX 100
#define GAP 8
#define MARK 70 /* minimum distance of time marks, pixels */

static double
cells_height(const struct times *t)
{
	return fmin(HEIGHT_MAX, fmax(HEIGHT_MIN, 2.0 * t->rows));
}

double
strip_height(const struct picture *p)
{
	return p->times == NULL ? 0 : cells_height(p->times) + 1.5 * p->options->fontsize + 2 * GAP;
}

/*
 * Returns the sum of values in each cell, column by column, and the maximum. The caller frees
 * it.
 */
static double *
activity(const struct times *t, double *most)
{
	double *cell = cli_alloc((size_t)t->columns * t->rows, sizeof *cell);

	*most = 0;
	for (size_t i = 0; i < t->n; i++) {
		uint64_t at = t->sample[i].at - t->start;
		double *c = &cell[at / t->across * t->rows + at % t->across / t->cell];

		*c += value_double(t->sample[i].v);
		*most = fmax(*most, *c);
	}
	return cell;
}

/* Writes the cells of one shade: adjacent cells of a column are one stroke, as wide as a cell. */
static void
write_shade(
    const struct times *t, const double *cell, double most, unsigned shade, struct output *o)
{
	struct text d = {0};

	for (uint32_t column = 0; column < t->columns; column++) {
		uint32_t at = 0;
		bool begun = false;

		for (uint32_t row = 0, end; row < t->rows; row = end + 1) {
			for (end = row; end < t->rows; end++)
				if (ceil(cell[(size_t)column * t->rows + end] / most *
					 STRIP_SHADES) != shade)
					break;
			if (end == row)
				continue;
			if (begun)
				text_printf(&d, "m0 %" PRIu32, row - at);
			else
				text_printf(&d, "M%" PRIu32 " %" PRIu32, column, row);
			text_printf(&d, "v%" PRIu32, end - row);
			begun = true;
			at = end;
		}
	}
	if (d.len > 0)
		output_printf(o, "<path class=\"heat%u\" stroke=\"%s\" d=\"%s\"/>\n", shade,
		    palette_strip(shade, false), d.s);
	text_free(&d);
}

static void
write_text(const struct picture *p, double x, double y, const char *anchor, const char *text,
    struct output *o)
{
	output_printf(o,
	    "<text class=\"dim\" fill=\"#5b6068\" font-size=\"%.10g\" text-anchor=\"%s\" x=\"%.1f\" "
	    "y=\"%.1f\">",
	    0.9 * p->options->fontsize, anchor, x, y);
	xml_string(o, text);
	output_text(o, "</text>\n");
}

static void
write_mark(
    const struct picture *p, double x, double y, const char *anchor, uint64_t ns, struct output *o)
{
	struct text b = {0};

	unit_figure(&b, "s", (double)ns / 1e9);
	write_text(p, x, y, anchor, b.s, o);
	text_free(&b);
}

/*
 * Writes the meaning of the shades at the right end, above the strip: from nothing to the most that
 * a cell has, and its time.
 */
static void
write_scale(const struct picture *p, double right, double y, double most, struct output *o)
{
	double size = 0.9 * p->options->fontsize, cell = p->options->fontwidth * size, x;
	struct text b = {0};
	unsigned n;

	unit_figure(&b, p->drawn.unit[0], most * p->options->factor);
	text_puts(&b, " in ");
	unit_figure(&b, "s", (double)p->times->cell / 1e9);
	n = label_width(b.s, b.len);
	x = right - n * cell - 4 - 8 * STRIP_SHADES;
	output_text(o, "<g id=\"fg-scale\">\n");
	write_text(p, x - 4, y, "end", "0", o);
	for (unsigned shade = 1; shade <= STRIP_SHADES; shade++, x += 8)
		output_printf(o,
		    "<path class=\"heat%u\" stroke=\"%s\" stroke-width=\"8\" d=\"M%.10g %.10gv8\"/>\n",
		    shade, palette_strip(shade, false), x + 4, y - 8);
	write_text(p, right, y, "end", b.s, o);
	output_text(o, "</g>\n");
	text_free(&b);
}

/* Writes the times under the strip, every 1, 2 or 5 times a power of ten columns. */
static void
write_marks(const struct picture *p, double x, double y, double width, struct output *o)
{
	static const unsigned nice[] = {1, 2, 5};
	const struct times *t = p->times;
	double column = width / t->columns;
	uint64_t power = 1, step = 1;

	for (unsigned k = 0; (double)step * column < MARK; k++) {
		power = k % 3 == 2 ? power * 10 : power;
		step = nice[(k + 1) % 3] * power;
	}
	for (uint64_t c = 0; c < t->columns; c += step)
		if (c == 0 || x + (double)c * column < x + width - MARK)
			write_mark(
			    p, x + (double)c * column, y, "start", t->start + c * t->across, o);
	write_mark(p, x + width, y, "end", t->start + t->columns * t->across, o);
}

void
strip_write(const struct picture *p, double x, double y, double width, struct output *o)
{
	const struct times *t = p->times;
	double height, most, *cell;

	if (t == NULL)
		return;
	height = cells_height(t);
	cell = activity(t, &most);
	output_printf(o,
	    "<svg id=\"fg-strip\" x=\"%.10g\" y=\"%.10g\" width=\"%.10g\" height=\"%.10g\" "
	    "viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\" preserveAspectRatio=\"none\">\n"
	    "<rect class=\"heat\" fill=\"%s\" width=\"100%%\" height=\"100%%\"/>\n"
	    "<g transform=\"translate(.5 0)\" shape-rendering=\"crispEdges\">\n",
	    x, y, width, height, t->columns, t->rows, palette_strip(0, false));
	for (unsigned shade = 1; shade <= STRIP_SHADES && most > 0; shade++)
		write_shade(t, cell, most, shade, o);
	output_text(o, "</g>\n</svg>\n");
	write_scale(p, x + width, y - 0.4 * GAP, most, o);
	write_marks(p, x, y + height + 1.2 * p->options->fontsize, width, o);
	free(cell);
}
