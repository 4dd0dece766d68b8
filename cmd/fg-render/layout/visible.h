/*
 * visible: the frames that the static SVG shows, and the label of each.
 */
#ifndef VISIBLE_H
#define VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/picture.h"

struct shown {
	uint32_t node, last; /* first and last frame of a run */
	uint32_t count; /* frames of the run, or of the block of others */
	bool others; /* a block of neighbours that are too narrow */
	uint32_t row; /* the root is in row 0 */
	double from, width; /* in the profile's unit */
};
struct walk {
	double narrow; /* narrower frames join a block of others */
	double least; /* minimum width of such a block to be shown */
	bool fold; /* show a single-child run as one frame */
	bool foreign; /* and a run of code that is not own, apart from own code */
	uint32_t apart; /* frames up to this row are never the first of a run */
	bool only; /* a narrower sibling ends a run, too: the viewer shows all of them */
	void (*show)(void *context, const struct shown *s); /* parents first, left to right */
	void *context;
};
void walk(const struct picture *p, const struct walk *w);

/* rows.c: the frames shown on `wide` character cells, sorted by row, then from left to right. */
struct rows {
	struct shown *shown;
	size_t n, cap;
	uint32_t last; /* the last row */
};
struct rows rows_build(const struct picture *p, unsigned wide, uint32_t apart); /* as in walk */
size_t rows_first(const struct rows *r, uint32_t row); /* index in shown of a row's first frame */
void rows_free(struct rows *r);
/* Sets the cells of a frame, [*from, *to) of `wide`. False if it has none. */
bool rows_cells(
    const struct picture *p, const struct shown *s, unsigned wide, unsigned *from, unsigned *to);
/*
 * Appends a frame of `width` cells: an edge, its label, and a line (spaces if coloured) to its
 * end.
 */
void rows_add_frame(const struct picture *p, const struct shown *s, unsigned class, bool coloured,
    unsigned width, struct text *b);
/* Returns the colour of the 6 x 6 x 6 cube of 256-colour terminals nearest to "#rrggbb". */
unsigned rows_colour256(const char *hex);

/*
 * Appends the label of a shown frame with its marks, in at most `columns` cells; nothing if it
 * does not fit.
 */
void label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b);

#endif
