/*
 * record: one run of fg-record: the engine and what is known of the recording besides.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "fg-record/options.h"
#include "trace/livestack.h"
#include "trace/recording.h"
#include "trace/script.h"

/* Exit statuses that are not the command's, as of env(1), nohup(1) and timeout(1). */
enum {
	RECORD_TROUBLE = 125,
	RECORD_CANNOT_RUN = 126,
	RECORD_NOT_FOUND = 127,
	RECORD_SIGNAL = 128, /* and the number of the signal that ended the command */
};

struct record {
	const struct options *options;
	struct recording recording;
	bool deep; /* the stack above the copies is copied too */
	bool stopped; /* threads are stopped for each sample, by ptrace; and */
	bool by_cpu_time; /* when they have run for a while, not when they could run */
	uint64_t reduced; /* samples whose stack copy was made smaller for want of space */
	uint32_t reduced_to; /* bytes of the last one */
	bool target_refused; /* the memory of a target may not be read */
	bool no_kernel; /* kernel frames were refused, or not requested */
	struct livestack live; /* of threads that stand still */
	struct timespec span; /* the time of day when what is written began, and */
	uint64_t span_ns; /* how long it lasted */
	uint64_t started; /* ns: when the recording began, and, once it has */
	uint64_t ended; /* ended */
	const char *event; /* what was sampled, for messages */
	uint64_t period; /* of each sample; 0: they differ */
	const char *period_unit;
};

/* Add frames of scripts to the stack in r->recording.chain that r->live was read for. */
void record_add_scripts(struct record *r, struct process_thread *t);

/* Now, on the clock of all samples (CLOCK_MONOTONIC), in ns. */
static inline uint64_t
record_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
