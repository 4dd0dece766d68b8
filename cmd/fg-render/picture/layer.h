/*
 * layer: the frames of the static SVG, with y growing downwards from the root's row.
 */
#ifndef LAYER_H
#define LAYER_H

#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "fg-render/picture.h"

struct layer {
	struct bar { /* sorted by class, row and x */
		unsigned class; /* the number of classes: a block of narrow neighbours */
		uint32_t row;
		long long x, width; /* see UNITS of layer.c */
	} * bar;
	size_t bars, cap;
	struct text text, links;
	struct text label; /* scratch: the label being written */
	uint32_t rows; /* rows drawn, without the root's */
	uint32_t above; /* rows that are not drawn because they are nearly empty */
};
void layer_build(const struct picture *p, double width, struct layer *l);
void layer_write(const struct picture *p, const struct layer *l, struct output *o);
void layer_free(struct layer *l);

#endif
