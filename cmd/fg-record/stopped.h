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

#endif
