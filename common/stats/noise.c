/*
 * noise: values of functions in runs go in, verdicts come out.
 *
 * Runs are brought to one size first (factors.c), so that a slow machine, which all
 * functions share, and a function that became faster make nobody else change. What is
 * left of a function's variance between runs is that of sampling and a spread relative
 * to its size, times a factor of its own, and these factors are shrunk towards what they
 * have in common: Smyth, "Linear Models and Empirical Bayes Methods for Assessing
 * Differential Expression in Microarray Experiments" (2004). Few runs say little of the
 * spread, so it is assumed: NOISE_SPREAD where there is one run a side, less the more
 * there are. Self values alone teach what is common to them, since totals hold each
 * other and would agree too well.
 *
 * Amounts are the same test, and what was measured has to have changed the same way;
 * what all functions share is judged in the whole alone.
 *
 * Many functions are tested at once: the step-down of Holm, "A Simple Sequentially
 * Rejective Multiple Test Procedure" (1979), keeps the chance of any false alarm in a
 * family.
 */
#include "stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "stats/scalefactor.h"
#include "stats/distribution.h"

/* The prior is worth no more than so many degrees of freedom: functions differ in kind. */
#define PRIOR_DF 10

/* What is assumed of the whole's spread is worth so many. */
#define WHOLE_DF 4

bool
noise_is_exact(const char *name)
{
	/* The sums of fg-collapse --bottleneck, and callgrind's and cachegrind's events. */
	static const char *const exact[] = {"instruction", "cache", "memory", "Ir", "Dr", "Dw",
	    "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim", NULL};

	for (const char *const *c = exact; name != NULL && *c != NULL; c++)
		if (strcmp(name, *c) == 0)
			return true;
	return false;
}

static double
mean(const double *x, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += x[i];
	return n != 0 ? sum / n : 0;
}

static unsigned
runs_of(const struct noise *noise, int side)
{
	return side == 0 ? noise->nbase : noise->nhead;
}

static unsigned
first_of(const struct noise *noise, int side)
{
	return side == 0 ? 0 : noise->nbase;
}

static double
degrees(const struct noise *noise)
{
	return noise->nbase + noise->nhead - 2.0;
}

/* 1/n of base plus 1/n of head: a difference of means has this times one run's variance. */
static double
per_run(const struct noise *noise)
{
	return 1.0 / noise->nbase + 1.0 / noise->nhead;
}

/* The means of a row on both sides, as they are and scaled_mean, and how its runs scatter. */
static void
summarize(const struct noise *noise, const double *row, struct change *c)
{
	double raw[2];

	c->scatter = 0;
	for (int side = 0; side < 2; side++) {
		const double *x = row + first_of(noise, side);
		const double *s = noise->factor + first_of(noise, side);
		unsigned n = runs_of(noise, side);

		raw[side] = mean(x, n);
		c->scaled_mean[side] = 0;
		for (unsigned r = 0; r < n; r++)
			c->scaled_mean[side] += x[r] / s[r] / n;
		for (unsigned r = 0; r < n; r++)
			c->scatter += pow(x[r] / s[r] - c->scaled_mean[side], 2);
	}
	c->base = raw[0];
	c->head = raw[1];
	if (noise->shares) {
		c->base = c->scaled_mean[0] * noise->size[1];
		c->head = c->scaled_mean[1] * noise->size[1];
	}
}

/* Both sides' sum decides: it says nothing about the difference, so choosing by it is free. */
static bool
in_family(const struct noise *noise, const struct change *c)
{
	double whole[2] = {0, 0}, larger;

	for (int side = 0; side < 2; side++)
		for (unsigned r = 0; r < runs_of(noise, side); r++)
			whole[side] += noise->whole[first_of(noise, side) + r] /
				       noise->factor[first_of(noise, side) + r] /
				       runs_of(noise, side);
	larger = fmax(whole[0], whole[1]);
	return c->scaled_mean[0] + c->scaled_mean[1] > 0 &&
	       c->scaled_mean[0] + c->scaled_mean[1] >= NOISE_FAMILY * larger;
}

/* What sampling alone makes of the variance of one scaled_mean run's value. */
static double
sampling_variance(const struct noise *noise, double mu)
{
	return noise->period * mu * (noise->inverse[0] + noise->inverse[1]) / 2;
}

static double
model_variance(const struct noise *noise, double mu)
{
	return sampling_variance(noise, mu) + noise->spread * noise->spread * mu * mu;
}

