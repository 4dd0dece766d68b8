/*
 * compare: two sides' sums by name go in, rows with verdicts come out.
 */
#include "fg-diff/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fg-diff/align.h"
#include "base/cli.h"
#include "base/vec.h"
#include "profile/funcname.h"

/* Several runs that agree in every function to the last place are no samples. */
static bool
runs_agree(const struct side *side, unsigned which)
{
	const struct value_array *self = side->spent[which].self;

	for (unsigned r = 1; r < side->runs; r++)
		for (size_t i = 0; i < self[0].n || i < self[r].n; i++)
			if ((i < self[0].n ? value_array_get(&self[0], i) : 0) !=
			    (i < self[r].n ? value_array_get(&self[r], i) : 0))
				return false;
	return true;
}

static enum noise_kind
choose_noise(const struct side *base, const struct side *head, unsigned which)
{
	if (side_is_exact(base) && side_is_exact(head))
		return NOISE_NONE;
	if (base->runs + head->runs >= 3 && runs_agree(base, which) && runs_agree(head, which))
		return NOISE_NONE;
	return NOISE_RUNS;
}

/* Put a side's sums of each run into its columns of the matrix. */
static void
fill(double *matrix, unsigned runs, unsigned first, const struct value_array *sums,
    const struct side *side, const uint32_t *row)
{
	for (unsigned r = 0; r < side->runs; r++)
		for (size_t i = 1; i < sums[r].n; i++)
			if (value_array_has(&sums[r], i))
				matrix[(size_t)row[i] * runs + first + r] +=
				    value_double(value_array_get(&sums[r], i));
}

/* Keep the rows whose names match. */
static size_t
keep_only(
    const struct pattern *only, struct comparison *c, double *self, double *total, unsigned runs)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!pattern_find(only, c->row[i].name->s, 0, c->row[i].name->len, NULL, 0))
			continue;
		c->row[kept].name = c->row[i].name;
		memmove(self + kept * runs, self + i * runs, runs * sizeof *self);
		memmove(total + kept * runs, total + i * runs, runs * sizeof *total);
		kept++;
	}
	return kept;
}

/* A row for each name of either side, and in it what each run spent, base's first. */
static void
gather(struct comparison *c, unsigned which, double **self, double **total)
{
	unsigned runs = c->side[0]->runs + c->side[1]->runs;
	uint32_t *row[2];

	c->names = calltree_new(0);
	for (int k = 0; k < 2; k++) {
		const struct calltree *from = c->side[k]->spent[which].names;

		row[k] = cli_alloc(from->nname, sizeof *row[k]);
		for (uint32_t i = 1; i < from->nname; i++)
			row[k][i] = calltree_intern(c->names, from->name[i].s, from->name[i].len);
	}
	c->rows = funcrows_number(c->names,
	    (const struct calltree *[]){
		c->side[0]->spent[which].names, c->side[1]->spent[which].names},
	    c->by == BY_FUNCTION);
	c->n = c->rows.n;
	c->row = cli_alloc(c->n, sizeof *c->row);
	for (size_t i = 0; i < c->n; i++)
		c->row[i].name = &c->names->name[c->rows.name[i]];
	c->run_whole = cli_alloc(runs, sizeof *c->run_whole);
	*self = cli_alloc(c->n, runs * sizeof **self);
	*total = cli_alloc(c->n, runs * sizeof **total);
	for (int k = 0; k < 2; k++) {
		unsigned first = k == 0 ? 0 : c->side[0]->runs;

		for (uint32_t i = 1; i < c->side[k]->spent[which].names->nname; i++)
			row[k][i] = c->rows.row[row[k][i]];
		fill(*self, runs, first, c->side[k]->spent[which].self, c->side[k], row[k]);
		fill(*total, runs, first, c->side[k]->spent[which].total, c->side[k], row[k]);
		for (unsigned r = 0; r < c->side[k]->runs; r++)
			c->run_whole[first + r] = value_double(c->side[k]->run_whole[r]);
		free(row[k]);
	}
}

