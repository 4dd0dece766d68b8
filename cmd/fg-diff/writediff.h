/*
 * stacks: the folded differential.
 */
#ifndef WRITEDIFF_H
#define WRITEDIFF_H

#include <stdbool.h>

#include "base/output.h"
#include "fg-diff/compare.h"

/* By function and by BY_HASH; neither sorted, nor with names taken out. */
struct stacks_marks {
	struct comparison *functions, *stacks;
};

/*
 * Write every stack of base and head with its value in both, in canonical order.
 * normalize scales base's values to head's whole; marks may be NULL.
 */
void stacks_write(struct output *o, const struct side *base, const struct side *head,
    bool normalize, bool header, const struct stacks_marks *marks);

#endif
