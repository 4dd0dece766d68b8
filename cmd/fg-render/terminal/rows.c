/*
 * rows: a graph laid out in character cells, for -T flame and -T interactive.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "base/sort.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"
#include "names/cells.h"

static void
collect(void *rows, const struct shown *s)
{
	struct rows *r = rows;

	vec_fit(r->shown, r->cap, r->n + 1);
	r->shown[r->n++] = *s;
	if (s->row > r->last)
		r->last = s->row;
}

/* By row, then from left to right: the walk visits frames in pre-order. */
static int
by_row(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

struct rows
rows_build(const struct picture *p, unsigned wide, uint32_t apart)
{
	double least =
	    fmax(p->profile_total / wide, p->options->min_percent / 100 * p->profile_total);
	struct rows r = {0};
	struct walk w = {.narrow = least,
	    .least = p->profile_total / wide,
	    .fold = p->options->chains != CHAINS_KEEP,
	    .foreign = p->options->chains == CHAINS_AUTO && !p->options->flamechart,
	    .apart = apart,
	    .show = collect,
	    .context = &r};

	walk(p, &w);
	sort_items(r.shown, r.n, sizeof *r.shown, by_row);
	return r;
}

void
rows_free(struct rows *r)
{
	free(r->shown);
	*r = (struct rows){0};
}

size_t
rows_first(const struct rows *r, uint32_t row)
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

bool
rows_cells(
    const struct picture *p, const struct shown *s, unsigned wide, unsigned *from, unsigned *to)
{
	double scale = wide / p->profile_total;

	*from = (unsigned)(s->from * scale + 0.5);
	*to = (unsigned)((s->from + s->width) * scale + 0.5);
	return *to > *from;
}

void
rows_add_frame(const struct picture *p, const struct shown *s, unsigned class, bool coloured,
    unsigned width, struct text *b)
{
	struct text label = {0};
	unsigned used;

	label_shown(p, s, class, width - 1, &label);
	used = 1 + label_width(label.s, label.len);
	text_puts(b, coloured ? "\xe2\x96\x8f" : s->others ? "\xe2\x94\x86" : "\xe2\x94\x82");
	text_add(b, label.len != 0 ? label.s : "", label.len);
	for (; used < width; used++)
		text_puts(b, coloured ? " " : s->others ? "\xe2\x94\x88" : "\xe2\x94\x80");
	text_free(&label);
}

unsigned
rows_colour256(const char *hex)
{
	unsigned rgb[3] = {0, 0, 0};

	sscanf(hex, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
	return 16 + 36 * ((rgb[0] * 5 + 127) / 255) + 6 * ((rgb[1] * 5 + 127) / 255) +
	       (rgb[2] * 5 + 127) / 255;
}
