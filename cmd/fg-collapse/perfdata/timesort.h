/*
 * order: records go in as they were written, ring after ring, and come out in the order
 * of time. What may still come before others is bounded by perf's rounds, and where
 * there are none, or they are long, by memory.
 */
#ifndef TIMESORT_H
#define TIMESORT_H

#include <stddef.h>
#include <stdint.h>

#include "attrs.h"
#include "recordsplit.h"

#define TIMESORT_HELD ((size_t)48 << 20) /* bytes of records that wait, at most */

struct timesort_entry {
	uint64_t time;
	uint64_t offset;
	struct perf_event_header *h;
	struct block *block;
	uint32_t attr; /* its number */
};

/* What is done with a record. */
typedef void timesort_consumer(void *arg, const struct timesort_entry *e);

struct timesort {
	timesort_consumer *take;
	void *arg;
	struct timesort_entry *entry;
	size_t n, cap;
	size_t sorted; /* of entry */
	uint64_t newest; /* time of all so far */
	uint64_t round; /* the same when the last round ended */
	uint64_t given; /* time of the last that was taken */
	uint64_t late; /* came after that */
};

void timesort_add(struct timesort *o, const struct timesort_entry *e);

/* Nothing that comes now is older than what had come when the round before ended. */
void timesort_round(struct timesort *o);

/* No more come. */
void timesort_end(struct timesort *o);

#endif
