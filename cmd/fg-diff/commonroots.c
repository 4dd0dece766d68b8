/*
 * commonroots: sums the stacks below each root by its bare name, in one pass over the nodes.
 */
#include "fg-diff/commonroots.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"
#include "profile/funcname.h"

#define SHARE_MIN 0.1

/* Returns the weight below each root by number of its bare name; the caller frees it. */
static double *
weigh(const struct calltree *t, struct calltree *names)
{
	uint32_t *bare = cli_alloc(t->nnode, sizeof *bare); /* by node: bare name of its root */
	struct value_array sum = {0};
	double *weight;

	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct calltree_node *n = &t->node[i];

		if (n->parent != CALLTREE_ROOT) {
			bare[i] = bare[n->parent];
		} else {
			bare[i] =
			    funcname_intern_bare(names, t->name[n->name].s, t->name[n->name].len);
			if (bare[i] >= sum.n)
				value_array_resize(&sum, names->nname);
		}
		value_array_carry(&sum, bare[i], &t->self[0], i);
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

void
commonroots_check(const struct side *base, const struct side *head)
{
	struct calltree *names;
	double *weight[2], profile_total[2], common[2] = {0, 0}, share;
	struct text largest[2] = {{0}, {0}};
	uint32_t n;

	if (base->profile_total == 0 || head->profile_total == 0)
		return;
	names = calltree_new(1);
	weight[0] = weigh(base->tree, names);
	n = names->nname; /* of base's roots; those of head only come after them */
	weight[1] = weigh(head->tree, names);
	for (uint32_t i = 1; i < n; i++)
		if (weight[0][i] > 0 && weight[1][i] > 0) {
			common[0] += weight[0][i];
			common[1] += weight[1][i];
		}
	profile_total[0] = value_double(base->profile_total);
	profile_total[1] = value_double(head->profile_total);
	share = (common[0] / profile_total[0] + common[1] / profile_total[1]) / 2;
	if (share < SHARE_MIN) {
		show_largest(&largest[0], names, weight[0], n);
		show_largest(&largest[1], names, weight[1], names->nname);
		cli_warn(
		    "%.2g %% of the weight is below roots that both profiles have (largest root "
		    "of base: %.100s, of head: %.100s); align them with fg-filter --root-at RE, "
		    "--skip-after NAME or --root NAME",
		    100 * share, largest[0].s, largest[1].s);
	}
	for (int i = 0; i < 2; i++) {
		text_free(&largest[i]);
		free(weight[i]);
	}
	calltree_free(names);
}
