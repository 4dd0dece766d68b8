/*
 * select: keeps stacks by an expression over their frames, or by their value.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "fg-filter/filter.h"
#include "names/frame.h"

void
select_where(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	uint8_t *kept = where_nodes(s->where, from);

	(void)to;
	for (uint32_t i = 1; i < from->nnode; i++)
		map[i] = kept[i] ? i : CUT;
	free(kept);
}

void
select_min(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	value least = s->least, all = 0;

	(void)to;
	if (s->percent) {
		for (uint32_t i = 1; i < from->nnode; i++)
			all = value_sum(all, stack_value(from, i));
		least = percent_of(s->least, all);
	}
	for (uint32_t i = 1; i < from->nnode; i++)
		map[i] = stack_value(from, i) >= least ? i : CUT;
}

struct candidate {
	value v;
	uint32_t node, place; /* place: in canonical order, for ties */
};

static int
compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->v != y->v)
		return x->v > y->v ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

void
select_top(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct candidate *candidate = cli_alloc(from->nnode, sizeof *candidate);
	uint32_t node = CALLTREE_ROOT, depth = 0, n = 0;

	(void)to;
	calltree_sort(from);
	while ((node = calltree_next(from, node, &depth)) != CALLTREE_ROOT)
		if (calltree_is_stack(from, node)) {
			candidate[n] = (struct candidate){stack_value(from, node), node, n};
			n++;
		}
	sort_items(candidate, n, sizeof *candidate, compare_candidates);
	for (uint32_t i = 0; i < n && i < s->number; i++)
		map[candidate[i].node] = candidate[i].node;
	free(candidate);
}
