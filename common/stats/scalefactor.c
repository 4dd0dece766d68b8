/*
 * scalefactor: with equal totals, the speed-up of one function would look like a slow-down of all
 * others. So the size of a run is first the median of its functions' ratios to their means (Anders
 * and Huber, "Differential expression analysis for sequence count data", 2010). Then it is the sum
 * of the functions that did not change between the sides, which is more exact (Kadota, Nishiyama
 * and Shimizu, "A normalization strategy for comparing tag count data", 2012).
 */
#include "stats/scalefactor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "stats/distribution.h"
#include "stats/noisetotal.h"

#define ROUNDS 3
#define CHANGED 2.5 /* standard errors from which on a function counts as changed */
#define SPREAD_MIN 0.03 /* of a function between runs, for the error of the medians */
#define CAUSE 0.8 /* of the change of the total, which one function has */
#define NAMES 0.5 /* minimum unchanged part for verdicts on functions without a scale */

struct fit {
	struct noise *noise;
	const double *self;
	size_t n;
	unsigned compared, runs; /* runs of base and head; and with history */
	double *share; /* by row: mean share of the totals, of base and head */
	double *scaled_mean; /* by row: of base, then of head */
	bool *common; /* by row: present on both sides */
	bool *kept; /* by row: unchanged */
};

static const double *
row_of(const struct fit *f, size_t i)
{
	return f->self + i * f->runs;
}

void
scalefactor_level(double *factor, unsigned compared, unsigned runs)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned r = 0; r < compared; r++)
		if (factor[r] > 0) {
			sum += log(factor[r]);
			n++;
		}
	for (unsigned r = 0; r < runs; r++)
		factor[r] = factor[r] > 0 ? factor[r] / exp(n > 0 ? sum / n : 0) : 1;
}

static void
find_common(struct fit *f)
{
	const struct noise *noise = f->noise;

	for (size_t i = 0; i < f->n; i++) {
		const double *row = row_of(f, i);
		double sum[2] = {0, 0};
		unsigned n = 0;

		for (unsigned r = 0; r < f->compared; r++) {
			sum[r >= noise->nbase] += row[r];
			if (noise->profile_total[r] > 0) {
				f->share[i] += row[r] / noise->profile_total[r];
				n++;
			}
		}
		f->share[i] = n != 0 ? f->share[i] / n : 0;
		f->common[i] = sum[0] > 0 && sum[1] > 0;
	}
}

static bool
is_reference(const struct fit *f, size_t i)
{
	return f->common[i] && f->share[i] >= NOISE_FAMILY;
}

static void
median_factors(struct fit *f)
{
	struct noise *noise = f->noise;
	double w = noise->period, precision = 0, spread = fmax(noise->spread, SPREAD_MIN), mu = 0;
	double *ratio = cli_alloc(f->n, sizeof *ratio);

	for (unsigned r = 0; r < f->runs; r++) {
		double profile_total = noise->profile_total[r];
		size_t m = 0;

		for (size_t i = 0; i < f->n; i++)
			if (is_reference(f, i))
				ratio[m++] = log((row_of(f, i)[r] + w / 2) /
						 (f->share[i] * profile_total + w / 2));
		noise->factor[r] = profile_total * exp(distribution_median(ratio, m));
		if (r < f->compared)
			mu += profile_total / f->compared;
	}
	scalefactor_level(noise->factor, f->compared, f->runs);
	for (size_t i = 0; i < f->n; i++)
		if (is_reference(f, i))
			precision += 1 / (w / (f->share[i] * mu) + spread * spread);
	noise->factor_error = precision > 0 ? 1.25 / sqrt(precision) : 0;
	free(ratio);
}

/*
 * Find the functions that did not change under the current factors, each with the relative error
 * `error`. Sets their part of the total, on the side where it is larger. Returns the part of the
 * functions that are references.
 */
static double
keep_unchanged(struct fit *f, double error)
{
	struct noise *noise = f->noise;
	double kept[2] = {0, 0}, profile_total[2] = {0, 0}, references = 0, same = 0;

	for (size_t i = 0; i < f->n; i++) {
		double *x = f->scaled_mean + 2 * i, mu, v;

		x[0] = x[1] = 0;
		for (unsigned r = 0; r < f->compared; r++)
			x[r >= noise->nbase] += row_of(f, i)[r] / noise->factor[r] /
						(r < noise->nbase ? noise->nbase : noise->nhead);
		mu = (x[0] + x[1]) / 2;
		v = noise->period * mu + (pow(noise->spread, 2) + pow(error, 2)) * mu * mu;
		v *= 1.0 / noise->nbase + 1.0 / noise->nhead;
		f->kept[i] = f->common[i] && fabs(x[1] - x[0]) <= CHANGED * sqrt(v);
		for (int k = 0; k < 2; k++) {
			profile_total[k] += x[k];
			kept[k] += f->kept[i] ? x[k] : 0;
		}
		if (is_reference(f, i)) {
			references++;
			same += f->kept[i];
		}
	}
	noise->unchanged_part = 0;
	for (int k = 0; k < 2; k++)
		if (profile_total[k] > 0)
			noise->unchanged_part =
			    fmax(noise->unchanged_part, kept[k] / profile_total[k]);
	return references > 0 ? same / references : 0;
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
			noise->factor[r] += row_of(f, i)[r];
	}
	memcpy(noise->reference_sum, noise->factor, f->runs * sizeof *noise->factor);
	noise->reference_mean = sum;
	noise->reference_squares = squares;
	scalefactor_level(noise->factor, f->compared, f->runs);
	noise->factor_error =
	    sum > 0 ? sqrt(noise->period * sum + noise->spread * noise->spread * squares) / sum : 0;
}

