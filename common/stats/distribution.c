/*
 * distribution: formulas are cited by their number in the NIST Digital Library of Mathematical
 * Functions (DLMF).
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stats/distribution.h"

#include "base/sort.h"

#define ROUNDS 64

/* Solves f(x) = y for a falling function f, by bisection between lo and hi, both above 0. */
static double
falling_inverse(double (*f)(double x, double with), double with, double y, double lo, double hi)
{
	for (int i = 0; i < 100; i++) {
		double mid = sqrt(lo) * sqrt(hi);

		if (f(mid, with) > y)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The regularised incomplete beta function I_x(a, b): DLMF 8.17.22, by Lentz's method. */
static double
beta(double x, double a, double b)
{
	double front, c = 1, d = 0, f = 1;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta(1 - x, b, a);
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
	for (int j = 1; j < 1000000; j++) {
		double m = j / 2, k;

		if (j % 2 == 0)
			k = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		else
			k = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + k * d);
		c = 1 + k / c;
		f *= c * d;
		if (fabs(c * d - 1) < 1e-14)
			break;
	}
	return front / f;
}

double
student_p(double t, double df)
{
	if (isinf(df))
		return erfc(fabs(t) / M_SQRT2);
	return beta(df / (df + t * t), df / 2, 0.5);
}

double
student_limit(double p, double df)
{
	/* Rows of one report have few different arguments. */
	static _Thread_local struct {
		double p, df, limit;
	} known[16];
	static _Thread_local unsigned next;

	if (p >= 1)
		return 0;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (known[i].p == p && known[i].df == df && known[i].limit > 0)
			return known[i].limit;
	next = (next + 1) % (sizeof known / sizeof known[0]);
	known[next].p = p;
	known[next].df = df;
	known[next].limit = falling_inverse(student_p, df, p, 1e-12, 1e100);
	return known[next].limit;
}

/* DLMF 5.5.2 raises x until the series 5.11.2 is exact in double precision. */
double
digamma(double x)
{
	double y = 0, z;

	for (; x < 10; x++)
		y -= 1 / x;
	z = 1 / (x * x);
	return y + log(x) - 0.5 / x -
	       z * (1. / 12 - z * (1. / 120 - z * (1. / 252 - z * (1. / 240 - z / 132))));
}

/* DLMF 5.15.5 and 5.15.8. */
double
trigamma(double x)
{
	double y = 0, z;

	for (; x < 10; x++)
		y += 1 / (x * x);
	z = 1 / (x * x);
	return y + 1 / x + z / 2 +
	       z / x * (1. / 6 - z * (1. / 30 - z * (1. / 42 - z * (1. / 30 - z * 5 / 66))));
}

static double
trigamma_of(double x, double unused)
{
	(void)unused;
	return trigamma(x);
}

double
trigamma_inverse(double y)
{
	return falling_inverse(trigamma_of, 0, y, 1e-10, 1e10);
}

int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
distribution_nth(double *x, size_t n, size_t k)
{
	size_t from = 0, end = n;

	/* Hoare's selection; after ROUNDS bad pivots the rest is sorted. */
	for (unsigned round = 0; end - from > 1; round++) {
		double a = x[from], b = x[from + (end - from) / 2], c = x[end - 1];
		double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
		size_t i = from, j = end;

		if (round == ROUNDS) {
			sort_items(x + from, end - from, sizeof *x, compare_doubles);
			break;
		}
		while (i < j) {
			while (x[i] < pivot)
				i++;
			while (pivot < x[j - 1])
				j--;
			if (i < j) {
				double swapped = x[i];

				x[i++] = x[--j];
				x[j] = swapped;
			}
		}
		if (k < j)
			end = j;
		else if (k >= i)
			from = i;
		else
			break;
	}
	return x[k];
}

double
distribution_median(double *x, size_t n)
{
	double upper, lower;

	if (n == 0)
		return 0;
	upper = distribution_nth(x, n, n / 2);
	if (n % 2 != 0)
		return upper;
	lower = x[0];
	for (size_t i = 1; i < n / 2; i++)
		lower = fmax(lower, x[i]);
	return (lower + upper) / 2;
}
