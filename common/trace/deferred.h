/*
 * deferred: samples whose user stack arrives in a later record (deferred call chains). The
 * kernel stack is stored until that record comes, or the recording ends.
 */
#ifndef DEFERRED_H
#define DEFERRED_H

#include <stdint.h>
#include <sys/queue.h>

#include "trace/chain.h"

#define DEFERRED_BUCKETS 1024
#define DEFERRED_MAX 65536 /* samples that are stored */

struct deferred_sample {
	TAILQ_ENTRY(deferred_sample) all; /* all samples, oldest first */
	TAILQ_ENTRY(deferred_sample) same; /* samples of the same hash bucket, oldest first */
	int tid;
	uint64_t cookie, time, weight;
	uint32_t task; /* node of the rawtree */
	size_t n; /* kernel frames */
	struct unwind_frame frame[];
};

TAILQ_HEAD(deferred_list, deferred_sample);

struct deferred {
	struct deferred_list all, bucket[DEFERRED_BUCKETS];
	size_t n;
};

void deferred_init(struct deferred *w);

/* Store a sample whose kernel stack is in c; the caller fills in the rest. */
struct deferred_sample *deferred_add(struct deferred *w, int tid, const struct chain *c);

/* The oldest sample of that thread with that cookie, or NULL; the oldest of all, or NULL. */
struct deferred_sample *deferred_find(struct deferred *w, int tid, uint64_t cookie);
struct deferred_sample *deferred_oldest(struct deferred *w);
void deferred_remove(struct deferred *w, struct deferred_sample *s);

#endif
