/*
 * weight: two sides' trees go in, what one sample weighs comes out.
 *
 * Where the files do not say it, a divisor of all values may be it, or else how much
 * both sides differ: of samples that weigh w, the squared difference of two values over
 * their sum is w in the mean (as the dispersion that Anders and Huber, "Differential
 * expression analysis for sequence count data", 2010, estimate without replicates). Half of
 * all stacks may have changed without moving the median.
 */
#include "fg-diff/period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-diff/align.h"
#include "fg-diff/stats.h"

#define SAMPLES_MAX 1e7 /* of a recording: a whole above it is no count */
#define DIVISOR_MIN 100 /* a smaller one may be chance */
#define DIVISOR_STACKS 8 /* as is that of fewer stacks */
#define PAIRS_MIN 20 /* stacks on both sides that tell how both differ */
#define SAMPLES_MIN 1000 /* a whole has at least so many, when that is to be guessed */
#define MICRO (VALUE_ONE / 1000000) /* divisors are looked for in millionths */
#define CHI2_MEDIAN 0.4549 /* of one degree of freedom */

/* What a side's files say. */
static double
header_weight(const struct side *side)
{
	const char *unit = side->folded.columns.unit[side->picked];
	const struct folded_period *period = &side->folded.columns.period[side->picked];

	if (unit != NULL && strcmp(unit, FOLDED_SAMPLES) == 0)
		return 1;
	if (unit == NULL || period->mixed || period->unit == NULL ||
	    strcmp(unit, period->unit) != 0)
		return 0;
	return value_double(period->number);
}

static int
compare_values(const void *a, const void *b)
{
	value x = *(const value *)a, y = *(const value *)b;

	return (x > y) - (x < y);
}

/* All values of both sides, sorted, none of them 0. */
static value *
all_values(const struct side *sides[2], size_t *n)
{
	value *v = cli_alloc((size_t)sides[0]->tree->nnode + sides[1]->tree->nnode, sizeof *v);

	*n = 0;
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < sides[k]->tree->nnode; i++)
			if ((v[*n] = calltree_self(sides[k]->tree, i, sides[k]->picked)) != 0)
				(*n)++;
	qsort(v, *n, sizeof *v, compare_values);
	return v;
}

static value
divisor_of(const value *v, size_t n)
{
	value divisor = 0;

	for (size_t i = 0; i < n; i++) {
		value a = v[i] / MICRO, b = divisor;

		while (b != 0) {
			value rest = a % b;

			a = b;
			b = rest;
		}
		divisor = a;
	}
	return divisor * MICRO;
}

/* From how stacks differ that both sides have; 0 where too few have. */
static double
estimate(const struct side *sides[2])
{
	const struct calltree_name *name;
	struct align_pair pair;
	struct align align;
	uint32_t depth;
	size_t n = 0, cap = 0;
	double *b = NULL, *h = NULL, *x, ratio, weight;

	side_align(&align, sides[0], sides[1]);
	while (align_next(&align, &pair, &depth, &name)) {
		value v[2];

		for (int k = 0; k < 2; k++)
			v[k] = pair.node[k] != CALLTREE_ROOT
				   ? calltree_self(sides[k]->tree, pair.node[k], sides[k]->picked)
				   : 0;
		if (v[0] == 0 || v[1] == 0)
			continue;
		if (n == cap) {
			cap = cap != 0 ? 2 * cap : 1024;
			b = cli_realloc(b, cap, sizeof *b);
			h = cli_realloc(h, cap, sizeof *h);
		}
		b[n] = value_double(v[0]);
		h[n++] = value_double(v[1]);
	}
	align_end(&align);
	if (n < PAIRS_MIN) {
		free(b);
		free(h);
		return 0;
	}
	x = cli_alloc(n, sizeof *x);
	for (size_t i = 0; i < n; i++)
		x[i] = log(b[i] / h[i]);
	ratio = exp(stats_median(x, n));
	for (size_t i = 0; i < n; i++)
		x[i] = pow(b[i] - h[i] * ratio, 2) / (b[i] + h[i] * ratio * ratio);
	weight = stats_median(x, n) / CHI2_MEDIAN;
	free(b);
	free(h);
	free(x);
	return weight;
}

double
period_of(const struct side *base, const struct side *head, enum period_source *source)
{
	const struct side *sides[2] = {base, head};
	double said[2] = {header_weight(base), header_weight(head)}, weight, d, smallest;
	double whole =
	    fmax(value_double(base->whole) / base->runs, value_double(head->whole) / head->runs);
	bool counts = true;
	value *v, divisor;
	size_t n;

	*source = PERIOD_HEADER;
	if (said[0] > 0 && said[1] > 0)
		return fmax(said[0], said[1]);
	v = all_values(sides, &n);
	for (size_t i = 0; i < n && counts; i++)
		counts = v[i] % VALUE_ONE == 0;
	smallest = n > 0 ? value_double(v[n / 10]) : 1;
	divisor = divisor_of(v, n);
	free(v);

	weight = value_double(divisor);
	if (counts && whole <= SAMPLES_MAX) {
		*source = PERIOD_COUNTS;
		return 1;
	}
	if (weight >= (counts ? DIVISOR_MIN : DIVISOR_MIN * 1e-6) &&
	    whole / weight <= SAMPLES_MAX && n >= DIVISOR_STACKS) {
		*source = PERIOD_DIVISOR;
		return weight;
	}
	d = estimate(sides);
	*source = d > 0 ? PERIOD_ESTIMATED : PERIOD_SMALLEST;
	weight = fmin(smallest, whole / SAMPLES_MIN);
	if (d > 0)
		weight = fmin(weight, d);
	weight = fmax(weight, whole / SAMPLES_MAX);
	return counts ? fmax(weight, 1) : weight;
}
