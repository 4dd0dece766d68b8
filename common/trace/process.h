/*
 * process: who runs and what code is mapped where, as it changes over time.
 * Records of mmap, comm, fork and exit go in, in time order, or /proc of a living
 * process; a pc of a process at that moment comes out as a module and its bias.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/tree.h>

#include "code/module.h"
#include "trace/maps.h"
#include "trace/perfevent.h"

#define PROCESSES_EXITED 1024
#define PROCESS_COMM 16 /* TASK_COMM_LEN, with its NUL */

struct process {
	int pid;
	struct modules *modules; /* of all */
	struct processes *all;
	bool maps_known; /* from /proc, or from records since its start */
	unsigned deep_misses; /* consecutive deep-stack copies that did not complete a stack */
	bool wanted; /* for whoever follows some of them: a child is when its parent was */
	uint64_t reread; /* ns: when it may be read again */
	uint64_t patience; /* ns: until the time after that */
	struct maps maps;
	/*
	 * After exec, those of the program that called it: while the kernel loads the new one
	 * the stack still leads there.
	 */
	struct maps before;
	struct process_map *last; /* of both, the one that was found last */
	uint64_t stamp; /* of the maps */
	unsigned nthread;
	bool gone, lost; /* for processes_keep: it was gone when that looked last, and before */
	RB_ENTRY(process) entry;
};

struct process_thread {
	int tid;
	struct process *process;
	char comm[PROCESS_COMM];
	bool exited; /* and is one of processes.exited */
	RB_ENTRY(process_thread) entry;
};

struct processes {
	RB_HEAD(process_tree, process) process;
	RB_HEAD(process_thread_tree, process_thread) thread;
	struct process_thread *last; /* the thread that was asked for last */
	uint64_t seen; /* threads so far */
	uint64_t around; /* mappings that others were put around so far */
	struct modules *modules;
	bool live; /* the modules' origin is: /proc may be asked */
	bool signs; /* addresses may carry pointer authentication codes */
	/* Of a recording: samples may come after their thread's exit, so the last ones stay. */
	int exited[PROCESSES_EXITED];
	size_t nexited;
};

struct processes *processes_new(struct modules *ms);
void processes_free(struct processes *ps);

/* Follow one record; those of other types change nothing. */
void processes_record(struct processes *ps, const struct perfevent *e);

/* Its comms and maps as /proc has them now; false when there is no such process, or it was. */
bool processes_read(struct processes *ps, int pid);

/*
 * A pc of a sample was in no mapping: others may have made one unseen (threads that
 * are not followed, a lost record). True when /proc was read again, which is done ever
 * more rarely; time is the sample's.
 */
bool processes_reread(struct processes *ps, struct process *p, uint64_t time);

/* A thread and its process; made when they were not known, with the comm that /proc has,
 * or as perf names them: ":TID" in a recording. */
struct process_thread *processes_thread(struct processes *ps, int pid, int tid);

/* The thread of that number, or NULL. */
struct process_thread *processes_find_thread(struct processes *ps, int tid);

/* The thread after t by number, the first after NULL; NULL after the last. */
struct process_thread *processes_next(struct processes *ps, struct process_thread *t);

/*
 * Keep the modules that living processes map (modules_forget); those that have gone
 * without a record are forgotten.
 */
void processes_keep(struct processes *ps);

/* It was seen in its own code: nothing of what it was before exec is left. */
void process_runs(struct process *p);

/* The mapping that holds pc, or NULL; its bias is known. */
const struct process_map *process_find(struct process *p, uint64_t pc);

/*
 * The same of an address that may carry a pointer authentication code, as those of
 * AArch64 do: then *pc becomes the plain address.
 */
const struct process_map *process_find_code(struct process *p, uint64_t *pc);

/* The process with that pid, or NULL. */
struct process *processes_find(struct processes *ps, int pid);

#endif
