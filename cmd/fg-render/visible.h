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

/* The whole label of what a still picture shows, marks and all; nothing where there is no room. */
void label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b);

#endif
