/*
 * changes: the functions of a differential; the caller frees of and direction of changes.
 */
#ifndef CHANGES_H
#define CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

struct picture;

/* Change of one function from base to head. */
struct change_of {
	uint32_t name, node; /* node: the frame that changed most */
	value base, head; /* self values */
	double delta, most; /* most: the largest change of one frame */
	int verdict; /* 1: significant increase, -1: significant decrease, 0: neither */
	double low, high; /* confidence interval, in percent of base; both 0: unknown */
};

struct changes {
	struct change_of *of; /* by row, then sorted by size of the change */
	uint32_t n;
	bool tested; /* the verdicts are valid */
	double size[2]; /* relative sizes of base and head, if changes_find tested them */
	double total_low, total_high; /* interval of the total's change if it may be noise, in % */
	int8_t *direction; /* by name number: the verdict on its function; NULL if not tested */
};
struct changes changes_find(const struct picture *p);
/*
 * Adds the noise column and the intervals to a differential of one run a side that lacks them, as
 * fg-diff --mark-noise would have written them; before layout. Exact costs have no noise.
 */
void changes_mark(struct picture *p);
void changes_free(struct picture *p); /* what changes_mark keeps for changes_find */
/* True if low and high are the interval of this change. */
bool changes_interval(const struct change_of *c);
bool changes_exact(const struct picture *p); /* base and head are exact */

#endif
