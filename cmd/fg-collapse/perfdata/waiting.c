/*
 * waiting: lists by thread.
 */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

static struct waiting_list *
bucket(struct waiting *w, int tid)
{
	return &w->bucket[(unsigned)tid % WAITING_BUCKETS];
}

void
waiting_init(struct waiting *w)
{
	TAILQ_INIT(&w->all);
	for (size_t i = 0; i < WAITING_BUCKETS; i++)
		TAILQ_INIT(&w->bucket[i]);
}

struct waiting_sample *
waiting_add(struct waiting *w, int tid, const struct chain *c)
{
	struct waiting_sample *s = cli_alloc(1, sizeof *s + c->n * sizeof *s->frame);

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

struct waiting_sample *
waiting_find(struct waiting *w, int tid, uint64_t cookie)
{
	struct waiting_sample *s;

	TAILQ_FOREACH(s, bucket(w, tid), same)
	if (s->tid == tid && s->cookie == cookie)
		return s;
	return NULL;
}

struct waiting_sample *
waiting_oldest(struct waiting *w)
{
	return TAILQ_FIRST(&w->all);
}

void
waiting_remove(struct waiting *w, struct waiting_sample *s)
{
	TAILQ_REMOVE(&w->all, s, all);
	TAILQ_REMOVE(bucket(w, s->tid), s, same);
	w->n--;
	free(s);
}
