/*
 * stops: ptrace(2) of threads, as the recorder of scripts needs it. A recorder without rights
 * (asking/rights) has a tracer, a process of the opener with the rights, which seizes threads,
 * reports their stops with registers, and continues them when told. It writes to no thread.
 */
#ifndef STOPS_H
#define STOPS_H

#include <stdbool.h>
#include <sys/types.h>

#include "fg-record/asking/request.h"
#include "fg-record/stopping/ptrace_regs.h"
#include "kernel/perfabi.h"

/* A change of a traced thread, or the end of a child process. */
struct stops_stop {
	int tid;
	int status; /* of waitpid(2) */
	int code, fd; /* of the signal for which it stopped: si_code and si_fd; code 0: none */
	unsigned long created; /* by the thread: tid; 0: none */
};

/* Traces a thread with these options, PTRACE_O_TRACECLONE or PTRACE_O_TRACEEXIT. */
bool stops_seize(int tid, int options);

/*
 * Opens an event of a thread that sends it SIGURG or SIGWINCH for each sample. Returns its
 * descriptor, which the caller closes, or -1. *number: the si_fd of its signals.
 */
int stops_event(const struct perf_event_attr *a, int tid, int signal, int *number);

/* The next change, if there is one already. */
bool stops_next(struct stops_stop *s);

/*
 * Waits for a change, at most some milliseconds. SIGCHLD must be blocked. single: one thread
 * is traced. False does not mean that there was none: ask stops_next.
 */
bool stops_wait(struct stops_stop *s, bool single, int ms);

/* Registers of a stopped thread; false if it is not. */
bool stops_registers(int tid, struct ptrace_regs *r);

/* Continues a stopped thread; the signal is 0 or the one for which it stopped. */
void stops_continue(int tid, int signal);

/* Continues a stopped thread like stops_continue, and ends its tracing. */
void stops_detach(int tid, int signal);

/* Leaves a thread in its stop by job control. */
void stops_listen(int tid);

/* Stops a traced thread. */
void stops_interrupt(int tid);

/* True once the tracer has ended by itself: the kernel has detached all threads. */
bool stops_is_lost(void);

/* A descriptor that is readable when there is a change; -1: SIGCHLD reports it. */
int stops_descriptor(void);

/* Ends the tracer, and the process that continues a stopped one. */
void stops_close(void);

/*
 * In the opener: starts the tracer of a recorder for the processes of a scope. Returns an end of
 * its link, for the recorder, or -1 and errno.
 */
int stops_serve(const struct request_scope *scope, pid_t recorder);

#endif
