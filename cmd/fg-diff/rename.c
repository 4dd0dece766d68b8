/*
 * rename: compares the places of functions that only one side has. A place with several candidates
 * has no rename.
 */
#include "fg-diff/rename.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/vec.h"

#define SIMILAR 1.5 /* maximum ratio of similar costs */
#define NAME_MAX_LENGTH 64 /* of longer names, only the start is compared */
#define NAME_PART_MIN 3 /* bytes of a part that two names share; and half of the shorter one */

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

/* The name of a function without its module, class, file and arguments. */
static struct str
bare_name(const struct calltree_name *name)
{
	struct str s = {name->s, 0};

	while (s.len < name->len && (s.len == 0 || strchr("(< [", name->s[s.len]) == NULL))
		s.len++;
	for (size_t i = s.len; i > 1; i--)
		if (strchr("`.:/\\$", s.s[i - 2]) != NULL && i - 1 < s.len) {
			s = (struct str){s.s + i - 1, s.len - (i - 1)};
			break;
		}
	s.len = s.len < NAME_MAX_LENGTH ? s.len : NAME_MAX_LENGTH;
	return s;
}

/* True if two names share a part that is at least half of the shorter one. */
static bool
names_alike(const struct calltree_name *a, const struct calltree_name *b)
{
	struct str x = bare_name(a), y = bare_name(b);
	size_t common[NAME_MAX_LENGTH + 1] = {0}, longest = 0; /* that end at each byte of y */

	for (size_t i = 0; i < x.len; i++)
		for (size_t k = y.len; k > 0; k--) {
			common[k] = x.s[i] == y.s[k - 1] ? common[k - 1] + 1 : 0;
			longest = common[k] > longest ? common[k] : longest;
		}
	return longest >= NAME_PART_MIN && 2 * longest >= (x.len < y.len ? x.len : y.len);
}

static bool
alike(const struct search *s, const struct place *a, const struct place *b)
{
	if (a->caller != b->caller || a->callee != b->callee || a->cost >= SIMILAR * b->cost ||
	    b->cost >= SIMILAR * a->cost)
		return false;
	return a->callee != MERGEDTREE_NO_ROW || names_alike(a->row->name, b->row->name) ||
	       (s->c->noise.kind == NOISE_NONE && a->cost == b->cost);
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
only_alike(const struct search *s, const struct place *p, const struct place *other, size_t n)
{
	const struct place *found = NULL;

	for (size_t i = 0; i < n; i++)
		if (alike(s, p, &other[i])) {
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

/* True if the costs of a function before and after its renaming differ by more than noise. */
static bool
costs_more(const struct comparison *c, const struct place *gone, const struct place *come)
{
	double change = fabs(come->cost - gone->cost);

	if (!noise_is_modelled(&c->noise))
		return change > 0;
	return change * noise_scale(&c->noise) > noise_limit(&c->noise, gone->row->total);
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
		const struct place *p = only_alike(&s, &gone[i], come, ncome);

		if (p != NULL && only_alike(&s, p, gone, ngone) != NULL)
			rename[n++] =
			    (struct rename){gone[i].row, p->row, costs_more(c, &gone[i], p)};
	}
	free(gone);
	free(come);
	return n;
}
