/*
 * diff-noise: fg-diff's noise models against known values and against thousands of
 * simulated comparisons. Prints TAP. The generator is seeded: every run is the same.
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "noise.h"
#include "stats.h"

#define MAXROWS 600
#define MAXRUNS 12

static int tests;

static void __attribute__((format(printf, 2, 3))) ok(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

static void
near(double got, double want, const char *what)
{
	ok(fabs(got - want) <= 1e-8 * fabs(want), "%s is %.9g", what, want);
	if (fabs(got - want) > 1e-8 * fabs(want))
		printf("# got %.12g\n", got);
}

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t state;

static double
uniform(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* By inversion below 30, above it PTRS of Hoermann, "The transformed rejection method" (1993). */
static double
poisson(double mean)
{
	double b, a, k;

	if (mean < 30) {
		double u = uniform(), p = exp(-mean);

		for (k = 0; u > p && k < 1000; k++) {
			u -= p;
			p *= mean / (k + 1);
		}
		return k;
	}
	b = 0.931 + 2.53 * sqrt(mean);
	a = -0.059 + 0.02483 * b;
	for (;;) {
		double u = uniform() - 0.5, v = uniform(), us = 0.5 - fabs(u);

		k = floor((2 * a / us + b) * u + mean + 0.43);
		if (us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
			return k;
		if (k < 0 || (us < 0.013 && v > us))
			continue;
		if (log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (us * us) + b)) <=
		    k * log(mean) - mean - lgamma(k + 1))
			return k;
	}
}

/* A program of n functions: shares of its time, and how its runs differ. */
struct program {
	unsigned n, nbase, nhead;
	double share[MAXROWS];
	double base_samples, head_samples; /* of one run */
	double common, own; /* relative spread of whole runs and of single functions */
	double regression; /* function 0 of head takes this much more */
};

/* Shares falling as 1/rank, after a first function that has `first` of the whole. */
static struct program
program(unsigned n, double first)
{
	struct program p = {.n = n, .nbase = 1, .nhead = 1};
	double sum = 0;

	for (unsigned i = 1; i < n; i++)
		sum += p.share[i] = 1.0 / i;
	for (unsigned i = 1; i < n; i++)
		p.share[i] *= (1 - first) / sum;
	p.share[0] = first;
	return p;
}

static void
run(const struct program *p, double *row, double *whole)
{
	unsigned runs = p->nbase + p->nhead;

	for (unsigned r = 0; r < runs; r++) {
		double machine = exp(p->common * normal());

		whole[r] = 0;
		for (unsigned i = 0; i < p->n; i++) {
			double samples = r < p->nbase ? p->base_samples : p->head_samples;
			double mean = samples * p->share[i] * machine * exp(p->own * normal());

			if (i == 0 && r >= p->nbase)
				mean *= 1 + p->regression;
			whole[r] += row[i * runs + r] = poisson(mean);
		}
	}
}

/* In what part of `pairs` comparisons something is found: anything, or function 0. */
static double
found(const struct program *p, struct noise noise, unsigned pairs, bool only_first)
{
	static double row[MAXROWS * MAXRUNS], whole[MAXRUNS];
	static struct change change[MAXROWS];
	unsigned hits = 0;

	noise.nbase = p->nbase;
	noise.nhead = p->nhead;
	noise.whole = whole;
	if (noise.period == 0)
		noise.period = 1;
	for (unsigned k = 0; k < pairs; k++) {
		bool hit = false;

		run(p, row, whole);
		noise_fit(&noise, row, p->n);
		noise_judge(&noise, row, p->n, change);
		for (unsigned i = 0; i < (only_first ? 1 : p->n); i++)
			hit |= change[i].verdict == VERDICT_REAL;
		hits += hit;
	}
	return (double)hits / pairs;
}

static void
distributions(void)
{
	near(stats_t(2, 5), 0.10193947883, "t = 2, 5 degrees of freedom: chance");
	near(stats_t_limit(0.01, 4), 4.60409487142, "t for 1 %, 4 degrees of freedom");
	near(stats_t_limit(0.01, INFINITY), 2.57582930355, "normal for 1 %");
	near(stats_split(15, 5, 0.5), 0.04138946533203125, "15 to 5 of equal chance");
	near(stats_split(0, 10, 0.5), 0.001953125, "0 to 10 of equal chance");
	near(stats_shares(1, 10, 11, 14), 0.0027594561852, "1 of 10 against 11 of 14");
	near(stats_digamma(1), -0.57721566490153, "digamma(1)");
	near(stats_trigamma(1), 1.64493406684823, "trigamma(1)");
	near(stats_trigamma_inverse(1.64493406684823), 1, "its inverse");
}

/* The tests' own part of the functions: how many are large enough to be tested. */
static unsigned
family(const struct program *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n; i++)
		n += 2 * p->share[i] >= NOISE_FAMILY;
	return n;
}

