/*
 * mergedtree: merges the call trees of a comparison's two sides by function.
 */
#include "fg-diff/mergedtree.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-diff/align.h"
#include "fg-diff/scriptrows.h"

static void
sum_totals(struct mergedtree *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		for (int k = 0; k < 2; k++)
			t->node[i].total[k] = t->node[i].self[k];
	for (uint32_t i = t->n; i-- > 1;) {
		struct mergedtree_node *node = &t->node[i], *parent = &t->node[node->parent];

		if (node->end < i + 1)
			node->end = i + 1;
		if (parent->end < node->end)
			parent->end = node->end;
		for (int k = 0; k < 2; k++)
			parent->total[k] += node->total[k];
	}
}

static void
sort_by_row(struct mergedtree *t, size_t rows)
{
	t->first = cli_alloc(rows + 2, sizeof *t->first);
	t->of = cli_alloc(t->n, sizeof *t->of);
	for (uint32_t i = 1; i < t->n; i++)
		t->first[t->node[i].row + 2]++;
	for (size_t r = 2; r < rows + 2; r++)
		t->first[r] += t->first[r - 1];
	for (uint32_t i = 1; i < t->n; i++)
		t->of[t->first[t->node[i].row + 1]++] = i;
}

void
mergedtree_make(struct mergedtree *t, struct comparison *c)
{
	const struct calltree_name *name;
	uint32_t depth, deepest = 0, *way = NULL, root = 0;
	struct align_pair pair;
	struct align align;

	*t = (struct mergedtree){0};
	vec_fit(t->node, t->cap, 1);
	t->node[t->n++] = (struct mergedtree_node){.row = MERGEDTREE_NO_ROW};
	side_align(&align, c->side[0], c->side[1]);
	while (align_next(&align, &pair, &depth, &name)) {
		uint32_t function = align_function(&align, &pair);
		const struct row *row;

		vec_fit(way, deepest, (size_t)depth + 1);
		if (scriptrows_hides(c->scripts, function, depth, &root)) {
			struct mergedtree_node *caller = &t->node[way[depth] = way[depth - 1]];

			for (int k = 0; k < 2; k++)
				caller->self[k] += compare_scaled(c, k, pair.node[k]);
			continue;
		}
		row = compare_function(c, function);
		vec_fit(t->node, t->cap, (size_t)t->n + 1);
		t->node[t->n] = (struct mergedtree_node){
		    .parent = depth > 1 ? way[depth - 1] : 0,
		    .row = (uint32_t)(row - c->row),
		    .self = {compare_scaled(c, 0, pair.node[0]),
			compare_scaled(c, 1, pair.node[1])},
		};
		way[depth] = t->n++;
	}
	align_end(&align);
	free(way);
	sum_totals(t);
	sort_by_row(t, c->n);
}

void
mergedtree_free(struct mergedtree *t)
{
	free(t->node);
	free(t->of);
	free(t->first);
}

bool
mergedtree_recurses(const struct mergedtree *t, uint32_t node)
{
	for (uint32_t i = t->node[node].parent; i != 0; i = t->node[i].parent)
		if (t->node[i].row == t->node[node].row)
			return true;
	return false;
}