/* Compare amounts as they were measured. */
static void
no_factors(struct fit *f)
{
	struct noise *noise = f->noise;
	double same;

	noise->scaled = false;
	for (unsigned r = 0; r < f->runs; r++)
		noise->factor[r] = 1;
	noise->factor_error = noise->run_spread;
	same = keep_unchanged(f, noise->run_spread);
	noise->nameless = !noise->caused && noise->unchanged_part < NOISE_UNCHANGED && same < NAMES;
}

/*
 * True if one function that seems unchanged has nearly all of a significant change of the total:
 * then it was the scale, by which it did not change. False if the others changed as it did, as on
 * a slower machine.
 */
static bool
caused_by_one(const struct fit *f)
{
	const struct noise *noise = f->noise;
	double whole[2] = {0, 0}, limit, error, own, others;
	const unsigned n[2] = {noise->nbase, noise->nhead};

	if (noise_profile_total(noise, INFINITY, &limit).verdict != VERDICT_REAL)
		return false;
	for (unsigned r = 0; r < f->compared; r++)
		whole[r >= n[0]] += noise->profile_total[r] / n[r >= n[0]];
	for (size_t i = 0; i < f->n; i++) {
		double x[2] = {0, 0}, rest[2];

		for (unsigned r = 0; r < f->compared; r++)
			x[r >= n[0]] += row_of(f, i)[r] / n[r >= n[0]];
		if (!f->kept[i] || (x[1] - x[0]) / (whole[1] - whole[0]) < CAUSE)
			continue;
		rest[0] = whole[0] - x[0];
		rest[1] = whole[1] - x[1];
		if (x[0] <= 0 || x[1] <= 0 || rest[0] <= 0 || rest[1] <= 0)
			return true;
		own = log(x[1] / x[0]);
		others = log(rest[1] / rest[0]);
		error = sqrt(noise->period / (rest[0] * n[0]) + noise->period / (rest[1] * n[1]));
		return own > 0 ? others < own - error / 2 : others > own + error / 2;
	}
	return false;
}

void
scalefactor_fit(struct noise *noise, const double *self, size_t n)
{
	struct fit f = {.noise = noise, .self = self, .n = n};

	f.compared = noise->nbase + noise->nhead;
	f.runs = f.compared + noise->nhistory;
	f.share = cli_alloc(n, sizeof *f.share);
	f.scaled_mean = cli_alloc(n, 2 * sizeof *f.scaled_mean);
	f.common = cli_alloc(n, sizeof *f.common);
	f.kept = cli_alloc(n, sizeof *f.kept);
	noise->reference = f.kept;
	noise->reference_sum = cli_alloc(f.runs, sizeof *noise->reference_sum);
	find_common(&f);
	median_factors(&f);
	noise->scaled = true;
	for (int round = 0; round < ROUNDS && noise->scaled; round++) {
		keep_unchanged(&f, noise->factor_error);
		noise->scaled = noise->unchanged_part >= NOISE_UNCHANGED;
		if (noise->scaled)
			sum_factors(&f);
	}
	noise->caused = noise->scaled && !noise->shares && caused_by_one(&f);
	if ((!noise->scaled || noise->caused) && !noise->shares)
		no_factors(&f);
	free(f.share);
	free(f.scaled_mean);
	free(f.common);
	if (!noise->scaled) {
		free(noise->reference_sum);
		noise->reference_sum = NULL;
	}
}

void
scalefactor_exact(struct noise *noise)
{
	unsigned compared = noise->nbase + noise->nhead, runs = compared + noise->nhistory;

	noise->factor_error = 0;
	noise->unchanged_part = 1;
	noise->scaled = true;
	if (!noise->shares)
		return;
	for (unsigned r = 0; r < runs; r++)
		noise->factor[r] = noise->profile_total[r];
	scalefactor_level(noise->factor, compared, runs);
}
