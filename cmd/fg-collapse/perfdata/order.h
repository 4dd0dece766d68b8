/*
 * order: records go in as they were written, ring after ring, and come out in the order
 * of time. What may still come before others is bounded by perf's rounds, and where
 * there are none, or they are long, by memory.
 */
#ifndef ORDER_H
#define ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "attrs.h"
#include "cutter.h"

#define ORDER_HELD ((size_t)48 << 20) /* bytes of records that wait, at most */

struct order_entry {
	uint64_t time;
	uint64_t offset;
	struct perf_event_header *h;
	struct block *block;
	uint32_t attr; /* its number */
};

/* What is done with a record. */
typedef void order_take(void *arg, const struct order_entry *e);

struct order {
	order_take *take;
	void *arg;
	struct order_entry *entry;
	size_t n, cap;
	size_t sorted; /* of entry */
	uint64_t newest; /* time of all so far */
	uint64_t round; /* the same when the last round ended */
	uint64_t given; /* time of the last that was taken */
	uint64_t late; /* came after that */
};

void order_add(struct order *o, const struct order_entry *e);

/* Nothing that comes now is older than what had come when the round before ended. */
void order_round(struct order *o);

/* No more come. */
void order_end(struct order *o);

#endif
