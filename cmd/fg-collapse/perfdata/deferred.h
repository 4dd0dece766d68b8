/*
 * waiting: samples whose user part is to follow in a record of its own (deferred call
 * chains): the kernel's part is kept until it comes, or is known not to come.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include <stdint.h>
#include <sys/queue.h>

#include "trace/chain.h"

#define DEFERRED_BUCKETS 1024
#define DEFERRED_MAX 65536 /* samples that are kept */

struct deferred_sample {
	TAILQ_ENTRY(deferred_sample) all; /* oldest first */
	TAILQ_ENTRY(deferred_sample) same; /* of the same bucket, likewise */
	int tid;
	uint64_t cookie, time, weight;
	uint32_t task; /* node of places */
	size_t n; /* frames of the kernel's part */
	struct unwind_frame frame[];
};

TAILQ_HEAD(deferred_list, deferred_sample);

struct deferred {
	struct deferred_list all, bucket[DEFERRED_BUCKETS];
	size_t n;
};

void deferred_init(struct deferred *w);

/* Keep a sample whose kernel's part is in c; the caller fills in the rest. */
struct deferred_sample *deferred_add(struct deferred *w, int tid, const struct chain *c);

/* The oldest of that thread with that cookie, or NULL; and of all. */
struct deferred_sample *deferred_find(struct deferred *w, int tid, uint64_t cookie);
struct deferred_sample *deferred_oldest(struct deferred *w);
void deferred_remove(struct deferred *w, struct deferred_sample *s);

#endif
