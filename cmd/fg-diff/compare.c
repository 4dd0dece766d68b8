/*
 * compare: joins the sums by name of two sides into rows with verdicts.
 */
#include "fg-diff/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fg-diff/align.h"
#include "fg-diff/scriptrows.h"
#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/unit.h"

#define MARGINAL 0.95
#define FIRST 64 /* rows that are found without sorting all */
#define SHARED 0.01 /* minimum common growth of all functions to report */

/*
 * True if all runs of a side, from the column `first` on, have exactly equal values: then they are
 * not samples, so noise cannot be estimated from them.
 */
static bool
runs_agree(const struct comparison *c, unsigned first, unsigned runs)
{
	for (size_t i = 0; i < c->n; i++)
		for (unsigned r = 1; r < runs; r++)
			if (c->self[i * c->runs + first] != c->self[i * c->runs + first + r])
				return false;
	return true;
}

static void
choose_noise(struct comparison *c)
{
	const struct side *base = c->side[0], *head = c->side[1];
	enum folded_values values = folded_values_join(side_values(base), side_values(head));
	bool agree = runs_agree(c, 0, base->runs) && runs_agree(c, base->runs, head->runs);
	unsigned runs = base->runs + head->runs;

	c->inexact = values == FOLDED_EXACT && !agree;
	if (agree && (values == FOLDED_EXACT || runs >= 3))
		c->noise.kind = NOISE_NONE;
	else if (values == FOLDED_UNKNOWN && runs == 2 && c->noise.nhistory < 2 &&
		 c->noise.period == 0)
		c->noise.kind = NOISE_UNKNOWN;
	else
		c->noise.kind = NOISE_RUNS;
}

/* Row of a number of a `spent`, which has a value. */
static uint32_t
row_named(const struct comparison *c, const struct spent *spent, size_t number)
{
	const struct calltree_name *name;

	if (c->by == BY_FUNCTION)
		return c->row_of[number];
	name = &spent->names->name[number];
	return calltree_find(c->names, name->s, name->len) - 1;
}

/* Moves the sums of each run of a side into its columns of the matrix. */
static void
fill(struct comparison *c, double *matrix, unsigned first, const struct spent *spent,
    struct value_array *sums, const struct side *side)
{
	for (unsigned r = 0; r < side->runs; r++) {
		for (size_t i = 1; i < sums[r].n; i++)
			if (value_array_has(&sums[r], i))
				matrix[(size_t)row_named(c, spent, i) * c->runs + first + r] +=
				    value_array_double(&sums[r], i);
		value_array_free(&sums[r]);
	}
}

/*
 * Returns by row the part of the values of both sides that is time in the kernel; the caller frees
 * it. values: rows of all runs. NULL: there is none, or a side has several runs.
 */
static double *
kernel_parts(
    const struct comparison *c, const struct comparing *how, const double *values, bool of_totals)
{
	const struct side *side[] = {how->base, how->head};
	double *part;

	if (how->base->runs + how->head->runs > 2 ||
	    how->base->spent[how->which].kernel_self.n +
		    how->head->spent[how->which].kernel_self.n ==
		0)
		return NULL;
	part = cli_alloc(c->n, sizeof *part);
	for (int k = 0; k < 2; k++) {
		const struct spent *spent = &side[k]->spent[how->which];
		const struct value_array *kernel =
		    of_totals ? &spent->kernel_total : &spent->kernel_self;

		for (size_t i = 1; i < kernel->n; i++) {
			if (value_array_has(kernel, i))
				part[row_named(c, spent, i)] += value_array_double(kernel, i);
		}
	}
	for (size_t i = 0; i < c->n; i++) {
		double both = values[i * c->runs] + values[i * c->runs + 1];

		part[i] = both > 0 ? fmin(part[i] / both, 1) : 0;
	}
	return part;
}

