/*
 * swap: a record of a machine of the other byte order, in place.
 */
#ifndef SWAP_H
#define SWAP_H

#include <linux/perf_event.h>

#include "trace/perfevent.h"

/* Its header was turned already. What is too short to be turned stays as it is. */
void swap_record(struct perf_event_header *h, const struct perfevent_format *f);

#endif
