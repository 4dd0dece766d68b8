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
#include "base/vec.h"
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
	bool *common; /* by row: present on both sides */
	struct reference {
		size_t row;
		double share; /* mean of those of the totals of base and head */
	} * reference; /* common rows that are large enough, in their order */
	size_t nreference, capreference;
	bool *kept; /* by row: unchanged */
	size_t nkept;
	double sum, squares; /* of the scaled means of those */
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
		double sum[2] = {0, 0}, share = 0;
		unsigned n = 0;

		for (unsigned r = 0; r < f->compared; r++) {
			sum[r >= noise->nbase] += row[r];
			if (noise->profile_total[r] > 0) {
				share += row[r] / noise->profile_total[r];
				n++;
			}
		}
		share = n != 0 ? share / n : 0;
		f->common[i] = sum[0] > 0 && sum[1] > 0;
		if (!f->common[i] || share < NOISE_FAMILY)
			continue;
		vec_fit(f->reference, f->capreference, f->nreference + 1);
		f->reference[f->nreference++] = (struct reference){i, share};
	}
}

static void
median_factors(struct fit *f)
{
	struct noise *noise = f->noise;
	double w = noise->period, precision = 0, spread = fmax(noise->spread, SPREAD_MIN), mu = 0;
	double *ratio = cli_alloc(f->nreference, sizeof *ratio);

	for (unsigned r = 0; r < f->runs; r++) {
		double profile_total = noise->profile_total[r];

		for (size_t i = 0; i < f->nreference; i++)
			ratio[i] = log((row_of(f, f->reference[i].row)[r] + w / 2) /
				       (f->reference[i].share * profile_total + w / 2));
		noise->factor[r] = profile_total * exp(distribution_median(ratio, f->nreference));
		if (r < f->compared)
			mu += profile_total / f->compared;
	}
	scalefactor_level(noise->factor, f->compared, f->runs);
	for (size_t i = 0; i < f->nreference; i++)
		precision += 1 / (w / (f->reference[i].share * mu) + spread * spread);
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
	double kept[2] = {0, 0}, profile_total[2] = {0, 0}, same = 0;

	f->nkept = 0;
	f->sum = f->squares = 0;
	for (size_t i = 0; i < f->n; i++) {
		double x[2] = {0, 0}, mu, v;

		for (unsigned r = 0; r < f->compared; r++)
			x[r >= noise->nbase] += row_of(f, i)[r] / noise->factor[r] /
						(r < noise->nbase ? noise->nbase : noise->nhead);
		mu = (x[0] + x[1]) / 2;
		v = noise->period * mu + (pow(noise->spread, 2) + pow(error, 2)) * mu * mu;
		v *= 1.0 / noise->nbase + 1.0 / noise->nhead;
		f->kept[i] = f->common[i] && fabs(x[1] - x[0]) <= CHANGED * sqrt(v);
		f->nkept += f->kept[i];
		f->sum += f->kept[i] ? mu : 0;
		f->squares += f->kept[i] ? mu * mu : 0;
		for (int k = 0; k < 2; k++) {
			profile_total[k] += x[k];
			kept[k] += f->kept[i] ? x[k] : 0;
		}
	}
	for (size_t i = 0; i < f->nreference; i++)
		same += f->kept[f->reference[i].row];
	noise->unchanged_part = 0;
	for (int k = 0; k < 2; k++)
		if (profile_total[k] > 0)
			noise->unchanged_part =
			    fmax(noise->unchanged_part, kept[k] / profile_total[k]);
	return f->nreference > 0 ? same / (double)f->nreference : 0;
}

static void
sum_factors(struct fit *f)
{
	struct noise *noise = f->noise;

	noise->unchanged = f->nkept;
	memset(noise->factor, 0, f->runs * sizeof *noise->factor);
	for (size_t i = 0; i < f->n; i++)
		for (unsigned r = 0; f->kept[i] && r < f->runs; r++)
			noise->factor[r] += row_of(f, i)[r];
	memcpy(noise->reference_sum, noise->factor, f->runs * sizeof *noise->factor);
	noise->reference_mean = f->sum;
	noise->reference_squares = f->squares;
	scalefactor_level(noise->factor, f->compared, f->runs);
	noise->factor_error =
	    f->sum > 0
		? sqrt(noise->period * f->sum + noise->spread * noise->spread * f->squares) / f->sum
		: 0;
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
	free(f.reference);
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
