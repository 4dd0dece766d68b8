/*
 * recordqueue: a ring of batches between two threads.
 */
#include "fg-collapse/perfdata/recordqueue.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/cli.h"

#define BATCH 512 /* records per batch */
#define AHEAD 8 /* records to prefetch */
#define BATCH_BYTES (256 * 1024) /* bytes of records per batch */
#define BATCHES 8
#define FLYING ((size_t)16 << 20) /* limit of bytes in blocks kept only for the other thread */
#define STACK ((size_t)8 << 20) /* bytes; musl's default is small */

struct batch {
	struct timesort_entry entry[BATCH]; /* without a record: an error at offset */
	const char *why[BATCH];
	size_t n, bytes;
};

struct recordqueue {
	timesort_consumer *take;
	recordqueue_fault_fn *say;
	void *arg;
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock; /* protects given, taken and ended */
	pthread_cond_t more, less;
	uint64_t given, taken; /* batches handed over, and consumed, so far */
	bool ended;
	/* Used by the reading thread: */
	uint64_t reclaimed; /* batches whose blocks were released */
	struct batch batch[BATCHES]; /* those from taken to given are the consumer's */
};

static void
take_batch(struct recordqueue *r, const struct batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		/* The records are in the other core's cache: prefetch. */
		if (i + AHEAD < b->n) {
			const char *next = (const char *)b->entry[i + AHEAD].h;

			__builtin_prefetch(next);
			__builtin_prefetch(next + 64);
		}
		if (b->entry[i].h != NULL)
			r->take(r->arg, &b->entry[i]);
		else
			r->say(r->arg, b->entry[i].part, b->entry[i].offset, b->why[i]);
	}
}

static void *
take_all(void *arg)
{
	struct recordqueue *r = arg;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->taken == r->given && !r->ended)
			pthread_cond_wait(&r->more, &r->lock);
		if (r->taken == r->given)
			break;
		pthread_mutex_unlock(&r->lock);
		take_batch(r, &r->batch[r->taken % BATCHES]);
		pthread_mutex_lock(&r->lock);
		r->taken++;
		pthread_cond_signal(&r->less);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

struct recordqueue *
recordqueue_new(timesort_consumer *take, recordqueue_fault_fn *say, void *arg)
{
	struct recordqueue *r = cli_alloc(1, sizeof *r);

	r->take = take;
	r->say = say;
	r->arg = arg;
	return r;
}

void
recordqueue_start(struct recordqueue *r)
{
	pthread_attr_t attr;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->more, NULL);
	pthread_cond_init(&r->less, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	r->threaded = pthread_create(&r->thread, &attr, take_all, r) == 0;
	pthread_attr_destroy(&attr);
}

/* Waits until at most `most` batches are unconsumed; releases the blocks of the consumed ones. */
static void
reclaim(struct recordqueue *r, uint64_t most)
{
	uint64_t taken;

	pthread_mutex_lock(&r->lock);
	while (r->given - r->taken > most)
		pthread_cond_wait(&r->less, &r->lock);
	taken = r->taken;
	pthread_mutex_unlock(&r->lock);
	for (; r->reclaimed < taken; r->reclaimed++) {
		struct batch *b = &r->batch[r->reclaimed % BATCHES];

		for (size_t i = 0; i < b->n; i++)
			if (b->entry[i].h != NULL)
				block_landed(b->entry[i].block);
		b->n = b->bytes = 0;
	}
}

/* Hands the current batch to the other thread and begins an empty one. */
static void
give(struct recordqueue *r)
{
	pthread_mutex_lock(&r->lock);
	r->given++;
	pthread_cond_signal(&r->more);
	pthread_mutex_unlock(&r->lock);
	reclaim(r, BATCHES - 1);
}

static struct timesort_entry *
add(struct recordqueue *r, const char *why)
{
	struct batch *b = &r->batch[r->given % BATCHES];

	if (b->n == BATCH || b->bytes >= BATCH_BYTES) {
		give(r);
		b = &r->batch[r->given % BATCHES];
	}
	b->why[b->n] = why;
	return &b->entry[b->n++];
}

void
recordqueue_take(void *arg, const struct timesort_entry *e)
{
	struct recordqueue *r = arg;

	if (!r->threaded) {
		r->take(r->arg, e);
		return;
	}
	*add(r, NULL) = *e;
	r->batch[r->given % BATCHES].bytes += e->h->size;
	block_fly(e->block);
	if (block_flying > FLYING)
		recordqueue_wait(r);
}

void
recordqueue_fault(struct recordqueue *r, uint32_t part, uint64_t offset, const char *why)
{
	if (r->threaded)
		*add(r, why) = (struct timesort_entry){.part = part, .offset = offset};
	else
		r->say(r->arg, part, offset, why);
}

void
recordqueue_wait(struct recordqueue *r)
{
	if (!r->threaded)
		return;
	if (r->batch[r->given % BATCHES].n > 0)
		give(r);
	reclaim(r, 0);
}

void
recordqueue_free(struct recordqueue *r)
{
	recordqueue_wait(r);
	if (r->threaded) {
		pthread_mutex_lock(&r->lock);
		r->ended = true;
		pthread_cond_signal(&r->more);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	free(r);
}
