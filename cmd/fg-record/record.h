/*
 * record: the state of one recording: the engine, the options and facts for the summary.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "fg-record/asking/options.h"
#include "fg-record/status.h"
#include "trace/livestack.h"
#include "trace/recording.h"
#include "trace/script.h"

struct record {
	const struct options *options;
	struct recording recording;
	bool deep; /* the stack above the copies is copied too */
	bool stopped; /* threads are stopped for each sample, by ptrace */
	uint64_t stops; /* with stopped: of threads, for all samples */
	bool by_cpu_time; /* with stopped: sample by CPU time, not by runnable time */
	bool tracepoint; /* the events are tracepoints */
	bool copy_fits; /* false: the ring is too small for the size that was requested */
	uint64_t reduced_to; /* size in bytes of the last stack copy that was made smaller */
	bool ordinary_priority; /* the user may not raise the recorder's priority */
	uint64_t unread_samples; /* samples lost for other reasons than full ring buffers */
	uint64_t overrun; /* samples that the BPF program left no time for */
	uint64_t overrun_lost; /* of these, counted as lost: all, or none if they are few */
	uint64_t
	    unsampled; /* samples for which threads did not live long enough, see shortlived.h */
	uint64_t unread; /* threads blocked when it began, whose stacks cannot be read */
	bool target_refused; /* the memory of a target may not be read */
	bool no_kernel; /* kernel frames were refused, or not requested */
	struct stopped_runs *runs; /* --wall: of stopped threads, see stopped.h; NULL: none */
	struct livestack live; /* reads stacks of blocked or stopped threads */
	struct timespec span; /* time of day at which the data to be written begin */
	uint64_t span_ns; /* duration of these data, ns */
	uint64_t span_lost; /* records lost in this time */
	uint64_t span_threads; /* threads with records in this time */
	uint64_t used; /* ns: CPU time of a command that was recorded to its end, with children */
	uint64_t started; /* ns: start of the recording */
	uint64_t ended; /* ns: its end; 0 before */
	uint64_t step; /* --stream: ns from the start to the current step */
	const char *event; /* event name for messages */
	uint64_t period; /* of each sample, in period_unit; 0: varies */
	const char *period_unit;
};

/* The runtime of a thread's process, see script_find; NULL also with --no-script. */
struct script_process *record_script(struct record *r, struct process_thread *t);

/* Adds script frames of sp, or none, to the stack in r->recording.chain, read into r->live. */
void record_add_scripts(struct record *r, struct process_thread *t, struct script_process *sp);

/* The time in ns on the clock of all samples (CLOCK_MONOTONIC). */
static inline uint64_t
record_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
