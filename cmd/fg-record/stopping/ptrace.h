/*
 * ptrace: sampling where perf_event_open(2) is refused. A thread that has run for an interval is
 * stopped for a moment, 99 times per second of CPU time or as -F says. Without timers on CPU
 * time, each running or runnable thread is stopped at each interval.
 */
#ifndef PTRACE_H
#define PTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/asking/command.h"
#include "fg-record/stopping/cputimer.h"
#include "fg-record/record.h"

struct tracee {
	int tid;
	int pid;
	bool requested; /* PTRACE_INTERRUPT was sent, for a sample or to detach */
	uint64_t weight; /* intervals that the current sample stands for */
	uint64_t ran; /* CPU time when last read, ns */
	int64_t credit; /* CPU time not charged to a sample yet, ns */
	uint64_t maps_read; /* ns: when the maps of its process were read */
	uint64_t maps_age; /* ns until they are read again */
};

struct tracer {
	struct record *record;
	struct command *command; /* NULL: none */
	struct tracee *tracee;
	size_t n, cap;
	uint64_t tick; /* ns between samples */
	struct cputimers timers; /* used with record.by_cpu_time; else `next`: */
	uint64_t next; /* ns: time of the next samples */
	bool leaving; /* detach from every thread that stops */
};

/*
 * Seizes the command's process, which waits before its exec, or the targets of the options.
 * Exits 125 if that is refused, with a message that states the remedy.
 */
void tracer_attach(struct tracer *t, struct record *r, struct command *c);

/*
 * Continues threads that stopped for another reason than a sample; arg is a struct tracer. A
 * command stops before its exec when it gets a signal.
 */
void tracer_pass_on(void *arg);

/* Handles stops and, when a tick has come, interrupts running threads. */
void tracer_step(struct tracer *t);

/* Milliseconds until tracer_step has work, unless SIGCHLD arrives earlier. */
int tracer_timeout(const struct tracer *t);

/* Detaches from all threads, also from those created during this. */
void tracer_detach(struct tracer *t);

/* Waits for the command's end; detaches from a thread that is still traced. */
void tracer_wait(struct tracer *t);

#endif
