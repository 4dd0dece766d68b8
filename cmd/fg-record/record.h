/*
 * record: the recording that all parts of fg-record work on.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "fg-record/options.h"
#include "fg-record/timeline.h"
#include "trace/process.h"
#include "trace/rawtree.h"
#include "trace/unwind.h"

/* Exit statuses that are not the command's, as of env(1), nohup(1) and timeout(1). */
enum {
	RECORD_TROUBLE = 125,
	RECORD_CANNOT_RUN = 126,
	RECORD_NOT_FOUND = 127,
	RECORD_SIGNAL = 128, /* and the number of the signal that ended the command */
};

/* What is said of a recording at its end. */
struct counts {
	uint64_t samples;
	uint64_t lost; /* records that the ring had no room for */
	uint64_t throttled; /* times that the kernel found the rate too high */
	uint64_t malformed;
	uint64_t user; /* samples with a user stack: of these */
	uint64_t whole; /* reached the thread's first function */
	uint64_t truncated; /* went on above the copy of the stack, or the kernel's limit */
	uint64_t generated; /* were neither, and had generated code in them */
	uint64_t haskell; /* were neither, and ended in code of GHC */
};

struct recording {
	const struct options *options;
	struct perfevent_format format; /* of the samples */
	struct modules *modules;
	struct processes *processes;
	struct unwind *unwind;
	struct rawtree *rawtree;
	struct timeline timeline; /* with --off-cpu and --wall */
	size_t woken; /* where a wake-up's raw data has its thread; 0: they are not seen */
	struct counts count;
	bool deep; /* what lies above the copies of stacks is copied too */
	bool stopped; /* threads are, for each sample: by ptrace, and */
	bool by_cpu_time; /* when they have run for a while, not when they could run */
	bool no_kernel; /* kernel frames were refused, or not wanted */
	uint64_t begin; /* ns: samples before are left out */
	uint64_t started; /* ns: when the recording began, and, once it has */
	uint64_t ended; /* ended */
	const char *event; /* what was sampled, for messages */
	uint64_t period; /* what one sample stands for; 0: they differ */
	const char *period_unit;
};

/* Now, on the clock of all samples (CLOCK_MONOTONIC), in ns. */
static inline uint64_t
record_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
