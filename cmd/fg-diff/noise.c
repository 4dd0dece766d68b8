/*
 * noise: values of functions in runs go in, verdicts come out.
 *
 * Counts, one run a side (or several taken together): samples of the same work are
 * Poisson counts, so that of b + h samples each is head's with a chance known
 * beforehand (Przyborowski and Wilenski 1940); shares of two wholes are Fisher's
 * exact test. Both hold whatever b + h is, so choosing what is tested by b + h
 * costs nothing.
 *
 * Runs: a run differs from the next in what all functions share (a slow machine) and
 * in what each has of its own. The first is one unknown, whose standard error the
 * wholes tell with few degrees of freedom. The second is pooled over functions: a
 * function's variance is that of sampling plus a spread relative to its size, times a
 * factor of its own, and these factors are shrunk towards what they have in common,
 * never below sampling: Smyth, "Linear Models and Empirical Bayes Methods for Assessing
 * Differential Expression in Microarray Experiments" (2004). Self values alone teach
 * what is common to them, since totals hold each other and would agree too well. The
 * two are put together as Behrens and Fisher did: the chance of a change is that of
 * its own part, averaged over Student's t of the common one.
 *
 * Many functions are tested at once: the step-down of Holm, "A Simple Sequentially
 * Rejective Multiple Test Procedure" (1979), keeps the chance of any false alarm in a
 * family. What is common is one event for all, so only the own part is multiplied.
 */
#include "noise.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/cli.h"
#include "stats.h"

static double
mean(const double *x, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += x[i];
	return n != 0 ? sum / n : 0;
}

/* What a value of run r is multiplied with: 1, or what makes all wholes head's mean whole. */
static double
scale(const struct noise *noise, unsigned r)
{
	if (!noise->shares || noise->whole[r] <= 0)
		return 1;
	return mean(noise->whole + noise->nbase, noise->nhead) / noise->whole[r];
}

static void
sides(const struct noise *noise, const double *row, struct change *c)
{
	unsigned runs = noise->nbase + noise->nhead;

	c->base = c->head = 0;
	for (unsigned r = 0; r < runs; r++)
		if (r < noise->nbase)
			c->base += row[r] * scale(noise, r) / noise->nbase;
		else
			c->head += row[r] * scale(noise, r) / noise->nhead;
}

/* Of the mean whole of a side; with shares both are head's. */
static double
larger_whole(const struct noise *noise)
{
	double base = mean(noise->whole, noise->nbase);
	double head = mean(noise->whole + noise->nbase, noise->nhead);

	return noise->shares || head > base ? head : base;
}

/* Both sides' sum decides: it says nothing about the difference, so choosing by it is free. */
static bool
in_family(const struct noise *noise, const struct change *c)
{
	return c->base + c->head > 0 && c->base + c->head >= NOISE_FAMILY * larger_whole(noise);
}

/* 1/n of base plus 1/n of head: a difference of means has this times one run's variance. */
static double
per_run(const struct noise *noise)
{
	return 1.0 / noise->nbase + 1.0 / noise->nhead;
}

static double
degrees(const struct noise *noise)
{
	return noise->nbase + noise->nhead - 2.0;
}

/* What sampling alone makes of a run's value, and with it the spread between runs. */
static double
sampling_variance(const struct noise *noise, double value)
{
	return noise->period * value;
}

static double
model_variance(const struct noise *noise, double value)
{
	return sampling_variance(noise, value) + noise->spread2 * value * value;
}

/*
 * The variance of a row within its sides, what all of a run has in common taken out: each
 * run's value is divided by how its whole stands to the mean whole of its side.
 */
static double
own_variance(const struct noise *noise, const double *row)
{
	double sum = 0;

	for (unsigned side = 0; side < 2; side++) {
		const double *whole = side == 0 ? noise->whole : noise->whole + noise->nbase;
		const double *x = side == 0 ? row : row + noise->nbase;
		unsigned n = side == 0 ? noise->nbase : noise->nhead;
		double level = noise->shares ? larger_whole(noise) : mean(whole, n), centre = 0;

		for (int pass = 0; pass < 2; pass++)
			for (unsigned r = 0; r < n; r++) {
				double v = whole[r] > 0 ? x[r] * level / whole[r] : 0;

				if (pass == 0)
					centre += v / n;
				else
					sum += (v - centre) * (v - centre);
			}
	}
	return sum / degrees(noise);
}

