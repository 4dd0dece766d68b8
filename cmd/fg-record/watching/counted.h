/*
 * counted: counters of the kernel for tracepoints, beside the events that sample them. The
 * difference from the samples was lost: in a full ring, between two events during a change of the
 * size of stack copies, or with a thread that ended before its samples were read.
 */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/asking/ids.h"
#include "fg-record/asking/tracepoints.h"

/* Initialize with zero. */
struct counted {
	struct counted_one {
		struct ids fds; /* counters of the threads and CPUs; not owned */
		uint64_t samples; /* that were read */
	} * one; /* by tracepoint; owned; NULL: nothing is counted */
	size_t n;
};

/* Counts n tracepoints. */
void counted_begin(struct counted *c, size_t n);

/* Adds a counter of tracepoint i; without any, its samples are not compared. */
void counted_add(struct counted *c, size_t i, int fd);

/* Counts a sample of tracepoint i. */
void counted_sample(struct counted *c, size_t i);

/* Enables or disables all counters. */
void counted_enable(const struct counted *c, bool enable);

/* The sum of what events have counted; those that cannot be read count nothing. */
uint64_t counted_sum(const struct ids *fds);

/* The number of samples that were not read. Call it after all events are disabled and read. */
uint64_t counted_missing(const struct counted *c);

void counted_free(struct counted *c);

#endif
