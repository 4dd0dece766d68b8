/*
 * tracepointframe: leaf frames with the names of tracepoints and system calls, for recordings of
 * several of them.
 */
#ifndef TRACEPOINTFRAME_H
#define TRACEPOINTFRAME_H

#include "fg-record/asking/tracepoints.h"

/*
 * The event of a sample with raw data, with its frame; NULL if it is not among ts. Valid until the
 * next call.
 */
const struct recording_event *tracepointframe_event(
    struct tracepoints *ts, struct modules *ms, const struct perfevent *e);

/* Address, in the kernel's module, of a frame with the name of a system call: syscall:read. */
uint64_t tracepointframe_call(struct modules *ms, uint64_t number);

#endif
