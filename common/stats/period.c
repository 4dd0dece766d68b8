/*
 * period: if the files do not state the weight of a sample, a common divisor of all values can be
 * it. Otherwise it is estimated from the differences between both sides: for samples of weight w,
 * the squared difference of two values divided by their sum has the mean w. This is the dispersion
 * that Anders and Huber, "Differential expression analysis for sequence count data" (2010),
 * estimate without replicates. The median tolerates changes in up to half of all stacks.
 */
#include "stats/period.h"

#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "stats/distribution.h"

#define SAMPLES_MAX 1e7 /* samples per recording: a larger total is not a count */
#define DIVISOR_MIN 100 /* a smaller divisor may be chance */
#define DIVISOR_STACKS 8 /* fewest stacks for a divisor: that of fewer may be chance */
#define PAIRS_MIN 20 /* fewest stacks on both sides for an estimate from their differences */
#define SAMPLES_MIN 1000 /* smallest estimated number of samples in a profile total */
#define MICRO (VALUE_ONE / 1000000) /* divisors are searched in millionths */
#define CHI2_MEDIAN 0.4549 /* median of chi squared with one degree of freedom */

/* The value that a tenth of the values of both sides, without 0, are below; 1 if there is none. */
static double
small_value(const struct period_stacks *stacks, size_t *nvalue)
{
	double *v = cli_realloc(NULL, stacks->n, 2 * sizeof *v), small, own;

	*nvalue = 0;
	for (size_t i = 0; i < stacks->n; i++)
		for (int k = 0; k < 2; k++)
			if ((own = value_array_double(&stacks->side[k], i)) != 0)
				v[(*nvalue)++] = own;
	small = *nvalue > 0 ? distribution_nth(v, *nvalue, *nvalue / 10) : 1;
	free(v);
	return small;
}

/* The greatest common divisor, in whole millionths; any below `least` may be returned as 0. */
static value
divisor_of(const struct period_stacks *stacks, value least)
{
	value divisor = 0;

	for (size_t i = 0; i < 2 * stacks->n; i++) {
		value a = value_array_get(&stacks->side[i % 2], i / 2) / MICRO, b = divisor;

		while (b != 0) {
			value rest = a % b;

			a = b;
			b = rest;
		}
		divisor = a;
		if (divisor != 0 && divisor * MICRO < least)
			return 0;
	}
	return divisor * MICRO;
}

/* The values of a stack; false if one of them is 0. */
static bool
values_of(const struct period_stacks *stacks, size_t i, double *base, double *head)
{
	*base = value_array_double(&stacks->side[0], i);
	*head = value_array_double(&stacks->side[1], i);
	return *base != 0 && *head != 0;
}

/* Weight from the differences of stacks that both sides have; 0 if they are too few. */
static double
estimate(const struct period_stacks *stacks)
{
	double *x = cli_realloc(NULL, stacks->n, sizeof *x), weight = 0, ratio, b, h;
	size_t m = 0;

	for (size_t i = 0; i < stacks->n; i++)
		if (values_of(stacks, i, &b, &h))
			x[m++] = log(b / h);
	if (m >= PAIRS_MIN) {
		ratio = exp(distribution_median(x, m));
		m = 0;
		for (size_t i = 0; i < stacks->n; i++)
			if (values_of(stacks, i, &b, &h))
				x[m++] = pow(b - h * ratio, 2) / (b + h * ratio * ratio);
		weight = distribution_median(x, m) / CHI2_MEDIAN;
	}
	free(x);
	return weight;
}

double
period_given(const double header[2], double total, bool counts, enum period_source *source)
{
	*source = PERIOD_HEADER;
	if (header[0] > 0 && header[1] > 0)
		return fmax(header[0], header[1]);
	*source = PERIOD_COUNTS;
	return counts && total <= SAMPLES_MAX ? 1 : 0;
}

double
period_find(const double header[2], double total, const struct period_stacks *stacks,
    enum period_source *source)
{
	double weight, d, smallest;
	bool counts = true;
	size_t nvalue;

	for (size_t i = 0; i < 2 * stacks->n && counts; i++)
		counts = value_array_whole(&stacks->side[i % 2], i / 2);
	weight = period_given(header, total, counts, source);
	if (weight > 0)
		return weight;
	smallest = small_value(stacks, &nvalue);
	weight = value_double(divisor_of(stacks, DIVISOR_MIN * (counts ? VALUE_ONE : MICRO)));
	if (weight >= (counts ? DIVISOR_MIN : DIVISOR_MIN * 1e-6) &&
	    total / weight <= SAMPLES_MAX && nvalue >= DIVISOR_STACKS) {
		*source = PERIOD_DIVISOR;
		return weight;
	}
	d = estimate(stacks);
	*source = d > 0 ? PERIOD_ESTIMATED : PERIOD_SMALLEST;
	weight = fmin(smallest, total / SAMPLES_MIN);
	if (d > 0)
		weight = fmin(weight, d);
	weight = fmax(weight, total / SAMPLES_MAX);
	return counts ? fmax(weight, 1) : weight;
}
