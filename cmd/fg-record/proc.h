/*
 * proc: what /proc tells of threads.
 */
#ifndef PROC_H
#define PROC_H

#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "fg-record/options.h"

/* The threads of a process as they are now; the caller frees id. */
struct ids proc_threads(int pid);

/* The process of a thread, or 0 when it has gone. */
int proc_pid(int tid);

/* The parent of a process, or 0 when it has gone. */
int proc_parent(int pid);

/* Fills comm with a thread's name as proc_pid_comm(5) has it, "" when it has gone. */
#define PROC_COMM 64 /* bytes: 16 of a process, more of a kernel worker */
void proc_comm(int tid, char comm[PROC_COMM]);

/* Who traces a thread; 0 for nobody. */
int proc_tracer(int tid);

/* A number of /proc/sys/kernel, or what stands for it when it cannot be read. */
long proc_sysctl(const char *name, long otherwise);

/* The state of a process or thread (proc_pid_stat(5)): 'R' runs; 0 when it has gone. */
char proc_state(int id);

/* Whether a process has memory of its own: threads of the kernel and zombies have none. */
bool proc_has_program(int pid);

/* Nanoseconds that a thread has waited for a CPU so far; 0 where nobody counts them. */
uint64_t proc_delay(int tid);

/* The same of what it has been on a CPU. */
uint64_t proc_ran(int tid);

/* Whether the files of tracepoints are there. */
bool proc_has_tracefs(void);

/*
 * The format text of a tracepoint, "system:name", from tracefs; empty, and errno, when it
 * cannot be read. The caller frees it.
 */
struct text proc_tracepoint_format(const char *name);

#endif
