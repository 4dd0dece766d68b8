/*
 * timeline: how each thread spends its time, by its context switches, wake-ups and samples:
 * it runs, is runnable and waits for a CPU, or is blocked. Each stretch of time is charged
 * to a stack (a node of a rawtree).
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/tree.h>

#include "trace/rawtree.h"
#include "trace/unwind.h"

#define TIMELINE_ENDED 4096

/* rawtree_task.column of a wall-clock profile; an off-CPU profile has only blocked time. */
enum timeline_column { TIMELINE_CPU, TIMELINE_WAITING, TIMELINE_BLOCKED, TIMELINE_COLUMNS };

/* The names of these columns in folded text. */
extern const char *const timeline_column[TIMELINE_COLUMNS];

enum timeline_state {
	TIMELINE_UNKNOWN, /* no record yet */
	TIMELINE_RUNS,
	TIMELINE_READY,
	TIMELINE_SLEEPS,
};

/* A truncated stack, to be read from the thread while it sleeps. */
struct timeline_cut {
	uint64_t reg[UNWIND_REGS];
	bool is_32bit;
	size_t nkernel; /* kernel frames */
};

struct timeline_thread {
	int tid;
	enum timeline_state state;
	bool ended; /* it exits, which takes a while; then its last state is not charged */
	bool woken; /* a wake-up came since its switch-in: it may switch out without sleeping */
	uint64_t since; /* ns: when this state began, or was charged last */
	uint64_t slept_since; /* ns: when this state began */
	uint32_t task; /* node of the thread, without a stack */
	uint32_t node; /* stack in which it sleeps or waits, of TIMELINE_BLOCKED */
	uint32_t ran; /* stack of its last sample, of TIMELINE_CPU; 0 before the first */
	uint64_t owed; /* CPU time not charged to a sample yet, ns */
	uint64_t found; /* ns: when /proc showed that it slept in that stack, else 0 */
	struct timeline_cut *cut; /* of node, or NULL */
	uint32_t complete; /* node with its complete stack; 0: not read; read at: */
	uint64_t read; /* ns */

	/* Without wake-ups: */
	bool has_delay;
	uint64_t delay; /* run queue latency so far, as the kernel counts it, ns */
	uint64_t preempted; /* ns of it that are known since that was read */
	uint64_t slept; /* ns of the stretches not charged yet */
	RB_ENTRY(timeline_thread) entry;
};

/* A stretch between a thread's switch-out and its switch-in. */
struct timeline_sleep {
	int tid;
	uint32_t node;
	uint64_t since, until; /* ns */
};

/* What can be asked of living threads. */
struct timeline_live {
	char (*state)(int tid); /* as in /proc/PID/stat; 0 when it has gone */
	uint64_t (*delay)(int tid); /* run queue latency so far, ns; 0: unknown */
};

/* Told of each stretch before it is charged; false leaves it out. */
typedef bool timeline_wanted(
    void *arg, enum timeline_column column, uint32_t node, uint64_t from, uint64_t ns);

/* All zero is an empty one. */
struct timeline {
	struct rawtree *rawtree;
	bool wall; /* all three columns are charged; else only blocked time */
	bool wakings; /* wake-ups are recorded */
	bool unseen_ends; /* switch-ins are not recorded: a state without an end is not charged */
	uint64_t begin, end; /* ns: only time between them is charged; end 0: no limit */
	uint64_t stretch_weight; /* of each stretch; 0: its ns */
	const struct timeline_live *live; /* NULL: the threads are those of a file */
	timeline_wanted *wanted; /* NULL: every stretch is; called with: */
	void *arg;
	uint64_t sleeps, endless; /* sleeps; of these, without an end */
	uint64_t wakeups; /* sleeps that a wake-up ended */
	bool hide_idle; /* threads that sleep from begin to the end are not charged */
	uint64_t idle, idle_ns; /* such threads at the last timeline_charge, and their time */
	RB_HEAD(timeline_tree, timeline_thread) tree;
	int ended[TIMELINE_ENDED]; /* the last threads that ended, round and round */
	size_t nended;
	struct timeline_sleep *sleep; /* without wake-ups */
	size_t nsleep, capsleep;
	int *cut; /* threads whose stacks are to be read */
	size_t ncut, capcut;
};

/* The thread of that number, or NULL. */
struct timeline_thread *timeline_find(struct timeline *tl, int tid);

/* A new thread; a program's start, or the start of its recording, by a running thread. */
void timeline_fork(struct timeline *tl, int tid, uint32_t task, uint64_t time);
void timeline_exec(struct timeline *tl, int tid, uint32_t task, uint64_t time);

/* A thread of a running process, of which nothing else is known. */
void timeline_known(struct timeline *tl, int tid, uint32_t task, uint64_t time);
/* At `found` it slept in that stack. */
void timeline_found(struct timeline *tl, int tid, uint32_t node, uint64_t found);

/*
 * The thread switches out, in that stack; cut says how to complete the stack, or is NULL.
 * Why it switches out comes later, in timeline_out.
 */
void timeline_left(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time,
    const struct timeline_cut *cut);
void timeline_out(struct timeline *tl, int tid, bool preempted, uint64_t time);

/* A wake-up ends the thread's sleep; node is its stack, or that with its waker's. */
void timeline_wake(struct timeline *tl, struct timeline_thread *it, uint32_t node, uint64_t time);

/* The stack in which it has slept up to then, as complete as it is known. */
uint32_t timeline_node(const struct timeline_thread *it, uint64_t time);

/* The thread switches in. */
void timeline_in(struct timeline *tl, int tid, uint64_t time);

/* A sample of a running thread: its stack stands for the time since the sample before. */
void timeline_ran(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time);

/*
 * The thread exits: it still frees its memory, and then switches out for the last time. Its
 * number may be used again.
 */
void timeline_exit(struct timeline *tl, int tid, uint64_t time);

/*
 * Without wake-ups, of living threads: subtract the run queue latency that the kernel
 * counted from the sleeps that ended since the last call, in proportion.
 */
void timeline_settle(struct timeline *tl);

/* Charge all threads up to now, as at the end of a file. Zombies are not blocked. */
void timeline_charge(struct timeline *tl, uint64_t now);

/* Continue with an empty rawtree: nodes of the old one are copied as far as they are needed. */
void timeline_move(struct timeline *tl, struct rawtree *to);

void timeline_free(struct timeline *tl);

#endif
