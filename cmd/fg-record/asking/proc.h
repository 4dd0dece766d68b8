/*
 * proc: facts about threads and the kernel from /proc.
 */
#ifndef PROC_H
#define PROC_H

#include <glob.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "fg-record/asking/ids.h"

/* The current threads of a process; the caller frees id. */
struct ids proc_threads(int pid);

/* All processes that exist now; the caller frees id. Exits with an error without /proc. */
struct ids proc_processes(void);

/* The children of a process; none if the kernel does not list them. The caller frees id. */
struct ids proc_children(int pid);

/* The process of a thread, or 0 if it has ended. */
int proc_pid(int tid);

/* The parent of a process, or 0 if it has ended. */
int proc_parent(int pid);

/* Fills comm with a thread's name as in proc_pid_comm(5), "" if it has ended. */
#define PROC_COMM 64 /* bytes: 16 of a process, more of a kernel worker */
void proc_comm(int tid, char comm[PROC_COMM]);

/*
 * Writes the start of a command line into line, or the comm of a process without one. A byte that
 * is not printable ASCII becomes a question mark.
 */
void proc_command(int pid, char *line, size_t size);

/* The process that traces a thread; 0: none. */
int proc_tracer(int tid);

/* True if /proc hides processes of other users (mount option hidepid). */
bool proc_is_hidden(void);

/* A number of /proc/sys/kernel; `otherwise` if it cannot be read. */
long proc_sysctl(const char *name, long otherwise);

/*
 * The state of a process or thread as in proc_pid_stat(5), such as 'R' (running); 0 if it has
 * ended.
 */
char proc_state(int id);

/* The start of a process, in clock ticks since boot (its stat file); false if it has ended. */
bool proc_start(int pid, unsigned long long *ticks);

/* True if a process has memory of its own; kernel threads and zombies do not. */
bool proc_has_program(int pid);

/* Run queue latency of a thread so far, ns; 0 if the kernel does not count it. */
uint64_t proc_delay(int tid);

/* CPU time of a thread so far, ns; 0 if the kernel does not count it. */
uint64_t proc_ran(int tid);

/* CPU time of a process so far, with the children it has waited for; false if it is gone. */
bool proc_charged(int pid, uint64_t *ns);

/* True if tracefs is mounted where this user can see it. */
bool proc_has_tracefs(void);

/*
 * The format text of a tracepoint, "system:name", from tracefs; empty, and errno, if it cannot
 * be read. The caller frees it.
 */
struct text proc_tracepoint_format(const char *name);

/*
 * The paths of the format files of the tracepoints that match "SYSTEM:PATTERN", sorted; none if
 * tracefs cannot be read. The caller calls globfree.
 */
void proc_tracepoints(const char *pattern, glob_t *paths);

/* True if one of the processes is alive and not a zombie. */
bool proc_any_alive(const struct ids *ids);

#endif
