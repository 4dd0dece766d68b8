/*
 * offcpu: a table of sleeping threads by number.
 */
#include "offcpu.h"

#include <stdlib.h>

#include "base/cli.h"
#include "proc.h"

static int
compare(const struct sleeper *a, const struct sleeper *b)
{
	return (a->tid > b->tid) - (a->tid < b->tid);
}

#define UNUSED_TOO static __attribute__((unused)) /* not every function of a tree is called */
RB_GENERATE_INTERNAL(sleeper_tree, sleeper, entry, compare, UNUSED_TOO)

static struct sleeper *
find(struct sleepers *s, int tid)
{
	struct sleeper key = {.tid = tid};

	return RB_FIND(sleeper_tree, &s->tree, &key);
}

static struct sleeper *
get(struct sleepers *s, int tid)
{
	struct sleeper *it = find(s, tid);

	if (it == NULL) {
		it = cli_alloc(1, sizeof *it);
		it->tid = tid;
		RB_INSERT(sleeper_tree, &s->tree, it);
	}
	return it;
}

void
sleepers_begin(struct sleepers *s, int tid, uint32_t node, uint64_t time)
{
	struct sleeper *it = get(s, tid);

	if (it->ended)
		return;
	it->node = node;
	it->since = time;
	it->seen = 0;
}

void
sleepers_found(struct sleepers *s, int tid, uint32_t node, uint64_t since, uint64_t seen)
{
	struct sleeper *it = get(s, tid);

	it->node = node;
	it->since = since;
	it->seen = seen;
}

static void
charge(struct sleeper *it, uint64_t now, struct places *places)
{
	if (!it->ended && now > it->since)
		places_add(places, it->node, it->since, now - it->since);
}

void
sleepers_forget(struct sleepers *s, int tid)
{
	struct sleeper *it = find(s, tid);

	if (it == NULL)
		return;
	RB_REMOVE(sleeper_tree, &s->tree, it);
	free(it);
}

void
sleepers_end(struct sleepers *s, int tid, uint64_t time, struct places *places)
{
	struct sleeper *it = find(s, tid);

	if (it == NULL)
		return;
	if (time >= it->seen) /* else it was found in another sleep than this one */
		charge(it, time, places);
	sleepers_forget(s, tid);
}

void
sleepers_exit(struct sleepers *s, int tid)
{
	int *oldest = &s->ended[s->nended++ % SLEEPERS_ENDED];
	struct sleeper *it = *oldest != 0 ? find(s, *oldest) : NULL;

	if (it != NULL && it->ended) /* its last record was lost, or had no number any more */
		sleepers_forget(s, *oldest);
	*oldest = tid;
	get(s, tid)->ended = true;
}

void
sleepers_fork(struct sleepers *s, int tid)
{
	struct sleeper *it = find(s, tid);

	if (it != NULL && it->ended)
		sleepers_forget(s, tid);
}

void
sleepers_charge(struct sleepers *s, uint64_t now, struct places *places)
{
	struct sleeper *it;

	RB_FOREACH(it, sleeper_tree, &s->tree)
	{
		char state = it->ended ? 'Z' : proc_state(it->tid);

		it->ended = state == 0 || state == 'Z' || state == 'X';
		charge(it, now, places);
		it->since = now;
	}
}

void
sleepers_move(struct sleepers *s, const struct places *from, struct places *to)
{
	struct sleeper *it;

	RB_FOREACH(it, sleeper_tree, &s->tree)
	if (!it->ended)
		it->node = places_copy(to, from, it->node);
}
