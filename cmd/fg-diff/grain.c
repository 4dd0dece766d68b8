#include "fg-diff/grain.h"

#include <math.h>
#include <string.h>

#include "profile/unit.h"

/* Blocks of one stack may differ in size: the mean of them may look larger than most are. */
#define LARGE_MIN 0.05 /* smallest weight, in `rate` */

/*
 * Names of the columns of bytes and of numbers of the same blocks; and columns of bytes of a part
 * of them, without numbers: a stack's blocks have much the same size, however long they live.
 */
static const char *const pair[][4] = {{"inuse_space", "inuse_objects"},
    {"alloc_space", "alloc_objects"}, {"allocated", "allocations", "live", "peak"}};

/* Returns the index of a column, or c->n. */
static unsigned
find(const struct folded_columns *c, const char *name)
{
	unsigned i = 0;

	while (i < c->n && (c->name[i] == NULL || strcmp(c->name[i], name) != 0))
		i++;
	return i;
}

/* True if a column, which may have no name, is of the blocks of a row of `pair`. */
static bool
is_of(const char *const of[4], const char *column)
{
	for (size_t i = 0; i < 4 && of[i] != NULL; i++)
		if (column != NULL && strcmp(of[i], column) == 0)
			return true;
	return false;
}

bool
grain_find(struct grain *g, const struct folded_columns *c, unsigned column)
{
	for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
		const struct folded_period *period;

		g->bytes = find(c, pair[i][0]);
		g->objects = find(c, pair[i][1]);
		if (column >= c->n || g->bytes >= c->n || g->objects >= c->n ||
		    !is_of(pair[i], c->name[column]) ||
		    (column != g->objects && c->values[column] != FOLDED_SAMPLED))
			continue;
		period = &c->period[g->bytes];
		if (c->values[g->bytes] != FOLDED_SAMPLED || period->mixed ||
		    period->unit == NULL || unit_bytes(period->unit) == 0 ||
		    c->unit[g->bytes] == NULL || !unit_is_same(c->unit[g->bytes], period->unit))
			continue;
		g->rate = value_double(period->number);
		return g->rate > 1;
	}
	return false;
}

double
grain_weight(const struct grain *g, double bytes, double objects, bool of_objects)
{
	double size = objects > 0 && bytes > 0 ? fmax(bytes / objects, 1) : 1;
	double weight = fmax(size / expm1(size / g->rate), LARGE_MIN * g->rate);

	return of_objects ? weight / size : weight;
}
