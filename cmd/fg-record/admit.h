/*
 * admit: a record from a ring, on its way to the engine.
 */
#ifndef ADMIT_H
#define ADMIT_H

#include "trace/recording.h"

/*
 * For recording.truncated, with the struct target: touch the pages at which the copy of a stack
 * ended.
 */
void admit_truncated(void *arg, const struct perfevent_format *f, const struct perfevent *e,
    const struct process_thread *t);

/* For ring_drain; arg is the struct target. */
void admit_record(void *arg, const struct perfevent *e);

#endif
