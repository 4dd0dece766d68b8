/*
 * layout: the width of each frame, the order of siblings and the profile totals. A child has a
 * larger number than its parent, so a sum over all subtrees is one loop from the last node to
 * the first.
 */
#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/text/changes.h"
#include "fg-render/text/offcpu.h"
#include "fg-render/reading/times.h"
#include "profile/unit.h"

double
layout_self(const struct picture *p, uint32_t node, unsigned k)
{
	const struct value_array *self = &p->tree->self[p->column[k]];
	uint64_t cell = self->cell[node];

	return cell & VALUE_WIDE ? value_double(value_array_get(self, node)) : (double)cell;
}

/* layout_own of other values than one count. Out of line: layout_own then saves no registers. */
__attribute__((noinline)) static double
own_of_columns(const struct picture *p, uint32_t node)
{
	double own = layout_self(p, node, 0), other;

	if (p->widths == WIDTHS_MAX && (other = layout_self(p, node, 1)) > own)
		own = other;
	if (p->widths == WIDTHS_SUM)
		for (unsigned k = 1; k < p->ncolumn; k++)
			own += layout_self(p, node, k);
	return own;
}

double
layout_own(const struct picture *p, uint32_t node)
{
	uint64_t cell = p->tree->self[p->column[0]].cell[node];

	if (p->widths != WIDTHS_FIRST || (cell & VALUE_WIDE) != 0)
		return own_of_columns(p, node);
	return (double)cell;
}

bool
layout_has_other(const struct picture *p, uint32_t node)
{
	for (unsigned k = 1; k < p->ncolumn; k++)
		if (value_array_has(&p->tree->self[p->column[k]], node))
			return true;
	return false;
}

/* Returns the power of ten that makes every value an integer. */
static uint64_t
whole_scale(const struct picture *p)
{
	uint64_t scale = 1;

	for (unsigned k = 0; k < p->ncolumn; k++) {
		const struct value_array *self = &p->tree->self[p->column[k]];

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

static double *
widths(const struct picture *p)
{
	const struct calltree_node *node = p->tree->node;
	double *width = layout_by_node(p->tree, sizeof *width);

	for (uint32_t s = 0; s < p->nstack; s++)
		width[p->stack[s]] = layout_own(p, p->stack[s]);
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

	memset(most, (int)p->ncolumn, t->nnode);
	for (unsigned k = 0; k < p->ncolumn; k++) {
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
		if (layout_self(p, i, (unsigned)p->noise) == 0)
			real[i] += layout_self(p, i, 1) - layout_self(p, i, 0);
		is_quiet[i] = real[i] * (p->head[i] - p->base[i]) <= 0;
		if (i != CALLTREE_ROOT)
			real[t->node[i].parent] += real[i];
	}
	free(real);
	return is_quiet;
}

double
layout_steepness(const struct picture *p, uint32_t node)
{
	if (p->quiet != NULL && p->quiet[node])
		return 0;
	return fabs(layout_self(p, node, 1) - layout_self(p, node, 0));
}

value
layout_total(const struct picture *p)
{
	return p->options->total > p->sum[0] ? p->options->total : p->sum[0];
}

value
layout_profile_total(const struct picture *p)
{
	value profile_total = layout_total(p);

	if (p->widths == WIDTHS_SUM)
		for (unsigned k = 1; k < p->ncolumn; k++)
			profile_total = value_sum(profile_total, p->sum[k]);
	return profile_total;
}

static int
by_weight(const void *a, const void *b, void *picture)
{
	const struct picture *p = picture;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t first = p->rank[p->tree->node[x].name], second = p->rank[p->tree->node[y].name];

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
		qsort_r(child, n, sizeof *child, by_weight, p);
		node[parent].child = child[0];
		for (uint32_t i = 0; i < n; i++)
			node[child[i]].next = i + 1 < n ? child[i + 1] : 0;
	}
	free(child);
}

double
layout_percent(const struct picture *p, value v)
{
	value profile_total = layout_total(p);

	return profile_total > 0 ? 100 * value_double(v) / value_double(profile_total) : 0;
}

void
layout_figure(const struct picture *p, unsigned k, struct text *b, value v)
{
	if (p->options->factor == 1)
		unit_value(b, p->unit[k], v);
	else
		unit_figure(b, p->unit[k], value_double(v) * p->options->factor);
}

/* Appends the total of one column of a differential. */
static void
add_side(const struct picture *p, unsigned k, struct text *b)
{
	text_printf(b, "%s ", p->columns.name[p->column[k]]);
	layout_figure(p, k, b, p->sum[k]);
}

void
layout_heading(const struct picture *p, struct text *b)
{
	const struct options *o = p->options;
	double base, head;

	if (p->mode != MODE_DIFFERENTIAL) {
		if (o->factor != 1)
			unit_figure(
			    b, p->unit[0], value_double(layout_profile_total(p)) * o->factor);
		else if (o->countname != NULL)
			unit_value(b, p->unit[0], layout_profile_total(p));
		else
			unit_whole(b, p->unit[0], &p->columns.period[p->column[0]],
			    layout_profile_total(p));
		return;
	}
	base = value_double(p->sum[0]);
	head = value_double(p->sum[1]);
	add_side(p, 0, b);
	text_puts(b, " \xe2\x86\x92 ");
	add_side(p, 1, b);
	if (base > 0) {
		text_puts(b, " (");
		unit_change(b, 100 * (head - base) / base, 2);
		text_puts(b, " %)");
	}
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
	const uint64_t *first = p->tree->self[p->column[0]].cell;
	uint32_t cap = 0, nnode = p->tree->nnode;
	bool one = p->ncolumn == 1;

	for (uint32_t i = 1; i < nnode; i++) {
		if (first[i] == 0 && (one || !layout_has_other(p, i)))
			continue;
		vec_fit(p->stack, cap, p->nstack + 1);
		p->stack[p->nstack++] = i;
	}
}

/* Sums a drawn column, which only the root and the stacks have. */
static value
sum(const struct picture *p, unsigned k)
{
	const struct value_array *self = &p->tree->self[p->column[k]];
	value counts = 0, all;

	for (uint32_t s = 0; s <= p->nstack; s++) {
		uint64_t cell = self->cell[s < p->nstack ? p->stack[s] : CALLTREE_ROOT];

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

	p->nested = calltree_is_nested(p->tree, &p->deepest);
	if (p->nested)
		return;
	while ((node = calltree_next(p->tree, node, &depth)) != CALLTREE_ROOT)
		if (depth > p->deepest)
			p->deepest = depth;
}

void
layout(struct picture *p)
{
	double total;

	p->exact = p->mode == MODE_DIFFERENTIAL && changes_exact(p);
	if (p->mode == MODE_DIFFERENTIAL)
		changes_mark(p);
	list_stacks(p);
	for (unsigned k = 0; k < p->ncolumn; k++)
		p->sum[k] = sum(p, k);
	waits_find(p);
	p->scale = whole_scale(p);
	p->width = widths(p);
	p->profile_total = p->width[CALLTREE_ROOT];
	if (p->options->order == ORDER_WEIGHT)
		order_by_weight(p);
	find_shape(p);
	if (p->mode == MODE_DIFFERENTIAL) {
		p->base = layout_totals(p, 0);
		p->head = layout_totals(p, 1);
		if (p->noise >= 0)
			p->quiet = quiet(p);
		p->steepest = 0;
		for (uint32_t i = 0; i < p->tree->nnode; i++)
			p->steepest = fmax(p->steepest, layout_steepness(p, i));
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
