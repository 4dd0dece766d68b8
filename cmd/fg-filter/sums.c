/*
 * sums: exact sums over the stacks of a tree.
 */
#include "fg-filter/sums.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"

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
