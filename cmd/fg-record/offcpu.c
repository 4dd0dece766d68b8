/*
 * offcpu: a table of sleeping threads by number.
 */
#include "offcpu.h"

#include <stdlib.h>

#include "base/cli.h"

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

void
sleepers_begin(struct sleepers *s, int tid, uint32_t node, uint64_t time)
{
	struct sleeper *it = find(s, tid);

	if (it == NULL) {
		it = cli_alloc(1, sizeof *it);
		it->tid = tid;
		RB_INSERT(sleeper_tree, &s->tree, it);
	}
	it->node = node;
	it->since = time;
}

static void
charge(struct sleeper *it, uint64_t now, struct places *places)
{
	if (now > it->since)
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
	charge(it, time, places);
	sleepers_forget(s, tid);
}

void
sleepers_charge(struct sleepers *s, uint64_t now, struct places *places)
{
	struct sleeper *it;

	RB_FOREACH(it, sleeper_tree, &s->tree)
	{
		charge(it, now, places);
		it->since = now;
	}
}

void
sleepers_move(struct sleepers *s, const struct places *from, struct places *to)
{
	struct sleeper *it;

	RB_FOREACH(it, sleeper_tree, &s->tree)
	it->node = places_copy(to, from, it->node);
}
