/*
 * select: keeps stacks by an expression over their frames, or by their value.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
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

value
stack_value(const struct calltree *t, uint32_t node)
{
	value v = 0;

	for (unsigned c = 0; c < t->columns; c++)
		v = value_sum(v, calltree_self(t, node, c));
	return v;
}

value
percent_of(value percent, value all)
{
	value hundred = 100 * VALUE_ONE, product;

	if (__builtin_mul_overflow(percent, all, &product))
		return all / hundred * percent;
	return product / hundred + (product % hundred != 0);
}

value *
function_totals(const struct calltree *t, value *all)
{
	value *below = cli_alloc(t->nnode, sizeof *below); /* by node: value of its subtree */
	value *total = cli_alloc(t->nname, sizeof *total);
	uint32_t *active = cli_alloc(t->nname, sizeof *active); /* by name: times on the stack */
	uint32_t *name = NULL, node = CALLTREE_ROOT, depth = 0, open = 0;
	size_t cap = 0;

	for (uint32_t i = t->nnode; i-- > 1;) {
		below[i] = value_sum(below[i], stack_value(t, i));
		below[t->node[i].parent] = value_sum(below[t->node[i].parent], below[i]);
	}
	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		while (open >= depth)
			active[name[open--]]--;
		vec_fit(name, cap, (size_t)depth + 1);
		name[++open] = t->node[node].name;
		if (active[name[open]]++ == 0)
			total[name[open]] = value_sum(total[name[open]], below[node]);
	}
	*all = below[CALLTREE_ROOT];
	free(below);
	free(active);
	free(name);
	return total;
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
	qsort(candidate, n, sizeof *candidate, compare_candidates);
	for (uint32_t i = 0; i < n && i < s->number; i++)
		map[candidate[i].node] = candidate[i].node;
	free(candidate);
}
