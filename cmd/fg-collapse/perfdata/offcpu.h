/*
 * offcpu: how long threads were blocked, from what a recording has of it: the samples of
 * perf record --off-cpu, the tracepoint sched:sched_switch with those of sched:sched_stat_sleep,
 * _blocked and _iowait or without, or context switches with the records of --switch-events.
 */
#ifndef OFFCPU_H
#define OFFCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "trace/perfevent.h"
#include "attrs.h"

enum offcpu_source {
	OFFCPU_NONE, /* the recording has nothing of the kind */
	OFFCPU_SAMPLES, /* periods are ns that a thread was blocked */
	OFFCPU_TRACEPOINT, /* of the thread that leaves its CPU; who gets it is in the raw data */
	OFFCPU_SWITCHES, /* of the thread that leaves its CPU; records say when it is back */
};

/* The best that the events give. */
enum offcpu_source offcpu_source(const struct attrs *a);

/* Whether samples of this event are part of that way. */
bool offcpu_is(enum offcpu_source way, const struct attr *a);

struct offcpu_sleep {
	uint32_t node; /* of places */
	uint64_t since; /* ns */
	bool asleep;
};

/* One that has ended. */
struct offcpu_wait {
	uint32_t node;
	uint64_t since, ns;
};

/* All zero is an empty one: threads by number. */
struct offcpu {
	struct intmap threads;
	uint64_t begun, ended;
	bool stats; /* the recording may say how long threads slept */
	bool told; /* and it did: the time until they ran again is of no use */
	struct offcpu_wait *wait; /* till then that is kept */
	size_t nwait, capwait;
};

/* Whether samples of this event say how long a thread slept. */
bool offcpu_is_stat(const struct attr *a);
bool offcpu_has_stats(const struct attrs *a);

void offcpu_begin(struct offcpu *o, int tid, uint32_t node, uint64_t time);

/* The sleep that ends, or NULL; good until the next call. */
const struct offcpu_sleep *offcpu_end(struct offcpu *o, int tid);
void offcpu_keep(struct offcpu *o, const struct offcpu_sleep *s, uint64_t ns);
void offcpu_free(struct offcpu *o);

/* What sched:sched_switch says; false when it is not as expected. */
struct offcpu_switch {
	bool blocked; /* the one that leaves its CPU waits for something */
	int next; /* the thread that gets it */
};
bool offcpu_switch(struct offcpu_switch *s, const struct perfevent_sample *e, bool swapped);

/* What a sched_stat event says: who slept, and how long; likewise. */
struct offcpu_stat {
	int tid;
	uint64_t ns;
};
bool offcpu_stat(struct offcpu_stat *s, const struct perfevent_sample *e, bool swapped);

#endif
