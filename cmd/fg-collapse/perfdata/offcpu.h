/*
 * offcpu: how long threads were blocked, from what a recording has of it: the samples of
 * perf record --off-cpu, the tracepoint sched:sched_switch, or context switches with the
 * records of --switch-events.
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "trace/perfevent.h"
#include "attrs.h"

enum offcpu_way {
	OFFCPU_NONE, /* the recording has nothing of the kind */
	OFFCPU_SAMPLES, /* periods are ns that a thread was blocked */
	OFFCPU_TRACEPOINT, /* of the thread that leaves its CPU; who gets it is in the raw data */
	OFFCPU_SWITCHES, /* of the thread that leaves its CPU; records say when it is back */
};

/* The best that the events give. */
enum offcpu_way offcpu_way(const struct attrs *a);

/* Whether samples of this event are part of that way. */
bool offcpu_is(enum offcpu_way way, const struct attr *a);

struct offcpu_sleep {
	uint32_t node; /* of places */
	uint64_t since; /* ns */
	bool asleep;
};

/* All zero is an empty one: threads by number. */
struct offcpu {
	struct intmap threads;
};

void offcpu_begin(struct offcpu *o, int tid, uint32_t node, uint64_t time);

/* The sleep that ends, or NULL; good until the next call. */
const struct offcpu_sleep *offcpu_end(struct offcpu *o, int tid);
void offcpu_free(struct offcpu *o);

/* What sched:sched_switch says; false when it is not as expected. */
struct offcpu_switch {
	bool blocked; /* the one that leaves its CPU waits for something */
	int next; /* the thread that gets it */
};
bool offcpu_switch(struct offcpu_switch *s, const struct perfevent_sample *e, bool swapped);

#endif
