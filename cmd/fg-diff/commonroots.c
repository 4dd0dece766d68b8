/*
 * commonroots: sums the stacks below each root by its function, in one pass over the nodes.
 */
#include "fg-diff/commonroots.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"

#define SHARE_MIN 0.1
#define PART 8 /* of the nodes, which mostly decide */

/* Returns the weight of a side's first n nodes by function of their root; the caller frees it. */
static double *
weigh(const struct side *side, uint32_t n)
{
	const struct calltree *t = side->tree;
	uint32_t *root = cli_alloc(n, sizeof *root); /* by node: function of its root */
	struct value_array sum = {0};
	double *weight = cli_alloc(side->names.n, sizeof *weight);

	value_array_resize(&sum, side->names.n);
	for (uint32_t i = 1; i < n; i++) {
		const struct calltree_node *node = &t->node[i];

		root[i] = node->parent == CALLTREE_ROOT ? side->names.function[node->name]
							: root[node->parent];
		value_array_carry(&sum, root[i], &t->self[side->picked], i);
	}
	for (uint32_t i = 0; i < side->names.n; i++)
		weight[i] = value_array_double(&sum, i);
	value_array_free(&sum);
	free(root);
	return weight;
}

/* Appends the function with the largest weight, safe for a terminal. */
static void
show_largest(struct text *to, const struct side *side, const double *weight)
{
	uint32_t largest = 0;

	for (uint32_t i = 1; i < side->names.n; i++)
		if (largest == 0 || weight[i] > weight[largest])
			largest = i;
	text_show(to, (struct str){side->identity->functions->name[largest].s,
			  side->identity->functions->name[largest].len});
}

/*
 * Weighs the first nodes of both trees, 1 / part of all, by function. Returns the share of both
 * sides' totals that is below roots that both have.
 */
static double
weigh_sides(const struct side *const side[2], uint32_t part, double *weight[2])
{
	double share = 0;

	for (int k = 0; k < 2; k++) {
		free(weight[k]);
		weight[k] = weigh(side[k], side[k]->tree->nnode / part);
	}
	for (int k = 0; k < 2; k++) {
		double common = 0;

		for (uint32_t i = 1; i < side[0]->names.n; i++)
			if (weight[0][i] > 0 && weight[1][i] > 0)
				common += weight[k][i];
		share += common / value_double(side[k]->profile_total) / 2;
	}
	return share;
}

void
commonroots_check(const struct side *base, const struct side *head)
{
	const struct side *side[] = {base, head};
	struct text largest[2] = {{0}, {0}};
	double *weight[2] = {NULL, NULL}, share;

	if (base->profile_total == 0 || head->profile_total == 0)
		return;
	share = weigh_sides(side, PART, weight); /* at most as much as the weight of all */
	if (share < SHARE_MIN)
		share = weigh_sides(side, 1, weight);
	if (share < SHARE_MIN) {
		for (int k = 0; k < 2; k++)
			show_largest(&largest[k], side[k], weight[k]);
		cli_warn(
		    "%.2g %% of the weight is below roots that both profiles have (largest root "
		    "of base: %.100s, of head: %.100s); align them with fg-filter --root-at RE, "
		    "--skip-after NAME or --root NAME",
		    100 * share, largest[0].s, largest[1].s);
	}
	for (int k = 0; k < 2; k++) {
		text_free(&largest[k]);
		free(weight[k]);
	}
}
