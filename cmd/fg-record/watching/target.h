/*
 * target: opens the events of a command, of processes, threads or all CPUs, with their rings,
 * and those of threads created later.
 */
#ifndef TARGET_H
#define TARGET_H

#include "fg-record/watching/targetdata.h"

/* Opens the events that the options request; command is the child of command_start, or 0. */
void target_open(struct target *t, struct event *ev, struct record *r, pid_t command);

/*
 * Starts a thread that reads the rings, unless there is one already. Call it once the command has
 * been executed.
 */
void target_read_ahead(struct target *t);

/*
 * With --off-cpu and --wall: finds threads that are blocked already, once the recording has
 * begun.
 */
void target_look_for_sleepers(struct target *t);

/*
 * Drains all records up to a time (ns), and opens events for new threads where children do not
 * inherit them.
 */
void target_drain(struct target *t, uint64_t until);

/* Has threads of interpreters sampled by s, once the events are open. */
void target_stop_threads(struct target *t, struct scripts *s);

/* Adds the CPU time of threads that ended without enough samples; time: of these stacks. */
void target_add_unsampled(struct target *t, uint64_t time);

/*
 * Reads the CPU time that the kernel has charged to the target, after the records until now, if
 * that is due or the last time.
 */
void target_read_charged(struct target *t, uint64_t now, bool last);

/* Stops sampling; unread records stay in the rings. */
void target_stop(struct target *t);

/* Counts the tracepoints without a sample as lost, once all records are read, and frees t. */
void target_close(struct target *t);

#endif
