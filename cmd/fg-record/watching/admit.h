/*
 * admit: filters the records of a ring before the engine gets them.
 */
#ifndef ADMIT_H
#define ADMIT_H

#include "trace/recording.h"

/*
 * Callback for recording.truncated; arg is the struct target. Touches the pages at which the
 * copy of a stack ended (touch.h).
 */
void admit_truncated(void *arg, const struct perfevent_format *f, const struct perfevent *e,
    const struct process_thread *t);

/* Callback for recording.held; arg is the struct target. See early.h. */
bool admit_early(void *arg, int pid, uint32_t node, uint64_t time, uint64_t weight);

/* A consumer for ring_drain; arg is the struct target. */
void admit_record(void *arg, const struct perfevent *e);

#endif
