#include "fg-render/layout/measure.h"

#include <math.h>

#include "base/cli.h"

double
layout_own_of_columns(const struct picture *p, uint32_t node)
{
	double own = layout_self(p, node, 0), other;

	if (p->widths == WIDTHS_MAX && (other = layout_self(p, node, 1)) > own)
		own = other;
	if (p->widths == WIDTHS_SUM)
		for (unsigned k = 1; k < p->drawn.n; k++)
			own += layout_self(p, node, k);
	return own;
}

bool
layout_has_other(const struct picture *p, uint32_t node)
{
	for (unsigned k = 1; k < p->drawn.n; k++)
		if (value_array_has(&p->tree->self[p->drawn.column[k]], node))
			return true;
	return false;
}

void *
layout_by_node(const struct calltree *t, size_t size)
{
	return cli_alloc_ready(t->nnode, size);
}

double *
layout_totals(const struct picture *p, unsigned k)
{
	const struct calltree_node *node = p->tree->node;
	double *total = layout_by_node(p->tree, sizeof *total);

	for (uint32_t i = p->tree->nnode; i-- > 1;) {
		total[i] += layout_self(p, i, k);
		total[node[i].parent] += total[i];
	}
	total[CALLTREE_ROOT] += layout_self(p, CALLTREE_ROOT, k);
	return total;
}

double
layout_steepness(const struct picture *p, uint32_t node)
{
	if (p->diff.quiet != NULL && p->diff.quiet[node])
		return 0;
	return fabs(layout_self(p, node, 1) - layout_self(p, node, 0));
}

value
layout_total(const struct picture *p)
{
	return p->options->total > p->drawn.sum[0] ? p->options->total : p->drawn.sum[0];
}

value
layout_profile_total(const struct picture *p)
{
	value profile_total = layout_total(p);

	if (p->widths == WIDTHS_SUM)
		for (unsigned k = 1; k < p->drawn.n; k++)
			profile_total = value_sum(profile_total, p->drawn.sum[k]);
	return profile_total;
}

double
layout_percent(const struct picture *p, value v)
{
	value profile_total = layout_total(p);

	return profile_total > 0 ? 100 * value_double(v) / value_double(profile_total) : 0;
}
