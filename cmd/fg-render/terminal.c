/*
 * terminal: the graph as rows of characters, in the colours of the picture where
 * they go to a terminal that has them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/palette.h"
#include "fg-render/picture.h"
#include "fg-render/visible.h"
#include "profile/cells.h"

#define COLUMNS_ELSEWHERE 100 /* where nobody's terminal says it */

enum colours { COLOURS_NONE, COLOURS_256, COLOURS_ALL };

/* Everything that is shown, in the order of the walk: from left to right in each row. */
struct rows {
	struct shown *shown;
	size_t n, cap;
	uint32_t last; /* row */
};

static void
collect(void *rows, const struct shown *s)
{
	struct rows *r = rows;

	vec_fit(r->shown, r->cap, r->n + 1);
	r->shown[r->n++] = *s;
	if (s->row > r->last)
		r->last = s->row;
}

static unsigned
columns(const struct options *o, bool terminal)
{
	struct winsize size;

	if (o->width != 0)
		return (unsigned)o->width;
	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col;
	return COLUMNS_ELSEWHERE;
}

static bool
is_set(const char *variable)
{
	const char *s = getenv(variable);

	return s != NULL && *s != '\0';
}

/* What the terminal can do; NO_COLOR and CLICOLOR_FORCE as other programs have them. */
static enum colours
colours(bool terminal)
{
	const char *all = getenv("COLORTERM"), *term = getenv("TERM");

	if (is_set("NO_COLOR"))
		return COLOURS_NONE;
	if (!is_set("CLICOLOR_FORCE") && (!terminal || term == NULL || strcmp(term, "dumb") == 0))
		return COLOURS_NONE;
	return all != NULL && (strcmp(all, "truecolor") == 0 || strcmp(all, "24bit") == 0)
		   ? COLOURS_ALL
		   : COLOURS_256;
}

/* Begin a stretch of that background. */
static void
begin_colour(struct text *b, enum colours c, const char *hex, bool dark)
{
	unsigned rgb[3] = {0, 0, 0};

	if (c == COLOURS_NONE)
		return;
	sscanf(hex, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
	if (c == COLOURS_ALL)
		text_printf(b, "\033[48;2;%u;%u;%um", rgb[0], rgb[1], rgb[2]);
	else
		text_printf(b, "\033[48;5;%um",
		    16 + 36 * ((rgb[0] * 5 + 127) / 255) + 6 * ((rgb[1] * 5 + 127) / 255) +
			(rgb[2] * 5 + 127) / 255);
	text_printf(b, "\033[38;5;%um", dark ? 231 : 16);
}

static void
end_colour(struct text *b, enum colours c)
{
	if (c != COLOURS_NONE)
		text_puts(b, "\033[0m");
}

/* One frame of that many cells: an edge, its label, and a line as long as it is. */
static void
add_frame(
    const struct picture *p, const struct shown *s, enum colours c, unsigned width, struct text *b)
{
	unsigned class = s->others ? 0 : palette_node(p, s->last), used;
	struct text label = {0};
	char hex[8] = "#c6c9cd";

	if (!s->others)
		palette_hex(p, class, hex);
	label_shown(p, s, class, width - 1, &label);
	used = 1 + label_width(label.s, label.len);
	begin_colour(b, c, hex, !s->others && palette_is_dark(p, class));
	text_puts(b, c != COLOURS_NONE ? "\xe2\x96\x8f"
		     : s->others       ? "\xe2\x94\x86"
				       : "\xe2\x94\x82");
	text_add(b, label.len != 0 ? label.s : "", label.len);
	for (; used < width; used++)
		text_puts(b, c != COLOURS_NONE ? " " : s->others ? "\xe2\x94\x88" : "\xe2\x94\x80");
	end_colour(b, c);
	text_free(&label);
}

/* Where a row begins among those sorted by row. */
static size_t
first_of(const struct rows *r, uint32_t row)
{
	size_t low = 0, high = r->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->shown[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
add_row(const struct picture *p, const struct rows *r, uint32_t row, enum colours c, unsigned wide,
    struct text *b)
{
	double scale = wide / p->whole;
	unsigned at = 0;

	for (size_t i = first_of(r, row); i < r->n && r->shown[i].row == row; i++) {
		const struct shown *s = &r->shown[i];
		unsigned from = (unsigned)(s->from * scale + 0.5);
		unsigned to = (unsigned)((s->from + s->width) * scale + 0.5);

		if (to <= from || from < at)
			continue;
		for (; at < from; at++)
			text_char(b, ' ');
		add_frame(p, s, c, to - from, b);
		at = to;
	}
	text_char(b, '\n');
}

static void
add_legend(const struct picture *p, enum colours c, struct text *b)
{
	for (const struct legend *l = palette_legend(p); l->label != NULL; l++) {
		char hex[8];

		palette_hex(p, l->class, hex);
		begin_colour(b, c, hex, palette_is_dark(p, l->class));
		text_puts(b, "  ");
		end_colour(b, c);
		text_printf(b, " %s  ", l->label);
	}
	if (palette_legend(p)->label != NULL)
		text_char(b, '\n');
}

/* Rows that are alike come together: the walk goes up and down. */
static int
by_row(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

void
report_flame(const struct picture *p, struct output *o)
{
	const struct options *opt = p->options;
	bool terminal =
	    (opt->output == NULL || strcmp(opt->output, "-") == 0) && isatty(STDOUT_FILENO);
	unsigned wide = columns(opt, terminal);
	enum colours c = colours(terminal);
	double least = fmax(p->whole / wide, opt->min_percent / 100 * p->whole);
	struct rows r = {0};
	struct walk w = {.narrow = least,
	    .least = p->whole / wide,
	    .fold = opt->chains != CHAINS_KEEP,
	    .show = collect,
	    .context = &r};
	struct text b = {0};

	walk(p, &w);
	qsort(r.shown, r.n, sizeof *r.shown, by_row);
	layout_heading(p, &b);
	output_printf(o, "%s\n", b.s);
	if (opt->max_depth != 0 && r.last > opt->max_depth)
		r.last = opt->max_depth;
	for (uint32_t i = 0; i <= r.last; i++) {
		text_cut(&b, 0);
		add_row(p, &r, opt->inverted ? i : r.last - i, c, wide, &b);
		output_write(o, b.s, b.len);
	}
	text_cut(&b, 0);
	if (c != COLOURS_NONE)
		add_legend(p, c, &b);
	output_write(o, b.len != 0 ? b.s : "", b.len);
	text_free(&b);
	free(r.shown);
}
