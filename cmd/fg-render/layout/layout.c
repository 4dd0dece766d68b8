/*
 * layout: the width of each frame, the order of siblings and the profile totals. A child has a
 * larger number than its parent, so a sum over all subtrees is one loop from the last node to
 * the first.
 */
#include "fg-render/layout/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/text/changes.h"
#include "fg-render/text/offcpu.h"
#include "fg-render/reading/times.h"
#include "profile/unit.h"

/* Returns the power of ten that makes every value an integer. */
static uint64_t
whole_scale(const struct picture *p)
{
	uint64_t scale = 1;

	for (unsigned k = 0; k < p->drawn.n; k++) {
		const struct value_array *self = &p->tree->self[p->drawn.column[k]];

		for (size_t i = 0; i < self->nwide; i++)
			while (self->wide[i] % VALUE_ONE * scale % VALUE_ONE != 0)
				scale *= 10;
	}
	/* the samples of an integer sum may be fractions */
	for (size_t i = 0; p->times != NULL && i < p->times->n; i++)
		while (p->times->sample[i].v % VALUE_ONE * scale % VALUE_ONE != 0)
			scale *= 10;
	return scale;
}

static double *
widths(const struct picture *p)
{
	const struct calltree_node *node = p->tree->node;
	double *width = layout_by_node(p->tree, sizeof *width);

	for (uint32_t s = 0; s < p->stacks.n; s++)
		width[p->stacks.node[s]] = layout_own(p, p->stacks.node[s]);
	for (uint32_t i = p->tree->nnode; i-- > 1;)
		width[node[i].parent] += width[i];
	width[CALLTREE_ROOT] += layout_own(p, CALLTREE_ROOT);
	return width;
}

/*
 * Returns for each frame the column with its largest total; the number of columns if all are 0. The
 * caller frees it.
 */
static uint8_t *
dominant(const struct picture *p)
{
	const struct calltree *t = p->tree;
	uint8_t *most = cli_alloc(t->nnode, 1);
	double *best = layout_by_node(t, sizeof *best);
	double *part = layout_by_node(t, sizeof *part);

	memset(most, (int)p->drawn.n, t->nnode);
	for (unsigned k = 0; k < p->drawn.n; k++) {
		for (uint32_t i = 0; i < t->nnode; i++)
			part[i] = layout_self(p, i, k);
		for (uint32_t i = t->nnode; i-- > 1;)
			part[t->node[i].parent] += part[i];
		for (uint32_t i = 0; i < t->nnode; i++)
			if (part[i] > best[i]) {
				best[i] = part[i];
				most[i] = (uint8_t)k;
			}
	}
	free(best);
	free(part);
	return most;
}

/*
 * Returns by node whether the stacks through it that are not marked as noise did not change, or
 * changed in the other direction than all of its stacks. The caller frees it.
 */
static bool *
quiet(const struct picture *p)
{
	const struct calltree *t = p->tree;
	bool *is_quiet = layout_by_node(t, sizeof *is_quiet);
	double *real = layout_by_node(t, sizeof *real);

	for (uint32_t i = t->nnode; i-- > 0;) {
		if (layout_self(p, i, (unsigned)p->diff.noise) == 0)
			real[i] += layout_self(p, i, 1) - layout_self(p, i, 0);
		is_quiet[i] = real[i] * (p->diff.head[i] - p->diff.base[i]) <= 0;
		if (i != CALLTREE_ROOT)
			real[t->node[i].parent] += real[i];
	}
	free(real);
	return is_quiet;
}

static int
by_weight(const void *a, const void *b, void *picture)
{
	const struct picture *p = picture;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t first = p->names.rank[p->tree->node[x].name],
		 second = p->names.rank[p->tree->node[y].name];

	if (p->width[x] != p->width[y])
		return p->width[x] < p->width[y] ? 1 : -1;
	return (first > second) - (first < second);
}

/* Sorts siblings by total value, largest first, then by name. */
static void
order_by_weight(struct picture *p)
{
	struct calltree_node *node = p->tree->node;
	uint32_t *child = NULL, cap = 0;

	for (uint32_t parent = 0; parent < p->tree->nnode; parent++) {
		uint32_t n = 0;

		for (uint32_t i = node[parent].child; i != 0; i = node[i].next) {
			vec_fit(child, cap, n + 1);
			child[n++] = i;
		}
		if (n < 2)
			continue;
		sort_items_of(child, n, sizeof *child, by_weight, p);
		node[parent].child = child[0];
		for (uint32_t i = 0; i < n; i++)
			node[child[i]].next = i + 1 < n ? child[i + 1] : 0;
	}
	free(child);
}