/* The mean weight of one sample by the sizes of blocks; 0 if these are not known. */
static double
block_weight(const struct side *const side_of[2])
{
	double sum = 0, weighed = 0;

	for (int k = 0; k < 2; k++) {
		const struct side *side = side_of[k];

		if (!side->weighs)
			return 0;
		for (unsigned r = 0; r < side->runs; r++)
			sum += value_double(side->run_profile_total[r]);
		weighed += value_double(side->weighed);
	}
	return sum > 0 && weighed > 0 ? weighed / sum : 0;
}

/*
 * Returns by row the weight of one of its samples over the mean of all; the caller frees it. NULL:
 * all weigh the same.
 */
static double *
grains(
    const struct comparison *c, const struct comparing *how, const double *values, bool of_totals)
{
	double *grain;

	if (c->period_source != PERIOD_BLOCKS)
		return NULL;
	grain = cli_alloc(c->n, sizeof *grain);
	for (int k = 0; k < 2; k++) {
		const struct spent *spent = &c->side[k]->spent[how->which];
		const struct value_array *weighed =
		    of_totals ? &spent->weighed_total : &spent->weighed_self;

		for (size_t i = 1; i < weighed->n; i++)
			if (value_array_has(weighed, i))
				grain[row_named(c, spent, i)] += value_array_double(weighed, i);
	}
	for (size_t i = 0; i < c->n; i++) {
		double sum = 0;

		for (unsigned r = 0; r < c->noise.nbase + c->noise.nhead; r++)
			sum += values[i * c->runs + r];
		grain[i] = sum > 0 ? grain[i] / sum / c->noise.period : 1;
	}
	return grain;
}

/* Removes the rows whose names do not match; returns the new number. of_row: two each, or NULL. */
static size_t
keep_only(const struct pattern *only, struct comparison *c, double *self, double *total,
    double *const of_row[4], unsigned runs)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!pattern_find(only, c->row[i].name->s, 0, c->row[i].name->len, NULL, 0))
			continue;
		c->row[kept].name = c->row[i].name;
		if (c->noise.reference != NULL)
			c->noise.reference[kept] = c->noise.reference[i];
		for (int k = 0; k < 4; k++)
			if (of_row[k] != NULL)
				of_row[k][kept] = of_row[k][i];
		memmove(self + kept * runs, self + i * runs, runs * sizeof *self);
		memmove(total + kept * runs, total + i * runs, runs * sizeof *total);
		kept++;
	}
	return kept;
}

/* Adds a row for each function that the tree of a side has, in canonical order. */
static void
add_rows(struct comparison *c, const struct side *side, uint32_t *name)
{
	uint32_t node = CALLTREE_ROOT, depth = 0, root = 0;

	while ((node = calltree_next(side->tree, node, &depth)) != CALLTREE_ROOT) {
		uint32_t function = side->names.function[side->tree->node[node].name];

		if (scriptrows_hides(c->scripts, function, depth, &root) ||
		    c->row_of[function] != COMPARE_NO_ROW)
			continue;
		c->row_of[function] = (uint32_t)c->n;
		name[c->n++] = function;
	}
}

