/*
 * proc: what /proc tells of threads.
 */
#ifndef PROC_H
#define PROC_H

#include "options.h"

/* The threads of a process as they are now; the caller frees id. */
struct ids proc_threads(int pid);

/* The process of a thread, or 0 when it has gone. */
int proc_pid(int tid);

/* A number of /proc/sys/kernel, or what stands for it when it cannot be read. */
long proc_sysctl(const char *name, long otherwise);

/* The state of a process or thread (proc_pid_stat(5)): 'R' runs; 0 when it has gone. */
char proc_state(int id);

#endif
