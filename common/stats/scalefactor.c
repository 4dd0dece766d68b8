/*
 * factors: self values of functions in runs go in, each run's size comes out.
 *
 * Equal wholes would make one function's speed-up look like everyone else's slow-down. So a
 * run's size is the median of its functions' ratios to their mean (Anders and Huber,
 * "Differential expression analysis for sequence count data", 2010), and then the sum of
 * those that did not change between the sides, which is more exact (Kadota, Nishiyama
 * and Shimizu, "A normalization strategy for comparing tag count data", 2012).
 */
#include "stats/scalefactor.h"
#include "stats/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define ROUNDS 3
#define CHANGED 2.5 /* standard errors: a function that is left out */
#define SPREAD_MIN 0.03 /* of a function between runs, for the error of the medians */

struct fit {
	struct noise *noise;
	const double *self;
	size_t n;
	unsigned runs;
	double *scaled_mean; /* by row: 2 means of scaled_mean runs */
	bool *kept;
};

/* Divide by the geometric mean. A run without anything keeps the size 1. */
static void
level(double *factor, unsigned runs)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned r = 0; r < runs; r++)
		if (factor[r] > 0) {
			sum += log(factor[r]);
			n++;
		}
	for (unsigned r = 0; r < runs; r++)
		factor[r] = factor[r] > 0 ? factor[r] / exp(sum / n) : 1;
}

/* A function's mean share of the wholes, of runs that have any. */
static double
mean_share(const struct fit *f, const double *row)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned r = 0; r < f->runs; r++)
		if (f->noise->whole[r] > 0) {
			sum += row[r] / f->noise->whole[r];
			n++;
		}
	return n != 0 ? sum / n : 0;
}

static void
median_factors(struct fit *f)
{
	struct noise *noise = f->noise;
	double w = noise->period, precision = 0, spread = fmax(noise->spread, SPREAD_MIN), mu = 0;
	double *share = cli_alloc(f->n, sizeof *share), *ratio = cli_alloc(f->n, sizeof *ratio);
	size_t m;

	for (size_t i = 0; i < f->n; i++)
		share[i] = mean_share(f, f->self + i * f->runs);
	for (unsigned r = 0; r < f->runs; r++) {
		double whole = noise->whole[r];

		m = 0;
		for (size_t i = 0; i < f->n; i++)
			if (share[i] >= NOISE_FAMILY)
				ratio[m++] = log((f->self[i * f->runs + r] + w / 2) /
						 (share[i] * whole + w / 2));
		noise->factor[r] = whole * exp(distribution_median(ratio, m));
		mu += whole / f->runs;
	}
	level(noise->factor, f->runs);
	for (size_t i = 0; i < f->n; i++)
		if (share[i] >= NOISE_FAMILY)
			precision += 1 / (w / (share[i] * mu) + spread * spread);
	noise->factor_error = precision > 0 ? 1.25 / sqrt(precision) : 0;
	free(share);
	free(ratio);
}

static void
even_means(struct fit *f)
{
	const struct noise *noise = f->noise;

	for (size_t i = 0; i < f->n; i++) {
		double *scaled_mean = f->scaled_mean + 2 * i;

		scaled_mean[0] = scaled_mean[1] = 0;
		for (unsigned r = 0; r < f->runs; r++)
			scaled_mean[r >= noise->nbase] +=
			    f->self[i * f->runs + r] / noise->factor[r] /
			    (r < noise->nbase ? noise->nbase : noise->nhead);
	}
}

/* Which functions did not change, by the factors at hand; returns their part of the whole. */
static double
keep_unchanged(struct fit *f)
{
	const struct noise *noise = f->noise;
	double kept = 0, whole = 0, se = noise->factor_error;

	even_means(f);
	for (size_t i = 0; i < f->n; i++) {
		const double *scaled_mean = f->scaled_mean + 2 * i;
		double mu = (scaled_mean[0] + scaled_mean[1]) / 2;
		double v = noise->period * mu + (noise->spread * noise->spread + se * se) * mu * mu;

		v *= 1.0 / noise->nbase + 1.0 / noise->nhead;
		f->kept[i] = fabs(scaled_mean[1] - scaled_mean[0]) <= CHANGED * sqrt(v);
		whole += mu;
		if (f->kept[i])
			kept += mu;
	}
	return whole > 0 ? kept / whole : 0;
}

static void
sum_factors(struct fit *f)
{
	struct noise *noise = f->noise;
	double sum = 0, squares = 0;

	noise->unchanged = 0;
	memset(noise->factor, 0, f->runs * sizeof *noise->factor);
	for (size_t i = 0; i < f->n; i++) {
		double mu = (f->scaled_mean[2 * i] + f->scaled_mean[2 * i + 1]) / 2;

		if (!f->kept[i])
			continue;
		noise->unchanged++;
		sum += mu;
		squares += mu * mu;
		for (unsigned r = 0; r < f->runs; r++)
			noise->factor[r] += f->self[i * f->runs + r];
	}
	level(noise->factor, f->runs);
	noise->factor_error =
	    sum > 0 ? sqrt(noise->period * sum + noise->spread * noise->spread * squares) / sum : 0;
}

void
scalefactor_fit(struct noise *noise, const double *self, size_t n)
{
	struct fit f = {.noise = noise, .self = self, .n = n, .runs = noise->nbase + noise->nhead};

	f.scaled_mean = cli_alloc(n, 2 * sizeof *f.scaled_mean);
	f.kept = cli_alloc(n, sizeof *f.kept);
	median_factors(&f);
	for (int round = 0; round < ROUNDS; round++) {
		noise->unchanged_part = keep_unchanged(&f);
		if (noise->unchanged_part < NOISE_UNCHANGED)
			break;
		sum_factors(&f);
	}
	free(f.scaled_mean);
	free(f.kept);
}

void
scalefactor_wholes(struct noise *noise)
{
	noise->factor_error = 0;
	noise->unchanged_part = 1;
	if (!noise->shares)
		return;
	for (unsigned r = 0; r < noise->nbase + noise->nhead; r++)
		noise->factor[r] = noise->whole[r];
	level(noise->factor, noise->nbase + noise->nhead);
}
