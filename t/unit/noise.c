/*
 * noise: fg-diff's noise models against known values and thousands of simulated comparisons.
 * Prints TAP. The generator is seeded: every run is the same.
 */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "stats/noise.h"
#include "stats/distribution.h"
#include "../random.h"

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

/*
 * A Poisson number: by inversion below a mean of 30, else by PTRS of Hoermann, "The transformed
 * rejection method" (1993).
 */
static double
poisson(double mean)
{
	double b, a, k;

	if (mean < 30) {
		double u = random_uniform(), p = exp(-mean);

		for (k = 0; u > p && k < 1000; k++) {
			u -= p;
			p *= mean / (k + 1);
		}
		return k;
	}
	b = 0.931 + 2.53 * sqrt(mean);
	a = -0.059 + 0.02483 * b;
	for (;;) {
		double u = random_uniform() - 0.5, v = random_uniform(), us = 0.5 - fabs(u);

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

/* A simulated program of n functions: fractions of its time, and how its runs vary. */
struct program {
	unsigned n, nbase, nhead;
	double share[MAXROWS];
	double base_samples, head_samples; /* samples of one run */
	double common, own; /* relative spread of complete runs, of single functions */
	double regression; /* relative increase of function 0 in head */
};

/*
 * A program with fractions proportional to 1/rank, after a first function with the fraction
 * `first`.
 */
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
run(const struct program *p, double *row, double *profile_total)
{
	unsigned runs = p->nbase + p->nhead;

	for (unsigned r = 0; r < runs; r++) {
		double machine = exp(p->common * random_normal());

		profile_total[r] = 0;
		for (unsigned i = 0; i < p->n; i++) {
			double samples = r < p->nbase ? p->base_samples : p->head_samples;
			double mean =
			    samples * p->share[i] * machine * exp(p->own * random_normal());

			if (i == 0 && r >= p->nbase)
				mean *= 1 + p->regression;
			profile_total[r] += row[i * runs + r] = poisson(mean);
		}
	}
}

/* Results of a number of comparisons. */
struct found {
	double any, first, other, profile_total; /* fractions of comparisons that report any,
						    function 0, another, the total */
};

static unsigned divisor = 1; /* of the number of comparisons */

static struct found
compare(const struct program *p, struct noise noise, unsigned pairs)
{
	static double row[MAXROWS * MAXRUNS], profile_total[MAXRUNS];
	static struct change change[MAXROWS];
	struct found found = {0, 0, 0, 0};
	double limit;

	pairs /= divisor;
	noise.nbase = p->nbase;
	noise.nhead = p->nhead;
	noise.profile_total = profile_total;
	noise.period = 1;
	for (unsigned k = 0; k < pairs; k++) {
		bool other = false, first;

		run(p, row, profile_total);
		noise_fit(&noise, row, p->n);
		noise_judge(&noise, row, p->n, noise.reference, NULL, change);
		first = change[0].verdict == VERDICT_REAL;
		for (unsigned i = 1; i < p->n; i++)
			other |= change[i].verdict == VERDICT_REAL;
		found.first += (double)first / pairs;
		found.other += (double)other / pairs;
		found.any += (double)(first || other) / pairs;
		found.profile_total +=
		    (noise_profile_total(&noise, INFINITY, &limit).verdict == VERDICT_REAL) /
		    (double)pairs;
		noise_free(&noise);
	}
	return found;
}

static void
distributions(void)
{
	near(student_p(2, 5), 0.10193947883, "t = 2, 5 degrees of freedom: chance");
	near(student_limit(0.01, 4), 4.60409487142, "t for 1 %, 4 degrees of freedom");
	near(student_limit(0.01, INFINITY), 2.57582930355, "normal for 1 %");
	near(digamma(1), -0.57721566490153, "digamma(1)");
	near(trigamma(1), 1.64493406684823, "trigamma(1)");
	near(trigamma_inverse(1.64493406684823), 1, "the inverse of trigamma at 1.64493407");
}

/*
 * False alarms without a change. At 95 %, so that a rate that is too high shows. Spread of
 * single functions as in fg-diff(1)'s recordings: small for most, large for some.
 */
static void
false_alarms(void)
{
	static const struct {
		unsigned runs, pairs;
		double common, own, samples;
	} c[] = {
	    {1, 2000, 0, 0, 2000},
	    {1, 2000, 0.15, 0.05, 2000},
	    {1, 1000, 0.05, 0.05, 200000},
	    {2, 1000, 0.15, 0.05, 2000},
	    {2, 1000, 0.02, 0.01, 200000},
	    {3, 1000, 0, 0, 20000},
	    {3, 600, 0.15, 0.05, 2000},
	    {3, 600, 0.01, 0.05, 200000},
	    {5, 600, 0.05, 0.05, 2000},
	};
	struct program p = program(120, 0.2);
	struct noise noise = {.kind = NOISE_COUNTS, .confidence = 0.95};
	struct found f;

	p.base_samples = p.head_samples = 20000;
	f = compare(&p, noise, 2000);
	ok(f.any < 0.065, "counts: false alarms in %.2f %% of %u equal pairs", 100 * f.any,
	    2000 / divisor);
	p.nbase = 2;
	f = compare(&p, noise, 1000);
	ok(f.any < 0.065, "counts of two runs and one: %.2f %% of %u", 100 * f.any, 1000 / divisor);
	noise.kind = NOISE_RUNS;
	for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
		struct found shares;

		p.nbase = p.nhead = c[i].runs;
		p.base_samples = p.head_samples = c[i].samples;
		p.common = c[i].common;
		p.own = c[i].own;
		noise.shares = false;
		f = compare(&p, noise, c[i].pairs);
		noise.shares = true;
		shares = compare(&p, noise, c[i].pairs);
		ok(f.any < 0.05 && f.profile_total < 0.07 && shares.any < 0.05,
		    "%u v %u, %g %% together and %g %% each, %g samples: %.2f %%, the whole %.2f "
		    "%%, as shares %.2f %% of %u",
		    c[i].runs, c[i].runs, 100 * c[i].common, 100 * c[i].own, c[i].samples,
		    100 * f.any, 100 * f.profile_total, 100 * shares.any, c[i].pairs / divisor);
	}
	p.nbase = p.nhead = 3;
	p.base_samples = 20000;
	p.head_samples = 6000;
	noise.shares = true;
	f = compare(&p, noise, 600);
	ok(f.any < 0.05, "runs of 20000 and of 6000 samples as shares: %.2f %%", 100 * f.any);
}

/*
 * One function gets much faster: no other function may be reported as slower, by value or by
 * fraction.
 */
static void
composition(void)
{
	static const unsigned runs[] = {1, 3, 5};
	struct program p = program(120, 0.2);
	struct noise noise = {.kind = NOISE_RUNS, .confidence = 0.99};

	p.regression = -0.9;
	p.common = 0.1;
	p.own = 0.02;
	p.base_samples = p.head_samples = 20000;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
		for (int shares = 0; shares < 2; shares++) {
			struct found f;

			p.nbase = p.nhead = runs[i];
			noise.shares = shares;
			f = compare(&p, noise, 400);
			ok(f.first > 0.95 && f.other <= 0.01,
			    "20 %% to a tenth, %u v %u%s: found in %.1f %%, others in %.2f %%",
			    runs[i], runs[i], shares ? " as shares" : "", 100 * f.first,
			    100 * f.other);
		}
}

/*
 * New functions below one caller, as a new library call adds them, in a benchmark of few
 * functions, none of which changed. Rows: 8 old functions, up to 20 new ones, the caller's
 * total.
 */
#define OLD 8
#define NEW 20

struct family {
	unsigned cases, detectable, passed; /* of these with detectable growth: not found */
	unsigned culprit,
	    others; /* ... the caller's total is called noise; an old function significant */
};

static void
new_code(struct family *f, unsigned runs, double samples, unsigned added, double growth,
    double spread, bool shares, unsigned trials)
{
	static const double share[OLD] = {0.3, 0.25, 0.15, 0.1, 0.08, 0.06, 0.04, 0.02};
	static double row[(OLD + NEW + 1) * 2 * 10], profile_total[2 * 10];
	struct noise noise = {.kind = NOISE_RUNS,
	    .shares = shares,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = runs,
	    .nhead = runs,
	    .profile_total = profile_total};
	struct change change[OLD + NEW], caller, total;
	double limit;

	for (unsigned k = 0; k < trials; k++) {
		unsigned n = OLD + added;
		bool other = false, seen;

		for (unsigned r = 0; r < 2 * runs; r++) {
			double machine = samples * exp(spread * random_normal());
			double below = 0;

			profile_total[r] = 0;
			for (unsigned i = 0; i < n; i++) {
				double mean = i < OLD	 ? machine * share[i]
					      : r < runs ? 0
							 : machine * growth / added;

				row[i * 2 * runs + r] = poisson(mean);
				profile_total[r] += row[i * 2 * runs + r];
				if (i >= OLD || i == 2)
					below += row[i * 2 * runs + r];
			}
			row[n * 2 * runs + r] = below;
		}
		noise_fit(&noise, row, n);
		noise_judge(&noise, row, n, noise.reference, NULL, change);
		noise_judge(&noise, row + n * 2 * runs, 1, NULL, NULL, &caller);
		total = noise_profile_total(&noise, 0.03, &limit);
		for (unsigned i = 0; i < OLD; i++)
			other |= change[i].verdict == VERDICT_REAL;
		seen = growth * samples > noise_limit(&noise, &caller) * 1.6 && growth > 0.05;
		f->cases++;
		f->others += other;
		f->detectable += seen;
		f->culprit += seen && caller.verdict != VERDICT_REAL;
		f->passed +=
		    seen && caller.verdict != VERDICT_REAL && total.verdict != VERDICT_REAL;
		noise_free(&noise);
	}
}

static void
new_functions(unsigned trials)
{
	static const unsigned runs[] = {3, 5, 10}, added[] = {1, 3, 7, 20};
	static const double samples[] = {100, 1000, 10000}, growth[] = {0.05, 0.22, 0.6, 1.07, 3};

	for (int shares = 0; shares < 2; shares++)
		for (size_t r = 0; r < 3; r++) {
			struct family f = {0};

			for (size_t s = 0; s < 3; s++)
				for (size_t a = 0; a < 4; a++)
					for (size_t g = 0; g < 5; g++)
						for (int quiet = 0; quiet < 2; quiet++)
							new_code(&f, runs[r], samples[s], added[a],
							    growth[g], quiet ? 0.02 : 0.1, shares,
							    trials);
			ok(f.detectable >= f.cases / 4 && f.passed <= f.detectable / 100 &&
				f.culprit <= f.detectable / 50 && f.others <= f.cases / 100,
			    "%u v %u%s, 1 to 20 new functions: of %u comparisons %u show more than can "
			    "be detected; %u pass, %u do not name it; an unchanged function is named in %u",
			    runs[r], runs[r], shares ? " as shares" : "", f.cases, f.detectable,
			    f.passed, f.culprit, f.others);
		}
}

static void
power(void)
{
	struct program p = program(120, 0.2);
	struct noise noise = {.kind = NOISE_RUNS, .confidence = 0.99};
	struct found f;

	p.common = 0.05;
	p.own = 0.01;
	p.base_samples = p.head_samples = 200000;
	p.nbase = p.nhead = 3;
	p.regression = 0.18;
	f = compare(&p, noise, 300);
	ok(f.first > 0.8, "18 %% of a 20 %% function in 3 v 3 of 200000 samples: %.1f %%",
	    100 * f.first);
	p.nbase = p.nhead = 6;
	p.regression = 0.06;
	f = compare(&p, noise, 300);
	ok(f.first > 0.8, "6 %% of it in 6 v 6: %.1f %%", 100 * f.first);
	p.nbase = p.nhead = 1;
	p.regression = 9;
	f = compare(&p, noise, 300);
	ok(f.first > 0.95, "ten times as much in one run a side: %.1f %%", 100 * f.first);
	p.regression = 0.1;
	f = compare(&p, noise, 300);
	ok(f.first < 0.01, "a tenth more is not called real there: %.1f %%", 100 * f.first);
}

static void
limits(void)
{
	double profile_total[] = {100000, 100000}, self[] = {10000, 10000, 90000, 90000};
	struct noise n = {.kind = NOISE_COUNTS,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = 1,
	    .nhead = 1,
	    .profile_total = profile_total};
	struct change typical, change[2];
	double limit;

	noise_fit(&n, self, 2);
	typical = noise_typical(&n, 10000, 2);
	limit = noise_limit(&n, &typical);
	for (int more = -1; more <= 1; more += 2) {
		self[1] = 10000 + limit + more;
		noise_judge(&n, self, 2, NULL, NULL, change);
		ok((change[0].verdict == VERDICT_REAL) == (more > 0),
		    "%.0f more of 10000 samples is %s the limit", limit + more,
		    more > 0 ? "above" : "below");
	}
	noise_free(&n);
	n.kind = NOISE_NONE;
	noise_fit(&n, self, 2);
	ok(noise_limit(&n, &typical) == 0, "exact values: any");
	noise_free(&n);
}

/* An argument divides the number of comparisons. */
int
main(int argc, char **argv)
{
	if (argc > 1)
		divisor = (unsigned)atoi(argv[1]);
	distributions();
	limits();
	false_alarms();
	composition();
	new_functions(3);
	power();
	printf("1..%d\n", tests);
	return 0;
}
