/*
 * process: processes, their threads and mappings as they change over time. Input: records of mmap,
 * comm, fork and exit in time order, or /proc of a running process. Output: the module and bias of
 * a pc in a process at that moment.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/tree.h>

#include "elf/module.h"
#include "trace/maps.h"
#include "trace/perfevent.h"

#define PROCESSES_EXITED 1024
#define PROCESS_COMM 16 /* TASK_COMM_LEN, with its NUL */

struct process {
	int pid;
	struct modules *modules; /* shared by all processes */
	struct processes *all;
	bool maps_known; /* from /proc, or from records since its start */
	unsigned deep_misses; /* consecutive deep-stack copies that did not complete a stack */
	bool own_stack; /* its generated code does not run on the thread's stack: runtime.own_stack
			 */
	struct script_process *script; /* of the last script_find; NULL: no call yet */
	bool wanted; /* set by callers that follow only some processes; inherited by children */
	uint64_t reread; /* ns: earliest time of the next read of /proc/PID/maps */
	uint64_t patience; /* ns: delay after that read until the next */
	struct maps maps;
	/*
	 * After exec, the mappings of the program that called it: while the kernel loads the new
	 * program, stacks still refer to them.
	 */
	struct maps before;
	struct process_map *last; /* the mapping found last, in either */
	uint64_t stamp; /* of the maps: maps_stamp */
	unsigned nthread, nexited; /* threads, and those of them that have exited */
	/* for processes_keep: without an entry in /proc at its last check; and at the one before */
	bool gone, lost;
	RB_ENTRY(process) entry;
	bool only_wakes; /* it was added by processes_waker, and so are its other threads */
};

struct process_thread {
	int tid;
	struct process *process;
	char comm[PROCESS_COMM];
	bool exited; /* it has exited and is in processes.exited */
	bool only_wakes; /* see processes_waker */
	uint32_t span; /* number of the last time span with its records */
	RB_ENTRY(process_thread) entry;
};

struct processes {
	RB_HEAD(process_tree, process) process;
	RB_HEAD(process_thread_tree, process_thread) thread;
	struct process_thread *last; /* the thread looked up last */
	uint64_t seen; /* number of threads so far */
	uint64_t active; /* of these, the ones with records in the current time span */
	uint32_t span; /* number of the current time span, from 1 on */
	uint64_t around; /* number of insertions so far of a mapping around existing ones */
	struct modules *modules;
	bool live; /* the module source is live: /proc may be read */
	bool signs; /* addresses may carry pointer authentication codes: unwind_signs */
	/* Samples may follow their thread's exit, so the most recent exits are stored. */
	int exited[PROCESSES_EXITED];
	size_t nexited;
};

struct processes *processes_new(struct modules *ms);
void processes_free(struct processes *ps);

/* Apply one record; types that are not about processes are ignored. */
void processes_record(struct processes *ps, const struct perfevent *e);

/* Read comms and maps of a process from /proc; false if there is no such process. */
bool processes_read(struct processes *ps, int pid);

/*
 * Call it when a sample's pc was in no mapping: a mapping may have been missed (by a thread that is
 * not followed, or in a lost record). True if /proc was read again, at growing intervals; time: the
 * sample's.
 */
bool processes_reread(struct processes *ps, struct process *p, uint64_t time);

/* Call it when that read had all mappings of the sample: the next read may follow at once. */
void process_reread_helped(struct process *p);

/*
 * Find or add a thread and its process. A new thread has the comm in /proc or, in a recording,
 * perf's ":TID".
 */
struct process_thread *processes_thread(struct processes *ps, int pid, int tid);

/*
 * Like processes_thread, for a thread that wakes another one. Threads of a process of which only
 * such records exist do not count as recorded.
 */
struct process_thread *processes_waker(struct processes *ps, int pid, int tid);

/* Ends a time span and returns the number of threads that had records in it. */
uint64_t processes_end_span(struct processes *ps);

/* The thread of that number, or NULL. */
struct process_thread *processes_find_thread(struct processes *ps, int tid);

/*
 * Keep the modules that living processes map (modules_forget), and free processes that have ended
 * without a record.
 */
void processes_keep(struct processes *ps);

/*
 * Call it when the process executes code of its own program: frees the mappings from before exec.
 */
void process_runs(struct process *p);

/* The mapping that contains pc, with its bias computed; NULL if there is none. */
const struct process_map *process_find(struct process *p, uint64_t pc);

/*
 * process_find for an address that may carry a pointer authentication code (AArch64); *pc becomes
 * the plain address.
 */
const struct process_map *process_find_code(struct process *p, uint64_t *pc);

/* The process with that pid, or NULL. */
struct process *processes_find(struct processes *ps, int pid);

/* The process after p by pid, the first one for NULL; NULL: none. */
struct process *processes_next(struct processes *ps, struct process *p);

#endif
