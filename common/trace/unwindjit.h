/*
 * unwindjit: steps over the frames of JIT code, by its runtime or by decoding it.
 */
#ifndef UNWINDJIT_H
#define UNWINDJIT_H

#include "trace/unwindwalk.h"

/*
 * Steps to the caller; false where its return address cannot be read. exact: the frame's pc is
 * where it executes, not a return address.
 */
bool walk_generated(struct unwind *u, struct walk *w, const struct process_map *map, bool exact);

#endif
