/*
 * commonroots: sums the stacks below each root by its bare name, in one walk per tree.
 */
#include "fg-diff/commonroots.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/funcname.h"

#define SHARE_MIN 0.1

/* Returns the weight below each root by number of its bare name; the caller frees it. */
static double *
weigh(const struct calltree *t, struct calltree *names)
{
	uint32_t node = CALLTREE_ROOT, depth = 0, bare = 0;
	double *weight = NULL;
	uint32_t n = 0, cap = 0;

	while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT) {
		const struct calltree_name *name = &t->name[t->node[node].name];

		if (depth == 1) {
			bare = funcname_intern_bare(names, name->s, name->len);
			vec_fit(weight, cap, names->nname);
			while (n < names->nname)
				weight[n++] = 0;
		}
		if (value_array_has(&t->self[0], node))
			weight[bare] += value_double(calltree_self(t, node, 0));
	}
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
	double *weight[2], whole[2], common[2] = {0, 0}, share;
	struct text largest[2] = {{0}, {0}};
	uint32_t n;

	if (base->whole == 0 || head->whole == 0)
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
	whole[0] = value_double(base->whole);
	whole[1] = value_double(head->whole);
	share = (common[0] / whole[0] + common[1] / whole[1]) / 2;
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
