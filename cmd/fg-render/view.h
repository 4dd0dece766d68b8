/*
 * view: a picture of a part of a picture: what is in one frame, or who calls a function and
 * what it calls.
 */
#ifndef VIEW_H
#define VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/options.h"
#include "fg-render/picture.h"

struct view {
	struct picture picture; /* names are those of the picture that it is of */
	struct options options;
	uint32_t *of; /* by node of the view, the node that it is; NULL where they are merged */
	uint32_t capof;
};

/* A frame with all below it under its callers. column: of the drawn ones, or -1 for all. */
void view_frame(struct view *v, const struct picture *p, uint32_t node, int column);

/* The callees, or the callers, of a function, by the number of its first name. */
void view_function(
    struct view *v, const struct picture *p, uint32_t function, bool callers, int column);

void view_free(struct view *v); /* also of zeroed memory */

#endif