uint64_t
layout_assumed_period(const struct picture *p, unsigned column)
{
	const struct value_array *self = &p->tree->self[column];
	uint64_t common = 0, sum = 0, hertz;
	uint32_t stacks = 0;

	if (self->nwide > 0)
		return 0;
	for (size_t i = 0; i < self->n; i++) {
		uint64_t a = self->cell[i];

		if (a == 0)
			continue;
		stacks++;
		sum += a;
		while (a != 0) {
			uint64_t rest = common % a;

			common = a;
			a = rest;
		}
	}
	/* few stacks or short periods have such a common divisor by chance */
	if (stacks < 3 || common < 100000 || common > 1000000000 || sum / common < 20)
		return 0;
	hertz = (1000000000 + common / 2) / common;
	return common == 1000000000 / hertz ? common : 0;
}

/* Lists the nodes where stacks of the drawn columns end, which are few among all nodes. */
static void
list_stacks(struct picture *p)
{
	const uint64_t *first = p->tree->self[p->drawn.column[0]].cell;
	uint32_t cap = 0, nnode = p->tree->nnode;
	bool one = p->drawn.n == 1;

	for (uint32_t i = 1; i < nnode; i++) {
		if (first[i] == 0 && (one || !layout_has_other(p, i)))
			continue;
		vec_fit(p->stacks.node, cap, p->stacks.n + 1);
		p->stacks.node[p->stacks.n++] = i;
	}
}

/* Sums a drawn column, which only the root and the stacks have. */
static value
sum(const struct picture *p, unsigned k)
{
	const struct value_array *self = &p->tree->self[p->drawn.column[k]];
	value counts = 0, all;

	for (uint32_t s = 0; s <= p->stacks.n; s++) {
		uint64_t cell = self->cell[s < p->stacks.n ? p->stacks.node[s] : CALLTREE_ROOT];

		if (cell < VALUE_WIDE)
			counts += cell;
	}
	all = counts * VALUE_ONE;
	for (size_t i = 0; i < self->nwide; i++)
		all = value_sum(all, self->wide[i]);
	return all;
}

/* Finds whether subtrees have contiguous numbers, and the number of levels. */
static void
find_shape(struct picture *p)
{
	uint32_t node = CALLTREE_ROOT, depth = 0;

	p->stacks.nested = calltree_is_nested(p->tree, &p->stacks.deepest);
	if (p->stacks.nested)
		return;
	while ((node = calltree_next(p->tree, node, &depth)) != CALLTREE_ROOT)
		if (depth > p->stacks.deepest)
			p->stacks.deepest = depth;
}

void
layout(struct picture *p)
{
	double total;

	p->diff.exact = p->mode == MODE_DIFFERENTIAL && changes_exact(p);
	if (p->mode == MODE_DIFFERENTIAL)
		changes_mark(p);
	list_stacks(p);
	for (unsigned k = 0; k < p->drawn.n; k++)
		p->drawn.sum[k] = sum(p, k);
	waits_find(p);
	p->drawn.scale = whole_scale(p);
	p->width = widths(p);
	p->profile_total = p->width[CALLTREE_ROOT];
	if (p->options->order == ORDER_WEIGHT)
		order_by_weight(p);
	find_shape(p);
	if (p->mode == MODE_DIFFERENTIAL) {
		p->diff.base = layout_totals(p, 0);
		p->diff.head = layout_totals(p, 1);
		if (p->diff.noise >= 0)
			p->diff.quiet = quiet(p);
		p->diff.steepest = 0;
		for (uint32_t i = 0; i < p->tree->nnode; i++)
			p->diff.steepest = fmax(p->diff.steepest, layout_steepness(p, i));
	}
	if (p->mode == MODE_BOTTLENECK || p->mode == MODE_WAIT)
		p->dominant = dominant(p);
	if (p->options->total == 0)
		return;
	total = value_double(p->options->total);
	if (total >= p->profile_total)
		p->profile_total = total;
	else
		cli_note("--total is less than the sum of all stacks; ignored");
}
