/*
 * dropped: the frames that a pprof profile requests to drop, mostly those of the allocator
 * itself. Semantics as in pprof.
 */
#ifndef DROPPED_H
#define DROPPED_H

#include "base/text.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/tables.h"

enum dropped {
	DROPPED_NONE,
	DROPPED_BENEATH, /* the functions inlined into a line that is kept */
	DROPPED_ALL,
};

/*
 * Determines for each location the lines to drop; stacks are cut from there to the leaf.
 * NULL if the profile requests nothing, or only unsafe expressions. The caller frees the
 * result.
 */
enum dropped *dropped_find(
    const struct reader *r, struct tables *t, struct str drops, struct str keeps);

#endif
