/*
 * progress: the progress line on a terminal, with the hottest function so far.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "fg-record/telling/symbolizer.h"

/* Initialize with zero. */
struct progress {
	struct symbolizer look; /* finds the hottest function */
	uint64_t next_look; /* ns since the start; 0: none yet */
	char hottest[sizeof((struct report_function *)0)->name]; /* "": unknown */
};

/*
 * Prints the line if standard error is a terminal, without -q. A look symbolizes all samples
 * in a process of its own with the lowest priority, after 1, 3, 9, ... seconds.
 */
void progress_show(struct progress *p, struct record *r);

/* Kills a look that still works: its result is not needed any more. */
void progress_end(struct progress *p);

#endif
