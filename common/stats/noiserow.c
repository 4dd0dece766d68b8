/*
 * noiserow: one row of values: its runs, brought to one size, as means and sums of squares.
 */
#include "stats/noisemodel.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "stats/distribution.h"
#include "stats/scalefactor.h"

#define HISTORY_STEPS 8 /* runs of a history from which on a lasting change can be recognized */
#define TRIMMED \
	0.62 /* approximate mean of chi squared (1 degree of freedom) below its 90th percentile */
#define OTHERS 0.2 /* smallest part of the reference, without the function, that gives a scale */

double
noise_mean(const double *x, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += x[i];
	return n != 0 ? sum / n : 0;
}

/* Number of runs of base (0), head (1) and history (2), and the index of the first one in a row. */
unsigned
noise_runs_of(const struct noise *noise, int side)
{
	return side == 0 ? noise->nbase : side == 1 ? noise->nhead : noise->nhistory;
}

unsigned
noise_first_of(const struct noise *noise, int side)
{
	return side == 0 ? 0 : side == 1 ? noise->nbase : noise->nbase + noise->nhead;
}

unsigned
noise_all_runs(const struct noise *noise)
{
	return noise->nbase + noise->nhead + noise->nhistory;
}

double
noise_degrees(const struct noise *noise)
{
	return noise->nbase + noise->nhead - 2.0;
}

double
noise_history_degrees(const struct noise *noise)
{
	return noise->nhistory > 1 ? noise->nhistory - 1.0 : 0;
}

/* True if the runs do not show how much they differ. */
bool
noise_is_assumed(const struct noise *noise)
{
	return noise->kind == NOISE_COUNTS ||
	       noise_degrees(noise) + noise_history_degrees(noise) == 0;
}

/* 1/n of base plus 1/n of head: variance of a difference of means, over that of one run. */
double
noise_per_run(const struct noise *noise)
{
	return 1.0 / noise->nbase + 1.0 / noise->nhead;
}

/*
 * Sum of squares within the history. Its program may have changed during it: if neighbouring runs
 * differ much less than all runs do, the differences between neighbours are used (von Neumann
 * 1941).
 */
double
noise_history_scatter(const double *x, unsigned n, double *df)
{
	unsigned kept =
	    (n - 1) - (n - 1 + 9) / 10; /* drops the largest tenth of the differences, rounded up */
	double centre = noise_mean(x, n), all = 0, steps = 0, square[n];

	for (unsigned r = 0; r < n; r++)
		all += pow(x[r] - centre, 2);
	*df = n - 1.0;
	if (n < HISTORY_STEPS)
		return all;
	for (unsigned r = 1; r < n; r++)
		square[r - 1] = pow(x[r] - x[r - 1], 2) / 2;
	sort_items(square, n - 1, sizeof *square, compare_doubles);
	for (unsigned r = 0; r < kept; r++)
		steps += square[r] / kept / TRIMMED;
	if (steps >= all / *df / 2)
		return all;
	*df /= 2;
	return steps * *df;
}

/*
 * Factors for a row of a reference function: from the other reference functions, if enough are
 * left. With the row's own values in the factors, it would be compared with itself.
 */
static const double *
factors_of_others(const struct noise *noise, const double *row, double *factor, double *error)
{
	unsigned compared = noise->nbase + noise->nhead, runs = noise_all_runs(noise);
	double own = 0, all = 0, mu = 0, rest;

	for (unsigned r = 0; r < compared; r++) {
		own += row[r];
		all += noise->reference_sum[r];
		mu += row[r] / noise->factor[r] / compared;
	}
	rest = noise->reference_mean - mu;
	if (own > (1 - OTHERS) * all || rest <= 0)
		return noise->factor;
	for (unsigned r = 0; r < runs; r++)
		factor[r] = noise->reference_sum[r] - row[r];
	scalefactor_level(factor, compared, runs);
	*error = sqrt(noise->prior *
		      (noise->period * rest +
			  pow(noise->spread, 2) * fmax(noise->reference_squares - mu * mu, 0))) /
		 rest;
	return factor;
}

/* The means of a row on both sides, measured and scaled, and the scatter of its runs. */
void
noise_summarize(const struct noise *noise, const double *row, bool reference, struct change *c)
{
	double past[noise->nhistory + 1], others[noise_all_runs(noise)];
	const double *factor = noise->factor;

	c->factor_error = noise->factor_error;
	if (reference && noise->reference_sum != NULL)
		factor = factors_of_others(noise, row, others, &c->factor_error);

	for (int side = 0; side < 2; side++) {
		const double *x = row + noise_first_of(noise, side);
		const double *s = factor + noise_first_of(noise, side);
		unsigned n = noise_runs_of(noise, side);
		double measured = noise_mean(x, n);

		c->scaled_mean[side] = 0;
		c->scatter[side] = 0;
		for (unsigned r = 0; r < n; r++)
			c->scaled_mean[side] += x[r] / s[r] / n;
		for (unsigned r = 0; r < n; r++)
			c->scatter[side] += pow(x[r] / s[r] - c->scaled_mean[side], 2);
		if (noise->shares)
			measured = c->scaled_mean[side] * noise->size[1];
		*(side == 0 ? &c->base : &c->head) = measured;
	}
	c->past_df = c->past = c->scatter[2] = 0;
	if (noise->nhistory < 2)
		return;
	for (unsigned r = 0; r < noise->nhistory; r++)
		past[r] = row[noise_first_of(noise, 2) + r] / factor[noise_first_of(noise, 2) + r];
	c->past = noise_mean(past, noise->nhistory);
	if (c->past > 0)
		c->scatter[2] = noise_history_scatter(past, noise->nhistory, &c->past_df);
}

/* Uses the sum of both sides, which is independent of their difference. */
bool
noise_in_family(const struct noise *noise, const struct change *c)
{
	double profile_total[2] = {0, 0}, larger;

	for (int side = 0; side < 2; side++)
		for (unsigned r = 0; r < noise_runs_of(noise, side); r++)
			profile_total[side] +=
			    noise->profile_total[noise_first_of(noise, side) + r] /
			    noise->factor[noise_first_of(noise, side) + r] /
			    noise_runs_of(noise, side);
	larger = fmax(profile_total[0], profile_total[1]);
	return c->scaled_mean[0] + c->scaled_mean[1] > 0 &&
	       c->scaled_mean[0] + c->scaled_mean[1] >= NOISE_FAMILY * larger;
}
