/*
 * timesort: sorts records, written ring buffer by ring buffer, by time. The size of the
 * window is bounded by perf's rounds or, if these are absent or long, by memory.
 */
#ifndef TIMESORT_H
#define TIMESORT_H

#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/perfdata/attrs.h"
#include "fg-collapse/perfdata/recordsplit.h"

#define TIMESORT_HELD ((size_t)48 << 20) /* limit of bytes of waiting records */

struct timesort_entry {
	uint64_t time;
	uint64_t offset;
	struct perf_event_header *h;
	struct block *block;
	uint32_t attr; /* index in attrs */
	uint32_t part; /* index in parts: the file of offset */
};

/* Consumer of a record. */
typedef void timesort_consumer(void *arg, const struct timesort_entry *e);

struct timesort {
	timesort_consumer *take;
	void *arg;
	struct timesort_entry *entry;
	size_t n, cap;
	size_t sorted; /* sorted entries at the front of entry */
	uint64_t newest; /* newest time so far */
	uint64_t round; /* newest when the last round ended */
	uint64_t given; /* time of the last entry passed on */
	uint64_t late; /* entries that came too late for the order */
};

void timesort_add(struct timesort *o, const struct timesort_entry *e);

/* Ends a round: later records are not older than the newest one before the previous round's
 * end. */
void timesort_round(struct timesort *o);

/* Passes on all remaining entries. */
void timesort_end(struct timesort *o);

#endif
