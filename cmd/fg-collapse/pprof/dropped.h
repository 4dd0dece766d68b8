/*
 * dropped: what a profile of pprof says shall be left out, the allocator's own frames
 * mostly, as pprof does it.
 */
#ifndef DROPPED_H
#define DROPPED_H

#include "base/text.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/tables.h"

enum dropped {
	DROPPED_NONE,
	DROPPED_BENEATH, /* what is inlined into a line that is kept */
	DROPPED_ALL,
};

/*
 * What is dropped of each location, from which those lines are cut off from there on to
 * the leaf; NULL when the profile says nothing, or nothing that is safe to look for. It
 * is the caller's to free.
 */
enum dropped *dropped_find(
    const struct reader *r, struct tables *t, struct str drops, struct str keeps);

#endif
