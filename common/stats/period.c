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
#include "base/sort.h"
#include "stats/distribution.h"

#define SAMPLES_MAX 1e7 /* samples per recording: a larger total is not a count */
#define DIVISOR_MIN 100 /* a smaller divisor may be chance */
#define DIVISOR_STACKS 8 /* fewest stacks for a divisor: that of fewer may be chance */
#define PAIRS_MIN 20 /* fewest stacks on both sides for an estimate from their differences */
#define SAMPLES_MIN 1000 /* smallest estimated number of samples in a profile total */
#define MICRO (VALUE_ONE / 1000000) /* divisors are searched in millionths */
#define CHI2_MEDIAN 0.4549 /* median of chi squared with one degree of freedom */

static int
compare_values(const void *a, const void *b)
{
	value x = *(const value *)a, y = *(const value *)b;

	return (x > y) - (x < y);
}

/* Values of both sides except 0, sorted. */
static value *
all_values(const struct period_stack *stack, size_t n, size_t *nvalue)
{
	value *v = cli_alloc(n, 2 * sizeof *v);

	*nvalue = 0;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			if (stack[i].side[k] != 0)
				v[(*nvalue)++] = stack[i].side[k];
	sort_items(v, *nvalue, sizeof *v, compare_values);
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

/* Weight from the differences of stacks that both sides have; 0 if they are too few. */
static double
estimate(const struct period_stack *stack, size_t n)
{
	double *b = cli_alloc(n, sizeof *b), *h = cli_alloc(n, sizeof *h);
	double *x = cli_alloc(n, sizeof *x), weight = 0, ratio;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (stack[i].side[0] == 0 || stack[i].side[1] == 0)
			continue;
		b[m] = value_double(stack[i].side[0]);
		h[m] = value_double(stack[i].side[1]);
		x[m] = log(b[m] / h[m]);
		m++;
	}
	if (m >= PAIRS_MIN) {
		ratio = exp(distribution_median(x, m));
		for (size_t i = 0; i < m; i++)
			x[i] = pow(b[i] - h[i] * ratio, 2) / (b[i] + h[i] * ratio * ratio);
		weight = distribution_median(x, m) / CHI2_MEDIAN;
	}
	free(b);
	free(h);
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
period_find(const double header[2], double total, const struct period_stack *stack, size_t n,
    enum period_source *source)
{
	double weight, d, smallest;
	bool counts = true;
	value *v;
	size_t nvalue;

	for (size_t i = 0; i < n && counts; i++)
		counts = stack[i].side[0] % VALUE_ONE == 0 && stack[i].side[1] % VALUE_ONE == 0;
	weight = period_given(header, total, counts, source);
	if (weight > 0)
		return weight;
	v = all_values(stack, n, &nvalue);
	smallest = nvalue > 0 ? value_double(v[nvalue / 10]) : 1;
	weight = value_double(divisor_of(v, nvalue));
	free(v);

	if (weight >= (counts ? DIVISOR_MIN : DIVISOR_MIN * 1e-6) &&
	    total / weight <= SAMPLES_MAX && nvalue >= DIVISOR_STACKS) {
		*source = PERIOD_DIVISOR;
		return weight;
	}
	d = estimate(stack, n);
	*source = d > 0 ? PERIOD_ESTIMATED : PERIOD_SMALLEST;
	weight = fmin(smallest, total / SAMPLES_MIN);
	if (d > 0)
		weight = fmin(weight, d);
	weight = fmax(weight, total / SAMPLES_MAX);
	return counts ? fmax(weight, 1) : weight;
}
