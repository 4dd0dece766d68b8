/*
 * rename: compares the places of functions that only one side has. A place with several candidates
 * has no rename.
 */
#include "fg-diff/rename.h"

#include <stdlib.h>

#include "base/sort.h"
#include "base/vec.h"

#define SIMILAR 1.5 /* maximum ratio of similar costs */

struct search {
	const struct comparison *c;
	const struct mergedtree *tree;
};

/* Identifies a function by its callers and callees: those with most of its cost. */
struct place {
	const struct row *row;
	uint32_t caller, callee;
	double cost;
};

static struct place
place_of(const struct search *s, const struct row *row, int side)
{
	const struct mergedtree *t = s->tree;
	uint32_t r = (uint32_t)(row - s->c->row);
	struct place p = {row, MERGEDTREE_NO_ROW, MERGEDTREE_NO_ROW, row->total->scaled_mean[side]};
	double most = 0, callee = row->self->scaled_mean[side];

	for (uint32_t k = t->first[r]; k < t->first[r + 1]; k++) {
		uint32_t node = t->of[k];

		if (t->node[node].total[side] > most) {
			most = t->node[node].total[side];
			p.caller = t->node[t->node[node].parent].row;
		}
		for (uint32_t i = node + 1; i < t->node[node].end; i = t->node[i].end)
			if (t->node[i].total[side] > callee) {
				callee = t->node[i].total[side];
				p.callee = t->node[i].row;
			}
	}
	return p;
}

static bool
alike(const struct place *a, const struct place *b)
{
	return a->caller == b->caller && a->callee == b->callee && a->cost < SIMILAR * b->cost &&
	       b->cost < SIMILAR * a->cost;
}

/* True if only one side has a function, and it is large enough to be tested. */
static bool
is_only_on(const struct row *row, int side)
{
	return row->total->verdict != VERDICT_SMALL && row->total->scaled_mean[!side] == 0;
}

/* Finds the functions that only one side has; returns how many. */
static size_t
only_on(const struct search *s, int side, struct place **place)
{
	size_t n = 0, cap = 0;

	*place = NULL;
	for (size_t i = 0; i < s->c->n; i++) {
		const struct row *row = &s->c->row[i];

		if (!is_only_on(row, side))
			continue;
		vec_fit(*place, cap, n + 1);
		(*place)[n++] = place_of(s, row, side);
	}
	return n;
}

/* Returns the only place similar to p, or NULL if there is none or more than one. */
static const struct place *
only_alike(const struct place *p, const struct place *other, size_t n)
{
	const struct place *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (alike(p, &other[i])) {
			if (found != NULL)
				return NULL;
			found = &other[i];
		}
	return found;
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

bool
renames_possible(const struct comparison *c)
{
	bool on[2] = {false, false};

	for (size_t i = 0; i < c->n && !(on[0] && on[1]); i++)
		for (int side = 0; side < 2; side++)
			on[side] |= is_only_on(&c->row[i], side);
	return on[0] && on[1];
}

size_t
renames_find(
    const struct comparison *c, const struct mergedtree *tree, struct rename rename[RENAMES_MAX])
{
	const struct search s = {c, tree};
	struct place *gone, *come;
	size_t ngone = only_on(&s, 0, &gone), ncome = only_on(&s, 1, &come), n = 0;

	if (ngone > 0)
		sort_items(gone, ngone, sizeof *gone, compare_places);
	for (size_t i = 0; i < ngone && n < RENAMES_MAX; i++) {
		const struct place *p = only_alike(&gone[i], come, ncome);

		if (p != NULL && only_alike(p, gone, ngone) != NULL)
			rename[n++] = (struct rename){gone[i].row, p->row};
	}
	free(gone);
	free(come);
	return n;
}
