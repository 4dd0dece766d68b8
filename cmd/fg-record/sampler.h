/*
 * sampler: what each record, or each look at a stopped thread, adds to a recording.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include "fg-record/record.h"
#include "trace/perfevent.h"

/* Take one perf_event record (a ring_consumer; arg is the struct recording). */
void sampler_record(void *arg, const struct perfevent *e);

/* Whether a sample has no thread's stack in it but tells of another thread's wake-up. */
bool sampler_is_waking(const struct recording *r, const struct perfevent *e);

/*
 * Take a sample of a stopped thread, its registers and a copy of its stack, which stands
 * for that many intervals.
 */
void sampler_stopped(
    struct recording *r, struct process_thread *t, struct unwind_input *in, uint64_t weight);

/*
 * With --off-cpu and --wall: a thread of a running process, which may be asleep already
 * and tell nothing of it: its stack is read. The recording has begun.
 */
void sampler_asleep(struct recording *r, int pid, int tid);

/*
 * All records up to some moment have been taken: threads that sleep still, and whose
 * stacks went on above the copy, are read; what is left to be charged is.
 */
void sampler_settle(struct recording *r);

/* Begin anew with empty places and give what was sampled so far; the caller frees it. */
struct rawtree *sampler_take_places(struct recording *r);

#endif
