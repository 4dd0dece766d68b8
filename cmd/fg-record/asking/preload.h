/*
 * preload: the environment of a command that --heap records: the library libfgheap.so and its mean
 * distance between samples.
 */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "fg-record/asking/options.h"

/*
 * Adds libfgheap.so to LD_PRELOAD in our environment, which the command inherits. The library is in
 * lib/fg beside the directory of fg-record, or below that directory in a source tree. Exits 125
 * without it.
 */
void preload_heap(const struct options *o);

/*
 * For running processes: if none of them has the library, records the stacks that touch new memory
 * instead (-e page-faults -c 1), after a note.
 */
void preload_or_faults(struct options *o);

#endif
