/*
 * sleepers: stacks of threads that sleep, read from their memory: of those that slept before
 * the recording began, and of those whose stack copy was truncated. A stack does not change
 * while its thread sleeps.
 */
#ifndef SLEEPERS_H
#define SLEEPERS_H

#include "fg-record/record.h"

/* What the timeline can ask of living threads. */
extern const struct timeline_live sleepers_live;

/*
 * With --off-cpu and --wall, once the recording has begun: a thread of a running process. If
 * it sleeps its stack is read, since it may sleep without a record.
 */
void sleepers_find(struct record *r, int pid, int tid);

/*
 * All records up to some moment have been taken: complete the truncated stacks of threads
 * that still sleep, and charge what the timeline has deferred.
 */
void sleepers_settle(struct record *r);

#endif
