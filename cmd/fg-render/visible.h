/*
 * visible: what a static picture shows of the tree, and the label of each frame shown.
 */
#ifndef VISIBLE_H
#define VISIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/picture.h"

struct shown {
	uint32_t node, last; /* the first and the last frame of a chain */
	uint32_t count; /* frames of the chain, or of the block of others */
	bool others; /* neighbours that are too narrow */
	uint32_t row; /* the root's is 0 */
	double from, width; /* in samples */
};
struct walk {
	double narrow; /* frames of less width are others, */
	double least; /* and not shown at all where these have less together */
	bool fold; /* chains */
	void (*show)(void *context, const struct shown *s); /* parents first, from left to right */
	void *context;
};
void walk(const struct picture *p, const struct walk *w);

/* rows.c: all that is shown on so many character cells, sorted by row, then from left to right. */
struct rows {
	struct shown *shown;
	size_t n, cap;
	uint32_t last; /* row */
};
struct rows rows_build(const struct picture *p, unsigned wide);
size_t rows_first(const struct rows *r, uint32_t row); /* where a row begins in shown */
void rows_free(struct rows *r);
/* The cells of a frame, [*from, *to) of `wide`. False where it has none. */
bool rows_cells(
    const struct picture *p, const struct shown *s, unsigned wide, unsigned *from, unsigned *to);
/* A frame in so many cells: an edge, its label, and a line (on a colour: spaces) to its end. */
void rows_add_frame(const struct picture *p, const struct shown *s, unsigned class, bool coloured,
    unsigned width, struct text *b);
/* Of a colour "#rrggbb" the nearest of the 6 x 6 x 6 cube of 256-colour terminals. */
unsigned rows_colour256(const char *hex);

/* The whole label of what a still picture shows, marks and all; nothing where there is no room. */
void label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b);

#endif