/* Mean and variance of log u, from which prior and prior_df follow (Smyth 2004, section 6.2). */
static void
fit_prior(struct noise *noise, const double *u, size_t n)
{
	double half = degrees(noise) / 2, centre = 0, excess = 0;

	for (size_t i = 0; i < n; i++)
		centre += (log(u[i]) - digamma(half) + log(half)) / (double)n;
	for (size_t i = 0; i < n; i++)
		excess += pow(log(u[i]) - digamma(half) + log(half) - centre, 2);
	excess = n > 1 ? excess / (double)(n - 1) - trigamma(half) : 0;
	noise->prior_df = excess > 0 ? 2 * trigamma_inverse(excess) : INFINITY;
	noise->prior = exp(centre);
	if (excess > 0)
		noise->prior *= exp(digamma(noise->prior_df / 2) - log(noise->prior_df / 2));
	noise->prior = fmax(noise->prior, 1);
	noise->prior_df = fmin(noise->prior_df, PRIOR_DF);
}

/* What is assumed of a function's spread between runs, the less the more runs there are. */
static double
assumed_spread(const struct noise *noise)
{
	return noise->kind == NOISE_RUNS ? NOISE_SPREAD / (1 + degrees(noise)) : 0;
}

static void
mean_factors(struct noise *noise)
{
	for (int side = 0; side < 2; side++) {
		const double *s = noise->factor + first_of(noise, side);
		unsigned n = runs_of(noise, side);

		noise->size[side] = mean(s, n);
		noise->inverse[side] = 0;
		for (unsigned r = 0; r < n; r++)
			noise->inverse[side] += 1 / s[r] / n;
	}
}

void
noise_fit(struct noise *noise, const double *self, size_t n)
{
	unsigned runs = noise->nbase + noise->nhead;
	double *u;
	size_t m = 0;

	noise->factor = cli_alloc(runs, sizeof *noise->factor);
	for (unsigned r = 0; r < runs; r++)
		noise->factor[r] = 1;
	noise->spread = assumed_spread(noise);
	noise->prior = 1;
	noise->prior_df = 0;
	if (noise->kind == NOISE_NONE)
		scalefactor_wholes(noise);
	else
		scalefactor_fit(noise, self, n);
	mean_factors(noise);
	if (noise->kind != NOISE_RUNS || degrees(noise) == 0)
		return;
	u = cli_alloc(n, sizeof *u);
	for (size_t i = 0; i < n; i++) {
		struct change c;

		summarize(noise, self + i * runs, &c);
		/* A variance of 0 has no logarithm, and is below what sampling leaves in any case.
		 */
		if (in_family(noise, &c))
			u[m++] = fmax(
			    c.scatter / degrees(noise) /
				model_variance(noise, (c.scaled_mean[0] + c.scaled_mean[1]) / 2),
			    1e-3);
	}
	if (m > 0)
		fit_prior(noise, u, m);
	free(u);
}

void
noise_free(struct noise *noise)
{
	free(noise->factor);
	noise->factor = NULL;
}

static double
test_df(const struct noise *noise)
{
	if (noise->kind == NOISE_COUNTS || degrees(noise) == 0)
		return INFINITY;
	return noise->prior_df + degrees(noise);
}

/* The standard error of a difference of scaled_mean means, whose runs scatter by as much. */
static double
standard_error(const struct noise *noise, const double scaled_mean[2], double scatter)
{
	double mu = (scaled_mean[0] + scaled_mean[1]) / 2, shared = noise->factor_error * mu, v;

	if (noise->kind == NOISE_COUNTS || degrees(noise) == 0)
		return sqrt(noise->period * (scaled_mean[0] * noise->inverse[0] / noise->nbase +
						scaled_mean[1] * noise->inverse[1] / noise->nhead) +
			    (pow(noise->spread * mu, 2) + shared * shared) * per_run(noise));
	v = (noise->prior_df * noise->prior * model_variance(noise, mu) + scatter) /
	    (noise->prior_df + degrees(noise));
	v = fmax(v, sampling_variance(noise, mu));
	return sqrt((v + shared * shared) * per_run(noise));
}

/* The chance that any of so many tests finds a change as large, and nothing is there. */
static double
change_p(const struct noise *noise, const struct change *c, double tests)
{
	double scaled_mean = c->scaled_mean[1] - c->scaled_mean[0];

	if (scaled_mean == 0 || (!noise->shares && scaled_mean * (c->head - c->base) <= 0))
		return 1;
	if (c->error <= 0)
		return 0;
	return fmin(1, tests * student_p(scaled_mean / c->error, test_df(noise)));
}

/* Whether a change would be real with so much more in head; t is the limit of the test. */
static bool
visible(const struct noise *noise, const struct change *c, double more, double t)
{
	double scaled_mean[2] = {c->scaled_mean[0], c->scaled_mean[0] + more};

	return more > t * standard_error(noise, scaled_mean, c->scatter);
}

