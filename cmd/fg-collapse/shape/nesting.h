/*
 * nesting: what a trace says of one thread, begins, ends and both at once, in any order,
 * as spans that lie in each other.
 *
 * At the same time ends come before begins, but for a pair of the same name; of what
 * begins and ends at once, the longer is the outer one. An end that is not that of the
 * last begin is passed over, and what has no end lasts until the thread's last event;
 * what was given as a whole ends in any case, and what began within it goes on.
 */
#ifndef NESTING_H
#define NESTING_H

#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/shape/spans.h"

#define NESTING_DEPTH 4096 /* open at once; more is passed over */

struct slice {
	int64_t time, lasts; /* ns; lasts: of a whole one */
	uint64_t detail; /* of equal names, the same at begin and end */
	uint32_t name; /* in the tree; 0 of an end: that of what is open */
	uint32_t track;
	enum slice_kind { SLICE_BEGIN, SLICE_END, SLICE_WHOLE } kind;
};

/*
 * All that is on the same track: slice[order[0]] to slice[order[n - 1]]. Times count from
 * `first`. Returns how many were passed over.
 */
uint64_t nesting_take(struct spans *s, const struct sample_task *task, const struct slice *slice,
    const uint32_t *order, size_t n, int64_t first);

#endif
