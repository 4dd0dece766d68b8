/*
 * writer: a process of its own in which samples are named and written. Names are read
 * out of files that anybody made: should that end the process, what was recorded is
 * written all the same, and while it works the recording goes on.
 */
#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "report.h"

/* What both processes see. */
struct writer_shared {
	bool done; /* the work ended well */
	bool failed; /* or with a message */
	struct report report;
};

struct writer {
	struct writer_shared *shared;
	bool forked; /* it has, or had, a process of its own: */
	pid_t pid; /* 0 when nobody is at work */
	int end; /* a pipe that ends with it */
	uint64_t seen, cpu, still; /* ns: last looked at, computed by then, for how long not */
};

enum writer_end {
	WRITER_DONE,
	WRITER_FAILED, /* it could not write, and said so */
	WRITER_DIED, /* or stood still for half a minute: it has to be done without names */
};

/* All zero. */
void writer_open(struct writer *w);

/* Begin work(arg) in a process of its own; here when none can be made. One at a time. */
void writer_start(struct writer *w, void (*work)(void *arg), void *arg);

bool writer_is_working(struct writer *w);

/* Wait for its end. */
enum writer_end writer_wait(struct writer *w);

#endif
