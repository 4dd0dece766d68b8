/*
 * offcpu: who sleeps, in which stack, since when: switches in, blocked time out.
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/tree.h>

#include "trace/places.h"

#define SLEEPERS_ENDED 4096

/* A thread that left its CPU and is not back yet. */
struct sleeper {
	int tid;
	bool ended; /* it is only about to leave its CPU for the last time */
	uint32_t node; /* the stack in which it sleeps */
	uint64_t since; /* ns */
	uint64_t seen; /* ns: when it was found asleep, else 0 */
	RB_ENTRY(sleeper) entry;
};

/* All zero is nobody. */
struct sleepers {
	RB_HEAD(sleeper_tree, sleeper) tree;
	int ended[SLEEPERS_ENDED]; /* the last that did, round and round */
	size_t nended;
};

/* The thread left its CPU in that stack. */
void sleepers_begin(struct sleepers *s, int tid, uint32_t node, uint64_t time);

/*
 * It was found asleep in that stack at a time, and has been since the recording began
 * unless records say otherwise.
 */
void sleepers_found(struct sleepers *s, int tid, uint32_t node, uint64_t since, uint64_t seen);

/* It is back: its stack is charged with the time. */
void sleepers_end(struct sleepers *s, int tid, uint64_t time, struct places *places);

/* It did not sleep. */
void sleepers_forget(struct sleepers *s, int tid);

/* It has ended: it will leave its CPU once more, for good. A new one may get its number. */
void sleepers_exit(struct sleepers *s, int tid);
void sleepers_fork(struct sleepers *s, int tid);

/*
 * Charge all who sleep still with the time up to now, as at the end of a file; zombies
 * do not sleep.
 */
void sleepers_charge(struct sleepers *s, uint64_t now, struct places *places);

/* Their stacks go on in other places. */
void sleepers_move(struct sleepers *s, const struct places *from, struct places *to);

#endif
