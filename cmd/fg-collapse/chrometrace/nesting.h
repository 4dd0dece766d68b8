/*
 * nesting: converts the begin, end and complete events of one thread, in any order, to nested
 * spans. At equal times an end precedes a begin, except for a pair of the same name. If slices have
 * equal begin and end, the longer is the outer one. An end that does not match the last begin is
 * skipped. A begin without an end lasts until the thread's last event. A complete slice always
 * ends; slices that began within it stay open.
 */
#ifndef NESTING_H
#define NESTING_H

#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/chrometrace/spans.h"
#include "sample/task.h"

#define NESTING_DEPTH 4096 /* slices open at once; further ones are skipped */

struct slice {
	int64_t time, lasts; /* ns; lasts: duration of a complete slice */
	uint64_t detail; /* distinguishes slices of equal name; equal at begin and end */
	uint32_t name; /* number in the tree; 0: an end of the innermost open slice */
	uint32_t track;
	enum slice_kind { SLICE_BEGIN, SLICE_END, SLICE_WHOLE } kind;
};

/*
 * Processes the slices of one track, slice[order[0]] to slice[order[n - 1]]. Times are
 * relative to `first`. Returns the number of skipped slices.
 */
uint64_t nesting_take(struct spans *s, const struct sample_task *task, const struct slice *slice,
    const uint32_t *order, size_t n, int64_t first);

#endif
