/*
 * compare: two sides' sums by name go in, rows with verdicts come out.
 */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define FEW 20 /* stacks: with fewer a common divisor may be chance */
#define LIKELY 1000 /* a divisor that is none */
#define WEIGHTS 100 /* samples that the 10 % smallest stacks of counts have fewer of */

/* Columns that simulators count: callgrind's events, and what they are added up to. */
static const char *const exact_columns[] = {"instruction", "cache", "memory", "Ir", "Dr", "Dw",
    "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim", NULL};

static bool
exact_column(const struct side *side)
{
	const char *name = side->folded.columns.name[side->picked];

	for (const char *const *c = exact_columns; name != NULL && *c != NULL; c++)
		if (strcmp(name, *c) == 0)
			return true;
	return false;
}

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
	if (exact_column(base) && exact_column(head))
		return NOISE_NONE;
	if (base->runs + head->runs < 3)
		return NOISE_COUNTS;
	return runs_agree(base, which) && runs_agree(head, which) ? NOISE_NONE : NOISE_RUNS;
}

static int
compare_values(const void *a, const void *b)
{
	value x = *(const value *)a, y = *(const value *)b;

	return (x > y) - (x < y);
}

/*
 * Where values are periods, one sample weighs what all values are multiples of; where
 * periods vary there is no such number, and the median stack, which mostly was
 * sampled once, stands for it.
 */
static double
guess_period(const struct side *base, const struct side *head, enum period_source *source)
{
	const struct side *sides[] = {base, head};
	size_t n = 0;
	value *v = cli_alloc((size_t)base->tree->nnode + head->tree->nnode, sizeof *v), divisor = 0;
	double period = 1;

	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < sides[k]->tree->nnode; i++) {
			value a = calltree_self(sides[k]->tree, i, sides[k]->picked), b = divisor;

			if (a == 0)
				continue;
			v[n++] = a;
			while (b != 0) {
				value rest = a % b;

				a = b;
				b = rest;
			}
			divisor = a;
		}
	qsort(v, n, sizeof *v, compare_values);
	*source = PERIOD_DIVISOR;
	if (n >= FEW && v[n / 10] / divisor > WEIGHTS) {
		period = value_double(v[n / 2]);
		*source = PERIOD_MEDIAN;
	} else if (n > 0 && (n >= FEW || divisor >= value_of(LIKELY))) {
		period = value_double(divisor);
	}
	free(v);
	return period;
}

/* Put a side's sums of each run into its columns of the matrix. */
static void
fill(double *matrix, unsigned runs, unsigned first, const struct value_array *sums,
    const struct side *side, const uint32_t *row)
{
	for (unsigned r = 0; r < side->runs; r++)
		for (size_t i = 1; i < sums[r].n; i++)
			if (value_array_has(&sums[r], i))
				matrix[(size_t)row[i] * runs + first + r] =
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
gather(struct comparison *c, const struct side *sides[2], unsigned which, double **self,
    double **total)
{
	unsigned runs = sides[0]->runs + sides[1]->runs;
	uint32_t *row[2];

	c->names = calltree_new(0);
	for (int k = 0; k < 2; k++) {
		const struct calltree *from = sides[k]->spent[which].names;

		row[k] = cli_alloc(from->nname, sizeof *row[k]);
		for (uint32_t i = 1; i < from->nname; i++)
			row[k][i] =
			    calltree_intern(c->names, from->name[i].s, from->name[i].len) - 1;
	}
	c->n = c->names->nname - 1;
	c->row = cli_alloc(c->n, sizeof *c->row);
	for (size_t i = 0; i < c->n; i++)
		c->row[i].name = &c->names->name[i + 1];
	c->run_whole = cli_alloc(runs, sizeof *c->run_whole);
	*self = cli_alloc(c->n, runs * sizeof **self);
	*total = cli_alloc(c->n, runs * sizeof **total);
	for (int k = 0; k < 2; k++) {
		unsigned first = k == 0 ? 0 : sides[0]->runs;

		fill(*self, runs, first, sides[k]->spent[which].self, sides[k], row[k]);
		fill(*total, runs, first, sides[k]->spent[which].total, sides[k], row[k]);
		for (unsigned r = 0; r < sides[k]->runs; r++)
			c->run_whole[first + r] = value_double(sides[k]->run_whole[r]);
		free(row[k]);
	}
}

struct comparison *
compare_sides(const struct side *base, const struct side *head, unsigned which,
    const struct noise *noise, const struct pattern *only)
{
	struct comparison *c = cli_alloc(1, sizeof *c);
	struct change *change;
	double *self, *total;

	c->by = base->spent[which].by;
	gather(c, (const struct side *[]){base, head}, which, &self, &total);
	c->noise = *noise;
	c->noise.nbase = base->runs;
	c->noise.nhead = head->runs;
	c->noise.whole = c->run_whole;
	if (c->noise.kind == NOISE_AUTO)
		c->noise.kind = choose_noise(base, head, which);
	if (c->noise.period == 0)
		c->noise.period = guess_period(base, head, &c->period_source);
	noise_fit(&c->noise, self, c->n);
	if (only != NULL)
		c->n = keep_only(only, c, self, total, base->runs + head->runs);
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

void
compare_free(struct comparison *c)
{
	if (c == NULL)
		return;
	calltree_free(c->names);
	free(c->row);
	free(c->run_whole);
	free(c);
}

static int
compare_rows(const void *a, const void *b, void *by_total)
{
	const struct row *x = a, *y = b;
	const struct change *p = by_total ? &x->total : &x->self,
			    *q = by_total ? &y->total : &y->self;
	double d = fabs(p->head - p->base), e = fabs(q->head - q->base);

	if ((p->verdict == VERDICT_REAL) != (q->verdict == VERDICT_REAL))
		return p->verdict == VERDICT_REAL ? -1 : 1;
	if (d != e)
		return d > e ? -1 : 1;
	return strcmp(x->name->s, y->name->s);
}

void
compare_sort(struct comparison *c, bool by_total)
{
	qsort_r(c->row, c->n, sizeof *c->row, compare_rows, by_total ? c : NULL);
}
