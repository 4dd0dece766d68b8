/*
 * stopped: samples of threads that ptrace(2) has stopped.
 */
#ifndef STOPPED_H
#define STOPPED_H

#include "fg-record/record.h"

/*
 * Adds the stack of a stopped thread to the recording. e is the sample that it was stopped for,
 * with the kernel stack, and ev its event; both may be NULL. False if its memory cannot be read, or
 * if *slept: the thread was blocked in a sleeping system call and runs only because of the stop.
 * With slept == NULL such a thread is sampled like any other.
 */
bool stopped_sample(struct record *r, int pid, int tid, const struct perfevent_format *f,
    const struct recording_event *ev, const struct perfevent *e, uint64_t weight, bool *slept);

/*
 * With --wall, samples of stopped threads wait until the records before them have been taken, and a
 * stop is not blocked time. Adds those up to a time.
 */
void stopped_take(struct record *r, uint64_t until);

/* Call before a thread is continued. */
void stopped_continue(struct record *r, int tid);

/* When a thread was continued, the last time after `from` and by `to`; 0: it was not. */
uint64_t stopped_until(void *record, int tid, uint64_t from, uint64_t to);

#endif
