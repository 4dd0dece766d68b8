/*
 * period: where the files do not state the weight of a sample, it may be a divisor of all
 * values, or else follow from the difference between both sides: of samples that weigh w,
 * the squared difference of two values over their sum has the mean w (as the dispersion that
 * Anders and Huber, "Differential expression analysis for sequence count data", 2010,
 * estimate without replicates). Half of all stacks may have changed without moving the
 * median.
 */
#include "stats/period.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cli.h"
#include "stats/distribution.h"

#define SAMPLES_MAX 1e7 /* of a recording: a larger total is not a count */
#define DIVISOR_MIN 100 /* a smaller divisor may be chance */
#define DIVISOR_STACKS 8 /* as is the divisor of fewer stacks */
#define PAIRS_MIN 20 /* stacks on both sides, for an estimate from their differences */
#define SAMPLES_MIN 1000 /* of a profile total, where the weight is estimated */
#define MICRO (VALUE_ONE / 1000000) /* divisors are searched in millionths */
#define CHI2_MEDIAN 0.4549 /* of one degree of freedom */

static int
compare_values(const void *a, const void *b)
{
	value x = *(const value *)a, y = *(const value *)b;

	return (x > y) - (x < y);
}

/* All values of both sides that are not 0, sorted. */
static value *
all_values(const struct period_stack *stack, size_t n, size_t *nvalue)
{
	value *v = cli_alloc(n, 2 * sizeof *v);

	*nvalue = 0;
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			if (stack[i].side[k] != 0)
				v[(*nvalue)++] = stack[i].side[k];
	qsort(v, *nvalue, sizeof *v, compare_values);
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

/* From the differences of stacks that both sides have; 0 where these are too few. */
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
period_find(const double header[2], double total, const struct period_stack *stack, size_t n,
    enum period_source *source)
{
	double weight, d, smallest;
	bool counts = true;
	value *v;
	size_t nvalue;

	*source = PERIOD_HEADER;
	if (header[0] > 0 && header[1] > 0)
		return fmax(header[0], header[1]);
	v = all_values(stack, n, &nvalue);
	for (size_t i = 0; i < nvalue && counts; i++)
		counts = v[i] % VALUE_ONE == 0;
	smallest = nvalue > 0 ? value_double(v[nvalue / 10]) : 1;
	weight = value_double(divisor_of(v, nvalue));
	free(v);

	if (counts && total <= SAMPLES_MAX) {
		*source = PERIOD_COUNTS;
		return 1;
	}
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
