/*
 * timeline: how each thread spends its time, out of what records tell of it: it runs,
 * is ready and waits for a CPU, or is blocked. Each stretch is charged to a stack.
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

/* rawtree_task.column with --wall; with --off-cpu there is one, of blocked time. */
enum timeline_column { TIMELINE_CPU, TIMELINE_WAITING, TIMELINE_BLOCKED, TIMELINE_COLUMNS };

enum timeline_state {
	TIMELINE_UNKNOWN, /* no record has told yet */
	TIMELINE_RUNS,
	TIMELINE_READY,
	TIMELINE_SLEEPS,
};

/* A stack that went on above its copy, to be read from the thread while it sleeps. */
struct timeline_cut {
	uint64_t reg[UNWIND_REGS];
	bool narrow; /* of a program of 32 bits */
	size_t nkernel; /* of its frames */
};

struct timeline_thread {
	int tid;
	enum timeline_state state;
	bool ended; /* it is only about to leave its CPU for the last time */
	bool woken; /* a wake-up came since it got its CPU: it may leave it, and not sleep */
	uint64_t since; /* ns: in this state */
	uint32_t task; /* its node without a stack */
	uint32_t node; /* the stack in which it sleeps or waits, of TIMELINE_BLOCKED */
	uint32_t ran; /* the last in which it ran, of TIMELINE_CPU; 0 at first */
	uint64_t owed; /* ns that it ran and no sample stands for yet */
	uint64_t found; /* ns: when it was looked at and slept in that stack, else 0 */
	struct timeline_cut *cut; /* of node, or NULL */
	uint32_t whole; /* node without the cut, 0: it has not been read; it was at */
	uint64_t read; /* ns */

	/* Where wake-ups are not seen. */
	bool has_delay;
	uint64_t delay; /* ns that it has waited for a CPU, as the kernel counts */
	uint64_t preempted; /* ns of these that are known since that was read */
	uint64_t slept; /* ns of the stretches that are not charged yet */
	RB_ENTRY(timeline_thread) entry;
};

/* A stretch between a thread's leaving its CPU and its coming back. */
struct timeline_sleep {
	int tid;
	uint32_t node;
	uint64_t since, until; /* ns */
};

/* All zero is nobody. */
struct timeline {
	struct rawtree *rawtree;
	bool wall; /* all three columns are kept */
	bool wakings; /* wake-ups are seen */
	uint64_t begin; /* ns: what was before is left out */
	RB_HEAD(timeline_tree, timeline_thread) tree;
	int ended[TIMELINE_ENDED]; /* the last that did, round and round */
	size_t nended;
	struct timeline_sleep *sleep; /* where wake-ups are not seen */
	size_t nsleep, capsleep;
	int *cut; /* threads to be read */
	size_t ncut, capcut;
	uint64_t mended; /* stacks that were read to their end */
};

struct timeline_thread *timeline_find(struct timeline *tl, int tid);

/* A thread that has just been made, or begins to be recorded while it runs. */
void timeline_fork(struct timeline *tl, int tid, uint32_t task, uint64_t time);
void timeline_exec(struct timeline *tl, int tid, uint32_t task, uint64_t time);

/* A thread of a running process, of which nothing is known but that it is there. */
void timeline_known(struct timeline *tl, int tid, uint32_t task, uint64_t time);
/* And that it was found asleep in that stack. */
void timeline_found(struct timeline *tl, int tid, uint32_t node, uint64_t found);

/*
 * It leaves its CPU, in that stack; cut says how to read that one to its end, or is
 * NULL. What says why it left comes later, in timeline_out.
 */
void timeline_left(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time,
    const struct timeline_cut *cut);
void timeline_out(struct timeline *tl, int tid, bool preempted, uint64_t time);

/* It was woken, and its sleep ends; node is its stack, or that with its waker's. */
void timeline_wake(struct timeline *tl, struct timeline_thread *it, uint32_t node, uint64_t time);

/* The stack in which it has slept up to then, however much of it is known. */
uint32_t timeline_node(const struct timeline_thread *it, uint64_t time);

/* It has a CPU again. */
void timeline_in(struct timeline *tl, int tid, uint64_t time);

/* A sample of it while it ran: the stack stands for the time since the one before. */
void timeline_ran(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time);

/* It has ended: it will leave its CPU once more, for good. A new one may get its number. */
void timeline_exit(struct timeline *tl, int tid, uint64_t time);

/*
 * Where wake-ups are not seen: what the kernel counts of waiting for a CPU is taken out
 * of the sleeps that ended since the last time, in proportion.
 */
void timeline_settle(struct timeline *tl);

/* Charge all threads with the time up to now, as at the end of a file; zombies do not sleep. */
void timeline_charge(struct timeline *tl, uint64_t now);

/* Their stacks go on in other places. */
void timeline_move(struct timeline *tl, struct rawtree *to);

#endif
