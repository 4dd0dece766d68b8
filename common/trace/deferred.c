/*
 * deferred: lists of samples by thread.
 */
#include "trace/deferred.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

static struct deferred_list *
bucket(struct deferred *w, int tid)
{
	return &w->bucket[(unsigned)tid % DEFERRED_BUCKETS];
}

void
deferred_init(struct deferred *w)
{
	TAILQ_INIT(&w->all);
	for (size_t i = 0; i < DEFERRED_BUCKETS; i++)
		TAILQ_INIT(&w->bucket[i]);
}

struct deferred_sample *
deferred_add(struct deferred *w, int tid, const struct chain *c)
{
	struct deferred_sample *s = cli_alloc(1, sizeof *s + c->n * sizeof *s->frame);

	s->tid = tid;
	s->cookie = c->cookie;
	s->n = c->n;
	if (c->n > 0)
		memcpy(s->frame, c->frame, c->n * sizeof *s->frame);
	TAILQ_INSERT_TAIL(&w->all, s, all);
	TAILQ_INSERT_TAIL(bucket(w, tid), s, same);
	w->n++;
	return s;
}

struct deferred_sample *
deferred_find(struct deferred *w, int tid, uint64_t cookie)
{
	struct deferred_sample *s;

	TAILQ_FOREACH(s, bucket(w, tid), same)
	if (s->tid == tid && s->cookie == cookie)
		return s;
	return NULL;
}

struct deferred_sample *
deferred_oldest(struct deferred *w)
{
	return TAILQ_FIRST(&w->all);
}

void
deferred_remove(struct deferred *w, struct deferred_sample *s)
{
	TAILQ_REMOVE(&w->all, s, all);
	TAILQ_REMOVE(bucket(w, s->tid), s, same);
	w->n--;
	free(s);
}
