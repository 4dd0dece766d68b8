/*
 * commonroots: sums the stacks below each root by its bare name, in one pass over the nodes.
 */
#include "fg-diff/commonroots.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"
#include "names/funcname.h"

#define SHARE_MIN 0.1
#define PART 8 /* of the nodes, which mostly decide */

/*
 * Returns the weight of the first n nodes below each root, by number of its bare name; the caller
 * frees it.
 */
static double *
weigh(const struct calltree *t, unsigned column, uint32_t nnode, struct calltree *names)
{
	uint32_t *bare = cli_alloc(nnode, sizeof *bare); /* by node: bare name of its root */
	struct value_array sum = {0};
	double *weight;

	for (uint32_t i = 1; i < nnode; i++) {
		const struct calltree_node *n = &t->node[i];

		if (n->parent != CALLTREE_ROOT) {
			bare[i] = bare[n->parent];
		} else {
			bare[i] =
			    funcname_intern_bare(names, t->name[n->name].s, t->name[n->name].len);
			if (bare[i] >= sum.n)
				value_array_resize(&sum, names->nname);
		}
		value_array_carry(&sum, bare[i], &t->self[column], i);
	}
	weight = cli_alloc(names->nname, sizeof *weight);
	for (uint32_t i = 1; i < sum.n; i++)
		weight[i] = value_double(value_array_get(&sum, i));
	value_array_free(&sum);
	free(bare);
	return weight;
}

/* Appends the name with the largest weight, safe for a terminal. */
static void
show_largest(struct text *to, const struct calltree *names, const double *weight, uint32_t n)
{
	uint32_t largest = 0;

	for (uint32_t i = 1; i < n; i++)
		if (largest == 0 || weight[i] > weight[largest])
			largest = i;
	text_show(to, (struct str){names->name[largest].s, names->name[largest].len});
}

/* Weights below the roots of both sides, by number of the root's bare name. */
struct weights {
	struct calltree *names;
	uint32_t n; /* names of base's roots; those of head only come after them */
	double *weight[2];
	double share; /* of both sides' totals: below roots that both have */
};

/* Weighs the first nodes of both trees, 1 / part of all. */
static struct weights
weigh_sides(const struct side *const side[2], uint32_t part)
{
	struct weights w = {.names = calltree_new(1)};
	double common[2] = {0, 0};

	for (int k = 0; k < 2; k++) {
		w.weight[k] =
		    weigh(side[k]->tree, side[k]->picked, side[k]->tree->nnode / part, w.names);
		if (k == 0)
			w.n = w.names->nname;
	}
	for (uint32_t i = 1; i < w.n; i++)
		if (w.weight[0][i] > 0 && w.weight[1][i] > 0) {
			common[0] += w.weight[0][i];
			common[1] += w.weight[1][i];
		}
	for (int k = 0; k < 2; k++)
		w.share += common[k] / value_double(side[k]->profile_total) / 2;
	return w;
}

static void
free_weights(struct weights *w)
{
	calltree_free(w->names);
	free(w->weight[0]);
	free(w->weight[1]);
}

void
commonroots_check(const struct side *base, const struct side *head)
{
	const struct side *side[] = {base, head};
	struct text largest[2] = {{0}, {0}};
	struct weights w;

	if (base->profile_total == 0 || head->profile_total == 0)
		return;
	w = weigh_sides(side, PART); /* at most as much as the weight of all */
	if (w.share < SHARE_MIN) {
		free_weights(&w);
		w = weigh_sides(side, 1);
	}
	if (w.share < SHARE_MIN) {
		show_largest(&largest[0], w.names, w.weight[0], w.n);
		show_largest(&largest[1], w.names, w.weight[1], w.names->nname);
		cli_warn(
		    "%.2g %% of the weight is below roots that both profiles have (largest root "
		    "of base: %.100s, of head: %.100s); align them with fg-filter --root-at RE, "
		    "--skip-after NAME or --root NAME",
		    100 * w.share, largest[0].s, largest[1].s);
	}
	text_free(&largest[0]);
	text_free(&largest[1]);
	free_weights(&w);
}