/* Makes a row for each name of any side, with the values of each run. */
static void
gather(struct comparison *c, const struct comparing *how, double **total)
{
	const struct side *side[] = {how->base, how->head, how->history};
	uint32_t nname, *name; /* name: by row */
	const struct calltree *names;
	unsigned first = 0;

	names = how->base->identity->functions;
	if (c->by != BY_FUNCTION) {
		names = c->names = calltree_new(0);
		for (int k = 0; k < 3 && side[k] != NULL; k++) {
			const struct calltree *own = side[k]->spent[how->which].names;

			for (uint32_t i = 1; i < own->nname; i++)
				calltree_intern(c->names, own->name[i].s, own->name[i].len);
		}
	}
	nname = names->nname;
	name = cli_alloc(nname, sizeof *name);
	if (c->by == BY_FUNCTION) {
		c->row_of = cli_alloc(nname, sizeof *c->row_of);
		memset(c->row_of, 0xff, nname * sizeof *c->row_of);
		for (int k = 0; k < 3 && side[k] != NULL; k++)
			add_rows(c, side[k], name);
	} else {
		for (uint32_t i = 1; i < nname; i++)
			name[c->n++] = i;
	}
	for (int k = 0; k < 3 && side[k] != NULL; k++)
		c->runs += side[k]->runs;
	c->run_profile_total = cli_alloc(c->runs, sizeof *c->run_profile_total);
	c->self = cli_alloc(c->n, c->runs * sizeof *c->self);
	*total = cli_alloc(c->n, c->runs * sizeof **total);
	for (int k = 0; k < 3 && side[k] != NULL; first += side[k++]->runs) {
		const struct spent *spent = &side[k]->spent[how->which];

		fill(c, c->self, first, spent, spent->self, side[k]);
		fill(c, *total, first, spent, spent->total, side[k]);
		for (unsigned r = 0; r < side[k]->runs; r++)
			c->run_profile_total[first + r] =
			    value_double(side[k]->run_profile_total[r]);
	}
	/* here the values of the sides are freed */
	c->row = cli_alloc(c->n, sizeof *c->row);
	for (size_t i = 0; i < c->n; i++)
		c->row[i].name = &names->name[name[i]];
	free(name);
}

/* True if the values of all stacks are integers. */
static bool
are_counts(const struct side *side)
{
	const struct value_array *self = &side->tree->self[side->picked];

	for (uint32_t node = 1; node < side->tree->nnode; node++)
		if (!value_array_whole(self, node))
			return false;
	return true;
}

/* Returns the weight of one sample: from blocks, or the headers or the stacks of both sides. */
static double
sample_weight(const struct side *base, const struct side *head, enum period_source *source)
{
	const struct side *const side[] = {base, head};
	struct period_stacks stacks = {0};
	const struct calltree_name *name;
	double header[2], total = 0, weight;
	struct align_pair pair;
	struct align align;
	uint32_t depth;
	bool counts;

	weight = block_weight(side);
	if (weight > 0) {
		*source = PERIOD_BLOCKS;
		return weight;
	}
	for (int k = 0; k < 2; k++) {
		header[k] = folded_sample_weight(&side[k]->folded.columns, side[k]->picked);
		total = fmax(total, value_double(side[k]->profile_total) / side[k]->runs);
	}
	counts = (header[0] <= 0 || header[1] <= 0) && are_counts(base) && are_counts(head);
	weight = period_given(header, total, counts, source);
	if (weight > 0)
		return weight;
	side_align(&align, base, head);
	while (align_next(&align, &pair, &depth, &name)) {
		for (int k = 0; k < 2; k++) {
			value_array_resize(&stacks.side[k], stacks.n + 1);
			if (pair.node[k] != CALLTREE_ROOT)
				value_array_carry(&stacks.side[k], stacks.n,
				    &side[k]->tree->self[side[k]->picked], pair.node[k]);
		}
		stacks.n++;
	}
	align_end(&align);
	weight = period_find(header, total, &stacks, source);
	for (int k = 0; k < 2; k++)
		value_array_free(&stacks.side[k]);
	return weight;
}

/* Judges the self values or the totals of all rows; the arguments are those of noise_judge. */
static void
judge_rows(struct comparison *c, bool totals, const bool *reference, const double *kernel)
{
	const double *values = totals ? c->total : c->self;
	struct change **tested = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct change **to = totals ? &c->row[i].total : &c->row[i].self;
		struct change change;

		if (!noise_judge_row(&c->noise, values + i * c->runs,
			reference != NULL && reference[i], kernel != NULL ? kernel[i] : 0,
			noise_grain(&c->noise, i), &change)) {
			*to = changeset_add(&c->changes, &change);
			continue;
		}
		vec_fit(tested, cap, n + 1);
		*to = tested[n++] = changeset_own(&c->changes, &change);
	}
	noise_judge_family(&c->noise, tested, n);
	free(tested);
}

