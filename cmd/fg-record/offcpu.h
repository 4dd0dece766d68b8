/*
 * offcpu: who sleeps, in which stack, since when: switches in, blocked time out.
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdint.h>
#include <sys/tree.h>

#include "trace/places.h"

/* A thread that left its CPU and is not back yet. */
struct sleeper {
	int tid;
	uint32_t node; /* the stack in which it sleeps */
	uint64_t since; /* ns */
	RB_ENTRY(sleeper) entry;
};

/* All zero is nobody. */
struct sleepers {
	RB_HEAD(sleeper_tree, sleeper) tree;
};

/* The thread left its CPU in that stack. */
void sleepers_begin(struct sleepers *s, int tid, uint32_t node, uint64_t time);

/* It is back: its stack is charged with the time. */
void sleepers_end(struct sleepers *s, int tid, uint64_t time, struct places *places);

/* It did not sleep, or has ended. */
void sleepers_forget(struct sleepers *s, int tid);

/* Charge all who sleep still with the time up to now, as at the end of a file. */
void sleepers_charge(struct sleepers *s, uint64_t now, struct places *places);

/* Their stacks go on in other places. */
void sleepers_move(struct sleepers *s, const struct places *from, struct places *to);

#endif