/* The smallest scaled_mean increase that is visible; INFINITY for none. */
static double
even_limit(const struct noise *noise, const struct change *c)
{
	double t = student_limit((1 - noise->confidence) / c->tests, test_df(noise));
	double step = fmax(c->scaled_mean[0], noise->period) / 1024, lo = 0, hi = step;

	for (; !visible(noise, c, hi, t); hi *= 2) {
		lo = hi;
		if (hi > step * 1e15)
			return INFINITY;
	}
	while (hi - lo > 1e-6 * hi) {
		double mid = (lo + hi) / 2;

		if (visible(noise, c, mid, t))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

double
noise_scale(const struct noise *noise)
{
	return noise->size[noise->shares];
}

double
noise_limit(const struct noise *noise, const struct change *change)
{
	if (noise->kind == NOISE_NONE)
		return 0;
	return change->tests > 0 ? even_limit(noise, change) * noise_scale(noise) : INFINITY;
}

struct change
noise_typical(const struct noise *noise, double base, size_t n)
{
	struct change c = {.tests = (double)(n > 0 ? n : 1)};

	c.scaled_mean[0] = c.scaled_mean[1] = base / noise_scale(noise);
	c.scatter = degrees(noise) * noise->prior * model_variance(noise, c.scaled_mean[0]);
	c.base = c.head = c.scaled_mean[0] * noise->size[1];
	return c;
}

unsigned
noise_runs_needed(const struct noise *noise, const struct change *change, double increase)
{
	double df = degrees(noise);
	struct noise n = *noise;

	for (n.nbase = 3; n.nbase <= NOISE_RUNS_MAX; n.nbase++) {
		struct change c = *change;

		n.nhead = n.nbase;
		n.spread = assumed_spread(&n);
		if (df == 0 && n.kind == NOISE_RUNS) {
			/* What is not known yet is taken to be as the model has it. */
			n.prior = 1;
			n.prior_df = PRIOR_DF;
			c.scatter = degrees(&n) * model_variance(&n, c.scaled_mean[0]);
		} else if (df > 0) {
			c.scatter *= degrees(&n) / df;
		}
		if ((n.nbase > noise->nbase || n.nbase > noise->nhead) &&
		    noise_limit(&n, &c) <= increase)
			return n.nbase;
	}
	return 0;
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
		summarize(noise, rows + i * runs, c);
		if (noise->kind == NOISE_NONE) {
			c->verdict = c->base != c->head ? VERDICT_REAL : VERDICT_NOISE;
			c->p = c->base != c->head ? 0 : 1;
		} else if (in_family(noise, c)) {
			c->verdict = VERDICT_NOISE;
			c->error = standard_error(noise, c->scaled_mean, c->scatter);
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

/* The standard error of the difference of log wholes, and its degrees of freedom. */
static double
whole_error(const struct noise *noise, double *df)
{
	double sum = 0, spread, sampling = 0;

	for (int side = 0; side < 2; side++) {
		const double *whole = noise->whole + first_of(noise, side);
		unsigned n = runs_of(noise, side);
		double centre = 0;

		for (unsigned r = 0; r < n; r++)
			centre += log(fmax(whole[r], noise->period)) / n;
		for (unsigned r = 0; r < n; r++)
			sum += pow(log(fmax(whole[r], noise->period)) - centre, 2);
		sampling += noise->period / fmax(mean(whole, n), noise->period) / n;
	}
	*df = INFINITY;
	if (noise->kind == NOISE_COUNTS)
		return sqrt(sampling);
	*df = WHOLE_DF + degrees(noise);
	spread = (WHOLE_DF * NOISE_WHOLE_SPREAD * NOISE_WHOLE_SPREAD + sum) / *df;
	return sqrt(fmax(spread * per_run(noise), sampling));
}

struct change
noise_whole(const struct noise *noise, double *limit)
{
	struct change c = {.p = 1, .verdict = VERDICT_NOISE};
	double error, df, size;

	summarize(noise, noise->whole, &c);
	*limit = 0;
	if (noise->kind == NOISE_NONE) {
		c.p = c.base != c.head ? 0 : 1;
	} else if (!noise->shares) {
		error = whole_error(noise, &df);
		size = log(fmax(c.head, noise->period)) - log(fmax(c.base, noise->period));
		c.tests = 1;
		c.p = size != 0 ? student_p(size / error, df) : 1;
		*limit = c.base * expm1(error * student_limit(1 - noise->confidence, df));
	}
	if (c.p <= 1 - noise->confidence)
		c.verdict = VERDICT_REAL;
	return c;
}
