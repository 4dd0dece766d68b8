/*
 * shortlived: CPU time of threads and processes that live for few sampling periods.
 *
 * The kernel samples a new thread after its first full period of CPU time, so that shorter ones
 * have no samples, and others miss half a period each. At the end of a thread, the kernel reports
 * its CPU time (PERF_RECORD_READ of inherited events). What its samples do not stand for becomes
 * the stack "PROGRAM;[unsampled]", in whole samples by program: the one that the thread ran last.
 * Samples of a child before its execve have the name of the program that forked, which is why less
 * of that program's own time is added.
 *
 * The clocks of events stop before a thread has ended, and during switches between threads. The
 * CPU time by the kernel has these parts (of a command by wait4, else see charged.h). They are
 * divided among the programs by the expected times of their ends and forks.
 */
#ifndef SHORTLIVED_H
#define SHORTLIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "trace/recording.h"

struct shortlived {
	uint64_t period; /* of the clock, ns; 0: nothing is reported */
	struct intmap thread; /* by thread ID: struct shortlived_thread */
	struct shortlived_sum *sum; /* by task */
	size_t n, cap;
	uint64_t reported; /* ns of all threads that have ended, but the command's first one */
	uint64_t expected; /* ns of all programs that the clocks do not count, before scaling */
	bool rounds; /* nothing follows: half a sample is one */
	uint64_t unsampled; /* ns that were added as stacks */
	uint64_t samples; /* the same in samples */
};

/* Adds a thread whose fork has no record: the first one of a command, or one that runs already. */
void shortlived_begin(struct shortlived *s, uint32_t tid);

/* True if a thread was begun or forked during the recording. */
bool shortlived_knows(const struct shortlived *s, uint32_t tid);

/*
 * The recording has ended. counted: ns that the events and all that inherited them counted; used:
 * their CPU time by the kernel, 0: unknown.
 */
void shortlived_end(
    struct shortlived *s, const struct recording *r, uint64_t counted, uint64_t used);

/* Adds what clocks have not counted so far. scale: of each expected ns. */
void shortlived_charge(struct shortlived *s, double scale);

/* Sees a record, before r takes it. of: its event. */
void shortlived_see(struct shortlived *s, const struct recording *r,
    const struct recording_event *of, const struct perfevent *e);

/* Adds the time of threads that have ended to the tree of r. time: of these stacks. */
void shortlived_add(struct shortlived *s, struct recording *r, uint64_t time);

void shortlived_free(struct shortlived *s);

#endif