struct comparison *
compare_sides(const struct comparing *how)
{
	const struct side *base = how->base, *head = how->head;
	struct comparison *c = cli_alloc(1, sizeof *c);
	double *of_row[4], **kernel = of_row, **grain = of_row + 2, weight = how->noise.period;

	c->by = base->spent[how->which].by;
	c->scripts = base->spent[how->which].scripts;
	c->side[0] = base;
	c->own = how->own;
	c->order = cli_alloc(2, sizeof *c->order);
	c->side[1] = head;
	c->unit = base->folded.columns.unit[base->picked];
	if (c->unit == NULL)
		c->unit = head->folded.columns.unit[head->picked];
	if (weight == 0) /* before the rows, which need much memory, too */
		weight = sample_weight(base, head, &c->period_source);
	gather(c, how, &c->total);
	c->noise = how->noise;
	c->noise.nbase = base->runs;
	c->noise.nhead = head->runs;
	c->noise.nhistory = how->history != NULL ? how->history->runs : 0;
	c->noise.profile_total = c->run_profile_total;
	c->noise.absolute = unit_is_memory(c->unit);
	if (c->noise.kind == NOISE_AUTO)
		choose_noise(c);
	c->noise.period = weight;
	grain[0] = grains(c, how, c->self, false);
	grain[1] = grains(c, how, c->total, true);
	c->noise.grain = grain[0];
	noise_fit(&c->noise, c->self, c->n);
	kernel[0] = kernel_parts(c, how, c->self, false);
	kernel[1] = kernel_parts(c, how, c->total, true);
	if (how->only != NULL) {
		c->n = keep_only(how->only, c, c->self, c->total, of_row, c->runs);
		c->only = true;
	}
	judge_rows(c, false, c->noise.reference, kernel[0]);
	for (size_t i = 0; i < c->n; i++)
		c->tested += c->row[i].self->verdict != VERDICT_SMALL;
	c->noise.grain = grain[1];
	judge_rows(c, true, NULL, kernel[1]);
	c->noise.grain = NULL;
	c->profile_total = noise_profile_total(&c->noise, how->allowed, &c->profile_total_limit);
	for (int k = 0; k < 4; k++)
		free(of_row[k]);
	return c;
}

const struct row *
compare_function(const struct comparison *c, uint32_t function)
{
	return c->row_of[function] != COMPARE_NO_ROW ? &c->row[c->row_of[function]] : NULL;
}

double
compare_scaled(const struct comparison *c, int k, uint32_t node)
{
	const struct side *side = c->side[k];

	if (node == CALLTREE_ROOT)
		return 0;
	return value_array_double(&side->tree->self[side->picked], node) / side->runs /
	       c->noise.size[k];
}

const char *
compare_row_name(const struct comparison *c)
{
	return c->by == BY_FUNCTION ? "function" : c->by == BY_MODULE ? "module" : "stack";
}

double
change_own(const struct comparison *c, const struct change *change)
{
	return change == &c->profile_total ? change->head - change->base
					   : noise_own(&c->noise, change);
}

double
change_of_total(const struct comparison *c, const struct change *x)
{
	double whole = c->profile_total.base;

	return whole > 0 ? 100 * (x->head - x->base) / whole : INFINITY;
}

double
change_shared(const struct comparison *c)
{
	const struct noise *n = &c->noise;
	double growth = n->size[1] / n->size[0] - 1;

	return noise_is_modelled(n) && !n->shares && n->scaled && fabs(growth) >= SHARED ? growth
											 : 0;
}

double
change_percent(const struct comparison *c, const struct change *x)
{
	double change = change_shared(c) != 0 ? change_own(c, x) : x->head - x->base;

	return x->base > 0 ? 100 * change / x->base : change > 0 ? INFINITY : 0;
}

/* Extends an interval so that it contains the measured change printed beside it. */
static struct interval
around(const struct comparison *c, const struct change *x, struct interval i)
{
	double percent = change_percent(c, x);

	return (struct interval){fmin(i.low, percent), fmax(i.high, percent)};
}

struct interval
change_interval(const struct comparison *c, const struct change *x)
{
	if (x == &c->profile_total)
		return around(
		    c, x, noise_profile_total_interval(&c->noise, x, c->noise.confidence));
	return around(c, x, noise_simultaneous(&c->noise, x));
}

