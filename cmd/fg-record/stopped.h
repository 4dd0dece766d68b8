/*
 * stopped: samples of threads that ptrace(2) has stopped.
 */
#ifndef STOPPED_H
#define STOPPED_H

#include "fg-record/record.h"

/*
 * Add the stack of a stopped thread to the recording. e is the sample that it was stopped
 * for, with the kernel's part of its stack, or NULL. False when *slept: the thread was in a
 * system call that does nothing but sleep, and runs again only now; or when its memory cannot
 * be read. slept may be NULL: then such a thread counts as any other.
 */
bool stopped_sample(struct record *r, int pid, int tid, const struct perfevent_format *f,
    const struct perfevent *e, uint64_t weight, bool *slept);

#endif
