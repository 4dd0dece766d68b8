/*
 * view: a picture of a part of another one: the stacks through one frame, or the callers and
 * callees of a function.
 */
#ifndef VIEW_H
#define VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/terminal/viewfilter.h"

struct view {
	struct picture picture; /* its names are the original picture's */
	struct options options;
	uint32_t *of; /* by node of the view: the original node; NULL if nodes are merged */
	uint32_t capof;
};

/*
 * Shows a frame with its callers and all its callees. column: index of a drawn column, or -1
 * for all.
 */
void view_frame(struct view *v, const struct picture *p, uint32_t node, int column);

/* Shows the callees, or the callers, of a function, given by the number of its first name. */
void view_function(
    struct view *v, const struct picture *p, uint32_t function, bool callers, int column);

/* Shows the stacks that are left after n filters. False if none is left. */
bool view_filter(struct view *v, const struct picture *p, const struct filter *filter, unsigned n);

void view_free(struct view *v); /* v may be zeroed memory */

#endif
