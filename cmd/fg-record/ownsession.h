/*
 * ownsession: a session of its own for the recorder. Where the scheduler shares the CPUs between
 * sessions (sched_autogroup), a recorder in the session of a command with thousands of threads
 * gets less than a millisecond of CPU time per second, and the rings overflow.
 */
#ifndef OWNSESSION_H
#define OWNSESSION_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>
#include <sys/types.h>

/*
 * Continues in a child process, the recorder, if the scheduler shares the CPUs between sessions
 * and this process may not run at real-time priority. The calling process stays in its session and
 * process group: it forwards SIGINT, SIGTERM and SIGHUP to the recorder, stops and continues with
 * it, and ends as it does; if it is killed, so is the recorder. Call it before other signals are
 * blocked and before any thread or other child exists.
 */
void ownsession_split(void);

/* Moves the recorder into its own session; the command, which has been started, stays. */
void ownsession_enter(void);

bool ownsession_is_entered(void);

/* True if the signal came from the terminal to a process group of this session. */
bool ownsession_from_terminal(const struct signalfd_siginfo *info, pid_t session);

#endif
