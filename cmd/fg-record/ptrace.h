/*
 * ptrace: sampling where perf_event_open(2) is refused: a thread that has run for an
 * interval is stopped for a moment, 99 times a second of CPU time unless -F says
 * otherwise; where there are no timers on CPU time, each that runs or could.
 */
#ifndef PTRACE_H
#define PTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/command.h"
#include "fg-record/cputimer.h"
#include "fg-record/record.h"

struct tracee {
	int tid;
	int pid;
	bool asked; /* to stop: for a sample, or to be let go */
	uint64_t weight; /* intervals that this sample stands for */
	uint64_t ran; /* ns on a CPU, as they were last looked at, and */
	int64_t credit; /* since its last sample */
	uint64_t maps_read; /* ns: when its process's maps were, and */
	uint64_t maps_age; /* after how long they are again */
};

struct tracer {
	struct record *record;
	struct command *command; /* NULL: none */
	struct tracee *tracee;
	size_t n, cap;
	uint64_t tick; /* ns between samples */
	struct cputimers timers; /* where recording.by_cpu_time; else: */
	uint64_t next; /* ns: when the next are taken */
	bool leaving; /* whoever stops is let go */
};

/*
 * Seize the command's process, which waits before its exec, or the targets of the
 * options. Where that is not allowed: a message that says what to type and exit 125.
 */
void tracer_attach(struct tracer *t, struct record *r, struct command *c);

/*
 * Let whoever stopped for something else than a sample go on: arg is a struct tracer. A
 * command stops before its exec when a signal has come for it.
 */
void tracer_pass_on(void *arg);

/* Take what stopped and, when it is time, ask the running threads to stop. */
void tracer_step(struct tracer *t);

/* Milliseconds until tracer_step has something to do, unless SIGCHLD comes before. */
int tracer_timeout(const struct tracer *t);

/* Let all threads go, and those that they make meanwhile. */
void tracer_detach(struct tracer *t);

/* Wait for the command's end; a thread that is traced after all is let go. */
void tracer_wait(struct tracer *t);

#endif