/* The relative variance of a run's whole within its side. */
static double
whole_variance(const struct noise *noise)
{
	double sum = 0;

	for (unsigned r = 0; r < noise->nbase + noise->nhead; r++) {
		double level = r < noise->nbase ? mean(noise->whole, noise->nbase)
						: mean(noise->whole + noise->nbase, noise->nhead);

		if (level > 0)
			sum += pow(noise->whole[r] / level - 1, 2);
	}
	return sum / degrees(noise);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Mean and variance of log u, from which prior and prior_df follow (Smyth 2004, section 6.2). */
static void
fit_prior(struct noise *noise, const double *u, size_t n)
{
	double half = degrees(noise) / 2, centre = 0, excess = 0;

	for (size_t i = 0; i < n; i++)
		centre += (log(u[i]) - stats_digamma(half) + log(half)) / (double)n;
	for (size_t i = 0; i < n; i++)
		excess += pow(log(u[i]) - stats_digamma(half) + log(half) - centre, 2);
	excess = n > 1 ? excess / (double)(n - 1) - stats_trigamma(half) : 0;
	noise->prior_df = excess > 0 ? 2 * stats_trigamma_inverse(excess) : INFINITY;
	noise->prior = exp(centre);
	if (excess > 0)
		noise->prior *= exp(stats_digamma(noise->prior_df / 2) - log(noise->prior_df / 2));
}

void
noise_fit(struct noise *noise, const double *self, size_t n)
{
	unsigned runs = noise->nbase + noise->nhead;
	double *size, *variance, *u, median_chi2;
	size_t m = 0;

	if (noise->kind != NOISE_RUNS)
		return;
	noise->common = noise->shares ? 0 : sqrt(whole_variance(noise) * per_run(noise));
	for (int i = 0; i < NOISE_GRID; i++)
		noise->common_t[i] = stats_t_limit(pow(NOISE_SLICE, i + 0.5), degrees(noise));
	size = cli_alloc(n, sizeof *size);
	variance = cli_alloc(n, sizeof *variance);
	u = cli_alloc(n, sizeof *u);
	for (size_t i = 0; i < n; i++) {
		struct change c;

		sides(noise, self + i * runs, &c);
		if (!in_family(noise, &c))
			continue;
		size[m] = (c.base + c.head) / 2;
		variance[m] = own_variance(noise, self + i * runs);
		m++;
	}

	/* The median function tells the spread: one that is out of line does not move it. */
	median_chi2 = pow(1 - 2 / (9 * degrees(noise)), 3);
	noise->spread2 = 0;
	for (size_t i = 0; i < m; i++)
		u[i] = (variance[i] / median_chi2 - sampling_variance(noise, size[i])) /
		       (size[i] * size[i]);
	qsort(u, m, sizeof *u, compare_doubles);
	if (m > 0)
		noise->spread2 = fmax(0, u[m / 2]);

	/* A variance of 0 has no logarithm, and is below what sampling leaves in any case. */
	for (size_t i = 0; i < m; i++)
		u[i] = fmax(variance[i] / model_variance(noise, size[i]), 1e-3);
	noise->prior = 1;
	noise->prior_df = 0;
	if (m > 0)
		fit_prior(noise, u, m);
	noise->df_max = (double)(m > 0 ? m : 1) * degrees(noise);
	free(size);
	free(variance);
	free(u);
}

static double
runs_df(const struct noise *noise)
{
	return fmin(noise->prior_df + degrees(noise), noise->df_max);
}

/* The standard error of a difference of means, with the moderated variance. */
static double
runs_error(const struct noise *noise, double size, double factor)
{
	double df = degrees(noise), moderated = noise->prior;

	if (!isinf(noise->prior_df))
		moderated = (noise->prior_df * noise->prior + df * factor) / (noise->prior_df + df);
	return sqrt(fmax(moderated * model_variance(noise, size), sampling_variance(noise, size)) *
		    per_run(noise));
}

static double
row_error(const struct noise *noise, const double *row, const struct change *c)
{
	double size = (c->base + c->head) / 2;

	return runs_error(noise, size, own_variance(noise, row) / model_variance(noise, size));
}

/* Samples of a side, all runs together. */
static double
samples(const struct noise *noise, double value, unsigned runs)
{
	return round(value * runs / noise->period);
}

static double
counts_p(const struct noise *noise, double base, double head)
{
	double whole_base = noise->period, whole_head = noise->period;

	if (!noise->shares)
		return stats_split(samples(noise, head, noise->nhead),
		    samples(noise, base, noise->nbase),
		    (double)noise->nhead / (noise->nbase + noise->nhead));
	whole_base = mean(noise->whole, noise->nbase);
	whole_head = mean(noise->whole + noise->nbase, noise->nhead);
	/* base was scaled to head's whole: back to what was counted. */
	return stats_shares(
	    samples(noise, whole_head > 0 ? base * whole_base / whole_head : 0, noise->nbase),
	    samples(noise, whole_base, noise->nbase), samples(noise, head, noise->nhead),
	    samples(noise, whole_head, noise->nhead));
}

/* The chance that any of so many tests finds a change as large, and nothing is there. */
static double
runs_p(const struct noise *noise, const struct change *c, double tests)
{
	double change = fabs(c->head - c->base), common = noise->common * fmax(c->base, c->head);
	double p = 0, slice = 1;

	if (change == 0)
		return 1;
	for (int i = 0; i < NOISE_GRID; i++) {
		double own = common > 0 ? change - common * noise->common_t[i] : change;

		if (own <= 0)
			return fmin(1, p + slice);
		p += slice * (1 - NOISE_SLICE) *
		     fmin(1, c->error > 0 ? tests * stats_t(own / c->error, runs_df(noise)) : 0);
		slice *= NOISE_SLICE;
		if (common <= 0)
			return p / (1 - NOISE_SLICE);
	}
	return fmin(1, p + slice);
}

static double
change_p(const struct noise *noise, const struct change *c, double tests)
{
	if (noise->kind == NOISE_RUNS)
		return runs_p(noise, c, tests);
	return fmin(1, tests * counts_p(noise, c->base, c->head));
}

double
noise_limit(const struct noise *noise, const struct change *change)
{
	/* With counts in whole samples, with runs in parts of the standard error. */
	double step = noise->period / noise->nhead, lo = 0, hi = 1, most = INFINITY;
	struct change c = *change;

	if (noise->kind == NOISE_NONE)
		return 0;
	if (c.tests == 0)
		return INFINITY;
	if (noise->kind == NOISE_RUNS)
		step = c.error / 1024;
	else if (noise->shares)
		most = mean(noise->whole + noise->nbase, noise->nhead) - c.base;
	while (hi < 1e15) {
		c.head = fmin(c.base + hi * step, c.base + most);
		if (change_p(noise, &c, c.tests) <= 1 - noise->confidence)
			break;
		if (hi * step >= most)
			return INFINITY;
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1 && hi - lo > hi * 1e-6) {
		double mid = floor((lo + hi) / 2);

		c.head = c.base + mid * step;
		if (change_p(noise, &c, c.tests) > 1 - noise->confidence)
			lo = mid;
		else
			hi = mid;
	}
	return hi < 1e15 ? fmin(hi * step, most) : INFINITY;
}

double
noise_limit_at(const struct noise *noise, double base, size_t n)
{
	struct change c = {.base = base, .tests = (double)(n > 0 ? n : 1)};

	if (noise->kind == NOISE_RUNS)
		c.error = runs_error(noise, base, noise->prior);
	return noise_limit(noise, &c);
}

struct tested {
	double p;
	size_t row;
};

static int
compare_tested(const void *a, const void *b)
{
	const struct tested *x = a, *y = b;

	return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->row > y->row) - (x->row < y->row);
}

