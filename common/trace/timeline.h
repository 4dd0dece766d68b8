/*
 * timeline: how each thread spends its time, from context switches, wake-ups and samples: running,
 * runnable (waiting for a CPU) or blocked. Each interval is charged to a stack (a node of a
 * rawtree).
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/tree.h>

#include "trace/chain.h"
#include "trace/rawtree.h"
#include "trace/unwind.h"

#define TIMELINE_ENDED 4096

/* rawtree_task.column of a wall-clock profile; an off-CPU profile has only blocked time. */
enum timeline_column { TIMELINE_CPU, TIMELINE_WAITING, TIMELINE_BLOCKED, TIMELINE_COLUMNS };

/* Names of these columns in folded text. */
extern const char *const timeline_column[TIMELINE_COLUMNS];

enum timeline_state {
	TIMELINE_UNKNOWN, /* no record yet */
	TIMELINE_RUNS,
	TIMELINE_READY,
	TIMELINE_SLEEPS,
};

/* A stack that is truncated or lacks script frames, to be read from the thread's memory while it
 * sleeps. */
struct timeline_cut {
	uint64_t reg[UNWIND_REGS];
	bool is_32bit;
	size_t nkernel; /* kernel frames */
	bool script; /* script frames are missing, too */
};

struct timeline_thread {
	int tid;
	enum timeline_state state;
	bool ended; /* it is exiting, which takes a while; its last state is not charged */
	bool held; /* it waits for a CPU after a stop for a sample */
	bool walked; /* the stack has script frames that a BPF program copied */
	bool woken; /* a wake-up came after its switch-in: it may switch out without sleeping */
	uint64_t since; /* ns: start of this state, or the time up to which it is charged */
	uint64_t slept_since; /* ns: start of this state */
	uint32_t task; /* node of the thread's task, without a stack */
	uint32_t node; /* stack in which it sleeps or waits, in column TIMELINE_BLOCKED */
	enum chain_reach reach; /* of that stack, in the counts */
	uint32_t ran; /* stack of its last sample, in column TIMELINE_CPU; 0 before the first */
	uint64_t owed; /* CPU time not charged to a sample yet, ns */
	uint64_t found; /* ns: when /proc showed it asleep in that stack, otherwise 0 */
	struct timeline_cut *cut; /* how to complete the stack of node, or NULL */
	uint32_t complete; /* node with its complete stack; 0: not read; time of the read: */
	uint64_t read; /* ns */

	/* Used without wake-up events: */
	bool has_delay;
	uint64_t delay; /* run queue latency so far by the kernel's count, ns */
	uint64_t preempted; /* ns of it that are already known since that count was read */
	uint64_t slept; /* ns of the intervals not charged yet */
	RB_ENTRY(timeline_thread) entry;
};

/* Interval between a thread's switch-out and its switch-in. */
struct timeline_sleep {
	int tid;
	uint32_t node;
	uint64_t since, until; /* ns */
};

/* Information about living threads. */
struct timeline_live {
	char (*state)(int tid); /* as in /proc/PID/stat; 0 if the thread is gone */
	uint64_t (*delay)(int tid); /* run queue latency so far, ns; 0: unknown */
	/* When a stop for a sample ended, the last one after `from` and by `to`; 0: none did. */
	uint64_t (*stopped)(void *live_arg, int tid, uint64_t from, uint64_t to);
	/* Called when a stack that was counted as truncated is charged in its complete form. */
	void (*completed)(void *live_arg, enum chain_reach reach);
};

/* Called for each interval before it is charged; false skips it. */
typedef bool timeline_wanted(
    void *arg, enum timeline_column column, uint32_t node, uint64_t from, uint64_t ns);

