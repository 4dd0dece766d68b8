/*
 * waiting: samples whose user part is to follow in a record of its own (deferred call
 * chains): the kernel's part is kept until it comes, or is known not to come.
 */
#ifndef WAITING_H
#define WAITING_H

#include <stdint.h>
#include <sys/queue.h>

#include "trace/chain.h"

#define WAITING_BUCKETS 1024
#define WAITING_MOST 65536 /* samples that are kept */

struct waiting_sample {
	TAILQ_ENTRY(waiting_sample) all; /* oldest first */
	TAILQ_ENTRY(waiting_sample) same; /* of the same bucket, likewise */
	int tid;
	uint64_t cookie, time, weight;
	uint32_t task; /* node of places */
	size_t n; /* frames of the kernel's part */
	struct unwind_frame frame[];
};

TAILQ_HEAD(waiting_list, waiting_sample);

struct waiting {
	struct waiting_list all, bucket[WAITING_BUCKETS];
	size_t n;
};

void waiting_init(struct waiting *w);

/* Keep a sample whose kernel's part is in c; the caller fills in the rest. */
struct waiting_sample *waiting_add(struct waiting *w, int tid, const struct chain *c);

/* The oldest of that thread with that cookie, or NULL; and of all. */
struct waiting_sample *waiting_find(struct waiting *w, int tid, uint64_t cookie);
struct waiting_sample *waiting_oldest(struct waiting *w);
void waiting_remove(struct waiting *w, struct waiting_sample *s);

#endif