/* The weight of one sample, from the headers or the stacks of both sides. */
static double
sample_weight(const struct side *base, const struct side *head, enum period_source *source)
{
	const struct side *side[] = {base, head};
	struct period_stack *stack = NULL;
	const struct calltree_name *name;
	double header[2], total = 0, weight;
	struct align_pair pair;
	struct align align;
	size_t n = 0, cap = 0;
	uint32_t depth;

	for (int k = 0; k < 2; k++) {
		header[k] = folded_sample_weight(&side[k]->folded.columns, side[k]->picked);
		total = fmax(total, value_double(side[k]->whole) / side[k]->runs);
	}
	side_align(&align, base, head);
	while (align_next(&align, &pair, &depth, &name)) {
		vec_fit(stack, cap, n + 1);
		for (int k = 0; k < 2; k++)
			stack[n].side[k] =
			    pair.node[k] != CALLTREE_ROOT
				? calltree_self(side[k]->tree, pair.node[k], side[k]->picked)
				: 0;
		n++;
	}
	align_end(&align);
	weight = period_find(header, total, stack, n, source);
	free(stack);
	return weight;
}

struct comparison *
compare_sides(const struct side *base, const struct side *head, unsigned which,
    const struct noise *noise, const struct pattern *only)
{
	struct comparison *c = cli_alloc(1, sizeof *c);
	struct change *change;
	double *self, *total;

	c->by = base->spent[which].by;
	c->side[0] = base;
	c->side[1] = head;
	c->unit = base->folded.columns.unit[base->picked];
	if (c->unit == NULL)
		c->unit = head->folded.columns.unit[head->picked];
	gather(c, which, &self, &total);
	c->noise = *noise;
	c->noise.nbase = base->runs;
	c->noise.nhead = head->runs;
	c->noise.whole = c->run_whole;
	if (c->noise.kind == NOISE_AUTO)
		c->noise.kind = choose_noise(base, head, which);
	if (c->noise.period == 0)
		c->noise.period = sample_weight(base, head, &c->period_source);
	noise_fit(&c->noise, self, c->n);
	if (only != NULL) {
		c->n = keep_only(only, c, self, total, base->runs + head->runs);
		c->only = true;
	}
	change = cli_alloc(c->n, sizeof *change);
	noise_judge(&c->noise, self, c->n, change);
	for (size_t i = 0; i < c->n; i++) {
		c->row[i].self = change[i];
		c->tested += change[i].verdict != VERDICT_SMALL;
	}
	noise_judge(&c->noise, total, c->n, change);
	for (size_t i = 0; i < c->n; i++)
		c->row[i].total = change[i];
	c->whole = noise_whole(&c->noise, &c->whole_limit);
	free(change);
	free(self);
	free(total);
	return c;
}

/* Looking for a name that is not there makes a number, but no row. */
static const struct row *
row_named(const struct comparison *c, uint32_t name)
{
	return name < c->rows.known && c->rows.row[name] != FUNCROWS_NONE
		   ? &c->row[c->rows.row[name]]
		   : NULL;
}

const struct row *
compare_function(struct comparison *c, const char *frame, size_t len)
{
	return row_named(c, funcname_intern(c->names, frame, len));
}

double
compare_scaled(const struct comparison *c, int k, uint32_t node)
{
	const struct side *side = c->side[k];

	if (node == CALLTREE_ROOT)
		return 0;
	return value_double(calltree_self(side->tree, node, side->picked)) / side->runs /
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
	double own = (change->scaled_mean[1] - change->scaled_mean[0]) * noise_scale(&c->noise);
	double measured = change->head - change->base;

	if (change == &c->whole || c->noise.unchanged_part < NOISE_UNCHANGED)
		return measured;
	return fabs(own) < fabs(measured) ? own : measured;
}

void
compare_free(struct comparison *c)
{
	if (c == NULL)
		return;
	noise_free(&c->noise);
	calltree_free(c->names);
	funcrows_free(&c->rows);
	free(c->row);
	free(c->run_whole);
	free(c);
}

struct sorting {
	const struct comparison *c;
	bool by_total;
};

static int
compare_rows(const void *a, const void *b, void *sorting)
{
	const struct sorting *by = sorting;
	const struct row *x = &by->c->row[*(const uint32_t *)a];
	const struct row *y = &by->c->row[*(const uint32_t *)b];
	const struct change *p = row_change(by->c, x, by->by_total);
	const struct change *q = row_change(by->c, y, by->by_total);
	double d = fabs(p->head - p->base), e = fabs(q->head - q->base);

	if ((p->verdict == VERDICT_REAL) != (q->verdict == VERDICT_REAL))
		return p->verdict == VERDICT_REAL ? -1 : 1;
	if (d != e)
		return d > e ? -1 : 1;
	return strcmp(x->name->s, y->name->s);
}

uint32_t *
compare_order(const struct comparison *c, bool by_total)
{
	uint32_t *order = cli_alloc(c->n, sizeof *order);

	for (size_t i = 0; i < c->n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, c->n, sizeof *order, compare_rows, &(struct sorting){c, by_total});
	return order;
}
