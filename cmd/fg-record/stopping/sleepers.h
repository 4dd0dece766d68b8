/*
 * sleepers: stacks of blocked threads, read from their memory: of threads that were blocked when
 * the recording began, and of those with a truncated stack copy. A stack does not change while
 * its thread is blocked.
 */
#ifndef SLEEPERS_H
#define SLEEPERS_H

#include "fg-record/record.h"

/* The timeline's callbacks for living threads. */
extern const struct timeline_live sleepers_live;

/*
 * With --off-cpu and --wall: adds a thread of a running process. If it is blocked, reads its
 * stack, since it may stay blocked without any record.
 */
void sleepers_find(struct record *r, int pid, int tid);

/*
 * Call after all records up to some time: completes the truncated stacks of threads that are
 * still blocked, and charges the time that the timeline deferred.
 */
void sleepers_charge(struct record *r);

#endif