struct interval
change_marginal(const struct comparison *c, const struct change *x)
{
	if (x == &c->profile_total)
		return around(c, x, noise_profile_total_interval(&c->noise, x, MARGINAL));
	return noise_marginal(&c->noise, x, MARGINAL);
}

void
compare_free(struct comparison *c)
{
	if (c == NULL)
		return;
	noise_free(&c->noise);
	calltree_free(c->names);
	free(c->row_of);
	free(c->row);
	changeset_free(&c->changes);
	free(c->run_profile_total);
	free(c->self);
	free(c->total);
	free(c->order[0].row);
	free(c->order[1].row);
	free(c->order);
	free(c);
}

/* A key that sorts significant changes first, then by size: a larger double has larger bits. */
static uint64_t
sort_key(const struct change *x)
{
	double size = fabs(x->head - x->base);
	uint64_t bits;

	memcpy(&bits, &size, sizeof bits);
	return (x->verdict != VERDICT_REAL ? UINT64_C(1) << 63 : 0) | (~bits & INT64_MAX);
}

/* Returns the rows in the order of their names; the caller frees it. */
static struct radix *
rows_by_name(const struct comparison *c)
{
	const struct calltree *names =
	    c->by == BY_FUNCTION ? c->side[0]->identity->functions : c->names;
	struct radix *item = cli_alloc(c->n, sizeof *item);
	uint32_t *rank = calltree_ranks(names);

	for (size_t i = 0; i < c->n; i++)
		item[i] = (struct radix){rank[c->row[i].name - names->name], i};
	radix_sort(item, c->n);
	free(rank);
	return item;
}

static void
sort_rows(const struct comparison *c)
{
	struct radix *by_name = rows_by_name(c), *item = cli_alloc(c->n, sizeof *item);

	for (int total = 0; total < 2; total++) {
		struct row_order *order = &c->order[total];

		free(order->row);
		*order = (struct row_order){cli_alloc(c->n, sizeof *order->row), c->n};
		for (size_t i = 0; i < c->n; i++) {
			const struct row *row = &c->row[by_name[i].value];

			item[i] =
			    (struct radix){sort_key(row_change(c, row, total)), by_name[i].value};
		}
		radix_sort(item, c->n);
		for (size_t i = 0; i < c->n; i++)
			order->row[i] = (uint32_t)item[i].value;
	}
	free(by_name);
	free(item);
}

/* Compares rows by their changes' keys, then by name. */
static int
compare_rows(const struct comparison *c, const struct radix *a, const struct radix *b)
{
	const struct calltree_name *x = c->row[a->value].name, *y = c->row[b->value].name;

	return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
				: calltree_compare_names(x, y);
}

/* Finds the first rows by insertion: most reports show few. */
static void
sort_first(const struct comparison *c, bool total)
{
	struct row_order *order = &c->order[total];
	struct radix first[FIRST];
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct radix x = {sort_key(row_change(c, &c->row[i], total)), i};
		size_t at;

		if (n == FIRST && compare_rows(c, &x, &first[n - 1]) > 0)
			continue;
		for (at = n < FIRST ? n++ : n - 1; at > 0; at--) {
			if (compare_rows(c, &x, &first[at - 1]) > 0)
				break;
			first[at] = first[at - 1];
		}
		first[at] = x;
	}
	order->row = cli_alloc(FIRST, sizeof *order->row);
	for (size_t i = 0; i < n; i++)
		order->row[i] = (uint32_t)first[i].value;
	order->n = FIRST;
}

const uint32_t *
compare_order(const struct comparison *c, bool by_total, size_t most)
{
	const struct row_order *order = &c->order[by_total];

	if (most == 0)
		most = SIZE_MAX;
	if (order->row != NULL && (order->n >= most || order->n >= c->n))
		return order->row;
	if (most <= FIRST)
		sort_first(c, by_total);
	else
		sort_rows(c);
	return order->row;
}
