/*
 * terminal: -T flame, the graph as rows of characters, coloured if written to a terminal that
 * supports it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/layout/figures.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture/legend.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"
#include "names/cells.h"

#define COLUMNS_ELSEWHERE 100 /* width if the output is not a terminal */

enum colours { COLOURS_NONE, COLOURS_256, COLOURS_ALL };

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

/* Returns the colours to use. Follows NO_COLOR and CLICOLOR_FORCE as other programs do. */
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

/* Starts text on that background. */
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
		text_printf(b, "\033[48;5;%um", rows_colour256(hex));
	text_printf(b, "\033[38;5;%um", dark ? 231 : 16);
}

static void
end_colour(struct text *b, enum colours c)
{
	if (c != COLOURS_NONE)
		text_puts(b, "\033[0m");
}

/* Appends one frame of that many cells: an edge, its label, and a line to its end. */
static void
add_frame(
    const struct picture *p, const struct shown *s, enum colours c, unsigned width, struct text *b)
{
	unsigned class = s->others ? 0 : palette_node(p, s->last);
	char hex[8] = "#c6c9cd";

	if (!s->others)
		palette_hex(p, class, hex);
	begin_colour(b, c, hex, !s->others && palette_is_dark(p, class));
	rows_add_frame(p, s, class, c != COLOURS_NONE, width, b);
	end_colour(b, c);
}

static void
add_row(const struct picture *p, const struct rows *r, uint32_t row, enum colours c, unsigned wide,
    struct text *b)
{
	unsigned at = 0, from, to;

	for (size_t i = rows_first(r, row); i < r->n && r->shown[i].row == row; i++) {
		const struct shown *s = &r->shown[i];

		if (!rows_cells(p, s, wide, &from, &to) || from < at)
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
	for (const struct legend *l = NULL; (l = palette_legend(p, l)) != NULL;) {
		char hex[8];

		palette_hex(p, l->class, hex);
		begin_colour(b, c, hex, palette_is_dark(p, l->class));
		text_puts(b, "  ");
		end_colour(b, c);
		text_char(b, ' ');
		palette_add_label(p, l, b);
		text_puts(b, "  ");
	}
	if (palette_strength(p) != NULL)
		text_puts(b, palette_strength(p));
	if (palette_legend(p, NULL) != NULL)
		text_char(b, '\n');
}

void
report_flame(const struct picture *p, struct output *o)
{
	const struct options *opt = p->options;
	bool terminal =
	    (opt->output == NULL || strcmp(opt->output, "-") == 0) && isatty(STDOUT_FILENO);
	unsigned wide = columns(opt, terminal);
	enum colours c = colours(terminal);
	struct rows r = rows_build(p, wide, 0);
	struct text b = {0};

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
	rows_free(&r);
}
