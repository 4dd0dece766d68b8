/*
 * timesort: a list that is sorted whenever part of it is passed on. Records of one ring
 * are sorted already, so there is little to do.
 */
#include "fg-collapse/perfdata/timesort.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/vec.h"

static int
by_time(const void *a, const void *b)
{
	const struct timesort_entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void
sort(struct timesort *o)
{
	for (size_t i = o->sorted; i < o->n; i++)
		if (i > 0 && o->entry[i].time < o->entry[i - 1].time) {
			sort_items(o->entry, o->n, sizeof *o->entry, by_time);
			break;
		}
	o->sorted = o->n;
}

/* Passes on the entries not newer than limit, and at least `least` of them. */
static void
give(struct timesort *o, uint64_t limit, size_t least)
{
	size_t n = 0;

	sort(o);
	while (n < o->n && (n < least || o->entry[n].time <= limit)) {
		struct timesort_entry *e = &o->entry[n++];

		if (e->time < o->given)
			o->late++;
		else
			o->given = e->time;
		o->take(o->arg, e);
		block_release(e->block);
	}
	for (size_t i = n; i < o->n; i++)
		o->entry[i - n] = o->entry[i];
	o->n -= n;
	o->sorted = o->n;
}

void
timesort_add(struct timesort *o, const struct timesort_entry *e)
{
	vec_fit(o->entry, o->cap, o->n + 1);
	o->entry[o->n++] = *e;
	block_hold(e->block);
	if (e->time > o->newest)
		o->newest = e->time;
	if (block_held + o->n * sizeof *o->entry > TIMESORT_HELD)
		give(o, 0, o->n / 2 + 1);
}

void
timesort_round(struct timesort *o)
{
	give(o, o->round, 0);
	o->round = o->newest;
}

void
timesort_end(struct timesort *o)
{
	give(o, UINT64_MAX, 0);
	free(o->entry);
	o->entry = NULL;
	o->cap = 0;
}
