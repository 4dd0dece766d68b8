/*
 * writer: a process of its own in which samples are named and written. Names are read
 * out of files that anybody made: should that end the process, what was recorded is
 * written all the same, and while it works the recording goes on.
 */
#ifndef SYMBOLIZER_H
#define SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "fg-record/report.h"

/* What both processes see. */
struct symbolizer_shared {
	bool done; /* the work ended well */
	bool failed; /* or with a message */
	struct report report;
};

struct symbolizer {
	struct symbolizer_shared *shared;
	bool waits_long; /* for servers: a standstill does not end it */
	bool forked; /* it has, or had, a process of its own: */
	pid_t pid; /* 0 when nobody is at work */
	int end; /* a pipe that ends with it */
	uint64_t seen, cpu, still; /* ns: last looked at, computed by then, for how long not */
};

enum symbolizer_end {
	SYMBOLIZER_DONE,
	SYMBOLIZER_FAILED, /* it could not write, and said so */
	SYMBOLIZER_DIED, /* or stood still for half a minute: it has to be done without names */
};

/* All zero. */
void symbolizer_open(struct symbolizer *w);

/* Begin work(arg) in a process of its own; here when none can be made. One at a time. */
void symbolizer_start(struct symbolizer *w, void (*work)(void *arg), void *arg);

/* True in the process that symbolizer_start forked; false where it could fork none. */
bool symbolizer_in_child(void);

bool symbolizer_is_working(struct symbolizer *w);

/* Wait for its end. */
enum symbolizer_end symbolizer_wait(struct symbolizer *w);

#endif