/* Both with 95 %, so that a rate that is too high shows. */
static void
false_alarms(void)
{
	static const struct {
		unsigned runs, pairs;
		double common, own, samples;
	} c[] = {
	    {3, 1000, 0, 0, 20000},
	    {3, 1000, 0.02, 0.01, 20000},
	    {2, 1000, 0.02, 0.01, 200000},
	    {5, 600, 0.05, 0.05, 2000},
	    {3, 600, 0.01, 0.05, 200000},
	};
	struct program p = program(120, 0.2);
	struct noise counts = {.kind = NOISE_COUNTS, .confidence = 0.95};
	struct noise runs = {.kind = NOISE_RUNS, .confidence = 0.95};
	double rate, shares;

	p.base_samples = p.head_samples = 20000;
	rate = found(&p, counts, 4000, false);
	ok(rate < 0.05, "counts at 95 %%: false alarms in %.2f %% of 4000 equal pairs", 100 * rate);
	p.nbase = 2;
	rate = found(&p, counts, 2000, false);
	ok(rate < 0.05, "counts of two runs and one: %.2f %% of 2000", 100 * rate);
	p.nbase = 1;
	p.head_samples = 6000;
	counts.shares = true;
	rate = found(&p, counts, 4000, false);
	ok(rate < 0.05, "shares of 20000 and 6000 samples: %.2f %% of 4000", 100 * rate);
	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		p.nbase = p.nhead = c[i].runs;
		p.base_samples = p.head_samples = c[i].samples;
		p.common = c[i].common;
		p.own = c[i].own;
		runs.shares = false;
		rate = found(&p, runs, c[i].pairs, false);
		runs.shares = true;
		shares = found(&p, runs, c[i].pairs, false);
		ok(rate < 0.05 && shares < 0.05,
		    "%u runs a side, %g %% together and %g %% each: %.2f %%, as shares %.2f %% of "
		    "%u",
		    c[i].runs, 100 * c[i].common, 100 * c[i].own, 100 * rate, 100 * shares,
		    c[i].pairs);
	}
}

/*
 * A function of 20 % that takes 5 % more, in N samples a side, differs by 0.01 N with a standard
 * error of sqrt(0.41 N). Nine times of ten it passes the limit when that ratio is
 * the limit's normal plus 1.28.
 */
static void
power(void)
{
	struct program p = program(120, 0.2);
	struct noise counts = {.kind = NOISE_COUNTS, .confidence = 0.99};
	struct noise runs = {.kind = NOISE_RUNS, .confidence = 0.99};
	double need = stats_t_limit(0.01 / family(&p), INFINITY) + 1.2816, rate;

	p.regression = 0.05;
	p.base_samples = p.head_samples = 0.41 * pow(need / 0.01, 2);
	rate = found(&p, counts, 1000, true);
	ok(rate > 0.86 && rate < 0.94,
	    "5 %% of a 20 %% function is found in %.0f samples: %.1f %% of times", p.base_samples,
	    100 * rate);
	p.base_samples = p.head_samples /= 4;
	rate = found(&p, counts, 1000, true);
	ok(rate < 0.2, "and in a quarter of them rarely: %.1f %%", 100 * rate);

	p = program(500, 0.2);
	p.nbase = p.nhead = 3;
	p.own = 0.01;
	p.base_samples = p.head_samples = 1e6;
	p.regression = 0.05;
	rate = found(&p, runs, 300, true);
	ok(rate > 0.8, "three runs that spread by 1 %%, 500 functions: 5 %% found in %.1f %%",
	    100 * rate);
	rate = stats_t_limit(0.01 / 500, 4) * 0.01 * sqrt(2.0 / 3);
	ok(rate > 0.18, "where a plain t sees nothing below %.0f %%", 100 * rate);
	p.common = 0.01;
	p.nbase = p.nhead = 6;
	rate = found(&p, runs, 300, true);
	ok(rate > 0.8, "six runs of a machine that wavers by 1 %% as well: %.1f %%", 100 * rate);
}

static void
limits(void)
{
	static const double whole[] = {100000, 100000};
	struct noise n = {.kind = NOISE_COUNTS,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = 1,
	    .nhead = 1,
	    .whole = whole};
	double limit = noise_limit_at(&n, 10000, 1);

	ok(stats_split(10000 + limit, 10000, 0.5) <= 0.01 &&
		stats_split(9999 + limit, 10000, 0.5) > 0.01,
	    "the smallest visible increase of 10000 samples is %.0f", limit);
	n.period = 250;
	ok(noise_limit_at(&n, 2500000, 1) == 250 * limit, "and scales with what a sample weighs");
	n.kind = NOISE_NONE;
	ok(noise_limit_at(&n, 10000, 1) == 0, "exact values: any");
}

int
main(void)
{
	distributions();
	limits();
	false_alarms();
	power();
	printf("1..%d\n", tests);
	return 0;
}