/* All zero is an empty timeline. */
struct timeline {
	struct rawtree *rawtree;
	bool wall; /* charge all three columns; otherwise only blocked time */
	bool wakings; /* wake-ups are recorded */
	bool unseen_ends; /* switch-ins are not recorded: states without an end are not charged */
	uint64_t begin, end; /* ns: only time in between is charged; end 0: no limit */
	uint64_t stretch_weight; /* weight of each interval; 0: its ns */
	struct module *brief; /* frame of time of threads without a sample */
	const struct timeline_live *live; /* NULL: the threads are those of a file; argument: */
	void *live_arg;
	timeline_wanted *wanted; /* NULL: every interval is charged; argument: */
	void *arg;
	uint64_t sleeps, endless; /* number of sleeps; of these, without an end */
	uint64_t wakeups; /* sleeps that a wake-up ended */
	uint64_t charged; /* ns of all intervals */
	uint64_t ran, unsampled; /* ns on a CPU; of these, of threads before their first sample */
	/* ns of sleeps with script frames to be read, and of those that were long enough */
	uint64_t script, script_read;
	uint64_t scripts; /* number of switch-outs with script frames to be read */
	bool hide_idle; /* threads that sleep throughout are not charged */
	/* number of such threads at the last timeline_charge, and their time */
	uint64_t idle, idle_ns;
	RB_HEAD(timeline_tree, timeline_thread) tree;
	int ended[TIMELINE_ENDED]; /* ring of the threads that ended last */
	size_t nended;
	struct timeline_sleep *sleep; /* without wake-up events */
	size_t nsleep, capsleep;
	int *cut; /* threads whose stacks are to be read */
	size_t ncut, capcut;
};

/* Thread with that tid, or NULL. */
struct timeline_thread *timeline_find(struct timeline *tl, int tid);

/* A running thread forks a thread, executes a program, or its recording begins. */
void timeline_fork(struct timeline *tl, int tid, uint32_t task, uint64_t time);
void timeline_exec(struct timeline *tl, int tid, uint32_t task, uint64_t time);

/* A thread of a running process, with unknown state. */
void timeline_known(struct timeline *tl, int tid, uint32_t task, uint64_t time);
/* The thread slept in that stack at time `found`. */
void timeline_found(struct timeline *tl, int tid, uint32_t node, uint64_t found);

/*
 * The thread switches out with that stack; cut says how to complete the stack, or is NULL; walked:
 * it has script frames already.
 * timeline_out reports the reason later. It returns the counted stack of a preempted thread, which
 * is no wait, otherwise CHAIN_NO_USER.
 */
void timeline_left(struct timeline *tl, int tid, uint32_t task, uint32_t node,
    enum chain_reach reach, uint64_t time, const struct timeline_cut *cut, bool walked);
enum chain_reach timeline_out(struct timeline *tl, int tid, bool preempted, uint64_t time);

/* A wake-up ends the thread's sleep; node is its stack, or its stack with the waker's. */
void timeline_wake(struct timeline *tl, struct timeline_thread *it, uint32_t node, uint64_t time);

/* With --wall: when a stop of the thread ended, see timeline_live.stopped; 0: none did. */
uint64_t timeline_stopped(const struct timeline *tl, int tid, uint64_t from, uint64_t to);

/* The stack in which it has slept so far, in its most complete form. */
uint32_t timeline_node(const struct timeline_thread *it, uint64_t time);

/* The thread switches in. */
void timeline_in(struct timeline *tl, int tid, uint64_t time);

/* A sample of a running thread: its stack is charged with the time since the sample before. */
void timeline_ran(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time);

/*
 * The thread exits: it will free its memory and then switch out for the last time. Its tid may be
 * reused.
 */
void timeline_exit(struct timeline *tl, int tid, uint64_t time);

/*
 * For living threads without wake-up events: subtract the run queue latency that the kernel counted
 * from the sleeps that ended since the last call, in proportion.
 */
void timeline_subtract_delay(struct timeline *tl);

/* Charge all threads up to now, as at the end of a file. Zombies do not count as blocked. */
void timeline_charge(struct timeline *tl, uint64_t now);

/* Continue with an empty rawtree; nodes of the old one are copied as far as they are needed. */
void timeline_move(struct timeline *tl, struct rawtree *to);

void timeline_free(struct timeline *tl);

#endif
