/*
 * scripts: samples threads of interpreted programs while they are stopped.
 *
 * An interpreter's structures are consistent only while its thread does not run. In a process
 * with an interpreter, each thread gets a perf event that sends it a signal (F_SETOWN_EX,
 * F_SETSIG), which the thread ignores; under PTRACE_SEIZE it stops for the signal at the sampled
 * instruction. If fg-record dies, the kernel detaches the threads and they run on, since the
 * signal is ignored.
 */
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "fg-record/asking/command.h"
#include "fg-record/watching/counted.h"
#include "fg-record/asking/event.h"
#include "fg-record/record.h"
#include "fg-record/stopping/scriptsevent.h"
#include "fg-record/watching/walker.h"

struct scripts {
	struct record *record;
	struct command *command; /* NULL: none */
	struct scripts_events events;
	struct counted *counted; /* their samples; NULL: are not counted */
	struct walker *walker; /* follows recipes instead of stops; NULL: none */
	struct perfevent_format format;
	struct intmap thread; /* by tid: struct scripts_thread */
	struct scripts_thread **all;
	size_t n, cap;
	struct ids refused; /* processes that cannot be traced */
	bool leaving; /* detach from every thread that stops */
	uint64_t sampled; /* ns: the last stop for a sample */
	uint64_t checked; /* ns: the last check of new threads */
};

/* Prepares s. Nothing is traced until a sample is of a process with an interpreter. */
void scripts_open(struct scripts *s, struct record *r, struct event *ev, struct command *command);

/*
 * Lets the BPF program copy the script frames and labels of the processes that run already, so that
 * their first samples have them.
 */
void scripts_follow_all(struct scripts *s);

/* Follows the process of a sample of another event, whose threads are never stopped. */
void scripts_follow(struct scripts *s, const struct perfevent *e);

/*
 * Takes a sample of another event. True if scripts samples its thread: the caller skips it.
 * Starts to trace the process if it has an interpreter.
 */
bool scripts_take(struct scripts *s, const struct perfevent *e);

/* Samples the stopped threads and continues them; true if there were any. */
bool scripts_step(struct scripts *s);

/* Waits for a stop, at most some milliseconds, and does the same. SIGCHLD must be blocked. */
void scripts_wait(struct scripts *s, int ms);

/* True if any thread is traced. */
bool scripts_active(const struct scripts *s);

/* True if threads of that process are sampled at stops. */
bool scripts_covers(const struct scripts *s, int pid);

/*
 * Tries again to sample threads that blocked all signals that could be used. Writes to tid the
 * traced threads that are not sampled, at most `max`; returns their number, also above max.
 */
size_t scripts_unsampled(struct scripts *s, int *tid, size_t max);

/* Detaches from all threads and frees s. */
void scripts_close(struct scripts *s);

#endif
