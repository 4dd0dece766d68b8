/*
 * preload: the environment of a command that --heap records: the library libfgheap.so and its mean
 * distance between samples.
 */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "fg-record/asking/options.h"
#include "trace/heapprobe.h"

/*
 * Adds libfgheap.so to LD_PRELOAD in our environment, which the command inherits. The library is in
 * lib/fg beside the directory of fg-record, or below that directory in a source tree. Exits 125
 * without it. Where no breakpoints are free, makes the memory that the library writes to.
 */
void preload_heap(struct options *o);

/*
 * For a command that is a Go program: reads the profile of its runtime from outside
 * (heap_outside), or samples its runtime's functions if the linker left that out.
 */
void preload_command(struct options *o, struct heapprobes *probes);

/*
 * For running processes, whose mappings are read into ps: samples the functions of a runtime
 * (heapprobe) or of the library. If none of them has either, records the stacks that touch new
 * memory instead (-e page-faults -c 1), after a note.
 */
void preload_or_faults(struct options *o, struct heapprobes *probes, struct processes *ps);

#endif