void
noise_judge(const struct noise *noise, const double *rows, size_t n, struct change *change)
{
	unsigned runs = noise->nbase + noise->nhead;
	struct tested *tested = cli_alloc(n, sizeof *tested);
	bool going = true;
	double tests;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		struct change *c = &change[i];

		*c = (struct change){.p = 1};
		sides(noise, rows + i * runs, c);
		if (noise->kind == NOISE_NONE) {
			c->verdict = c->base != c->head ? VERDICT_REAL : VERDICT_NOISE;
			c->p = c->base != c->head ? 0 : 1;
		} else if (in_family(noise, c)) {
			c->verdict = VERDICT_NOISE;
			if (noise->kind == NOISE_RUNS)
				c->error = row_error(noise, rows + i * runs, c);
			tested[m++] = (struct tested){change_p(noise, c, 1), i};
		}
	}
	qsort(tested, m, sizeof *tested, compare_tested);
	tests = (double)m;
	for (size_t k = 0; k < m; k++) {
		struct change *c = &change[tested[k].row];

		c->p = change_p(noise, c, tests);
		going = going && c->p <= 1 - noise->confidence;
		if (going) {
			c->verdict = VERDICT_REAL;
			tests--;
		}
	}
	for (size_t k = 0; k < m; k++)
		change[tested[k].row].tests = fmax(tests, 1);
	free(tested);
}

struct change
noise_whole(const struct noise *noise, double *limit)
{
	struct change c = {.p = 1, .verdict = VERDICT_NOISE};

	sides(noise, noise->whole, &c);
	*limit = 0;
	if (noise->kind == NOISE_NONE)
		c.p = c.base != c.head ? 0 : 1;
	else if (!noise->shares) {
		/* In runs the whole is what all have in common, and nothing else. */
		c.tests = 1;
		c.p = change_p(noise, &c, 1);
		*limit = noise->kind == NOISE_RUNS
			     ? noise->common * fmax(c.base, c.head) *
				   stats_t_limit(1 - noise->confidence, degrees(noise))
			     : noise_limit(noise, &c);
	}
	if (c.p <= 1 - noise->confidence)
		c.verdict = VERDICT_REAL;
	return c;
}
