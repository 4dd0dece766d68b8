/*
 * swap: converts a record from the other byte order, in place.
 */
#ifndef SWAP_H
#define SWAP_H

#include "kernel/perfabi.h"
#include "trace/perfevent.h"

/* Swaps the body of a record whose header is in our byte order. A truncated field stays as it
 * is. */
void swap_record(struct perf_event_header *h, const struct perfevent_format *f);

#endif
