/*
 * scripts: threads of interpreted programs, sampled while they stand still.
 *
 * An interpreter's structures are consistent only while its thread does not run. The
 * threads of a process in which one is found get a perf event each that sends them a signal
 * (F_SETOWN_EX, F_SETSIG) that they ignore; under PTRACE_SEIZE they stop for it at the
 * sampled instruction. When fg-record dies they run on, since the kernel detaches them and
 * the signal is ignored.
 */
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "fg-record/command.h"
#include "fg-record/event.h"
#include "fg-record/record.h"

struct scripts_thread;

struct scripts {
	struct record *record;
	struct command *command; /* NULL: none */
	struct perf_event_attr attr; /* of the event that sends signals */
	struct perfevent_format format;
	struct intmap thread; /* by tid: struct scripts_thread */
	struct scripts_thread **all;
	size_t n, cap;
	struct ids refused; /* processes that cannot be traced */
	bool leaving; /* whatever stops is detached */
	int watchdog; /* pid of a process that continues fg-record when it is stopped; 0: none */
};

/* Nothing is traced before a sample shows a process with an interpreter. */
void scripts_open(
    struct scripts *s, struct record *r, const struct event *ev, struct command *command);

/*
 * A sample of another event: true when its thread is sampled here, and it is to be skipped.
 * Begins to trace the process where it has an interpreter.
 */
bool scripts_take(struct scripts *s, const struct perfevent *e);

/* Sample the threads that have stopped and continue them; true when any had stopped. */
bool scripts_step(struct scripts *s);

/* Whether any thread is traced. */
bool scripts_active(const struct scripts *s);

/* Detach from all threads. */
void scripts_close(struct scripts *s);

#endif
