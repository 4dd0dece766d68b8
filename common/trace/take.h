/*
 * take: takes the records of a recording one by one.
 */
#ifndef TAKE_H
#define TAKE_H

#include "trace/recording.h"

/*
 * The weight of a sample by a field of its tracepoint; false if its raw data do not have the field.
 */
bool recording_weight(
    const struct recording_event *ev, const struct perfevent *e, bool swapped, uint64_t *weight);

/* Take one record; ev is its event, or NULL for records other than samples. */
void recording_take(
    struct recording *r, const struct recording_event *ev, const struct perfevent *e);

/* End of input: samples whose deferred call chain is missing are added without it. */
void recording_end(struct recording *r);

/*
 * Add the stack in r->chain as that of the block that e, of format f, reports; thread t was stopped
 * to read it.
 */
void recording_stopped_block(struct recording *r, const struct perfevent_format *f,
    const struct perfevent *e, const struct process_thread *t);

/*
 * Add the stack in r->chain as a sample of thread t, which was stopped to read it, with the frame
 * of ev if it is not NULL.
 */
void recording_stopped(struct recording *r, const struct recording_event *ev,
    const struct process_thread *t, uint64_t time, uint64_t weight);

#endif
