/*
 * noise: the test of a change.
 *
 * Runs are first brought to one size (scalefactor.c). Otherwise a slow machine, which slows all
 * functions, or one function that became faster would change the others. The remaining variance of
 * a function between runs has two parts: sampling, and a spread proportional to its size. A factor
 * of the function's own multiplies both; these factors are shrunk towards their common mean: Smyth,
 * "Linear Models and Empirical Bayes Methods for Assessing Differential Expression in Microarray
 * Experiments" (2004). A few runs show little of the spread, so a spread is assumed: NOISE_SPREAD
 * with one run a side, less with more runs. Earlier runs of the same program (history) add their
 * degrees of freedom. The common mean is learnt from self values only: totals contain each other,
 * so they are not independent.
 *
 * The ratio rho between head and base is tested by a score test: the variances are those of the
 * means that rho implies. The verdict tests rho = 1, and the interval is the set of all rho that
 * are not rejected. So verdict and interval cannot contradict each other.
 *
 * Amounts are tested in the same way, but the measured values must also change in the same
 * direction. If the sizes of the two sides differ by more than runs do, the measured change must be
 * significant too: otherwise either this function or all the others could have changed.
 *
 * Many functions are tested at once. The step-down procedure of Holm, "A Simple Sequentially
 * Rejective Multiple Test Procedure" (1979), bounds the family-wise error rate: the probability of
 * any false alarm in the family.
 */
#include "stats/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "stats/distribution.h"
#include "stats/noisemodel.h"
#include "stats/scalefactor.h"

#define SPREAD_SAMPLES 10 /* minimum of samples per run for a function to show its spread */
#define SPREAD_FUNCTIONS 5 /* minimum of functions that show their spread */
#define SPREAD_WEIGHT 1000 /* upper limit of the samples that count in the weighted median */
/*
 * Upper limit of the prior's weight with a history, in degrees of freedom: with more, the intervals
 * of functions whose spread is unlike that of others are too narrow on recordings (t/bench/noise);
 * with less, power is lost (t/unit/coverage).
 */
#define PRIOR_DF_HISTORY 30

/* Assumed spread of run sizes, worth one degree of freedom where runs show it. */
#define RUN_SPREAD 0.05
#define RUN_SPREAD_DF 1
/* Degrees of freedom of NOISE_WHOLE_SPREAD, used where runs do not show a spread. */
#define ASSUMED_DF 4

/* Variance of one scaled run's value with the mean mu: sampling plus the model's spread. */
static double
sampling_variance(const struct noise *noise, double grain, double inverse, double mu)
{
	return noise->period * grain * mu * inverse;
}

double
noise_model_variance(const struct noise *noise, double grain, double inverse, double mu)
{
	return sampling_variance(noise, grain, inverse, mu) + pow(noise->spread * mu, 2);
}

double
noise_mean_inverse(const struct noise *noise)
{
	return (noise->inverse[0] + noise->inverse[1]) / 2;
}

/* Degrees of freedom of one function's scatter. */
static double
own_df(const struct noise *noise, const struct change *c)
{
	return noise_degrees(noise) + c->past_df;
}

/*
 * Sum of squares of a function's runs, divided by the model's variances, if base and head have the
 * means mu.
 */
static double
relative_scatter(const struct noise *noise, const struct change *c, const double mu[2])
{
	double sum = 0;

	for (int k = 0; k < 2; k++)
		if (c->scatter[k] > 0)
			sum += c->scatter[k] /
			       noise_model_variance(noise, c->grain, noise->inverse[k], mu[k]);
	if (c->past_df > 0 && c->past > 0)
		sum += c->scatter[2] /
		       noise_model_variance(noise, c->grain, noise_mean_inverse(noise), c->past);
	return sum;
}

static bool
reference_row(const struct noise *noise, size_t i)
{
	return noise->reference != NULL && noise->reference[i];
}

double
noise_grain(const struct noise *noise, size_t i)
{
	return noise->grain != NULL ? noise->grain[i] : 1;
}

struct spread_of {
	double square, weight;
};

static int
compare_spreads(const void *a, const void *b)
{
	double x = ((const struct spread_of *)a)->square, y = ((const struct spread_of *)b)->square;

	return (x > y) - (x < y);
}

/*
 * Spread of functions beyond sampling: median of n spreads, weighted by samples. Without the
 * weights, the many small functions would determine the prior, which would be too small for large
 * ones.
 */
static double
median_spread(struct spread_of *of, size_t n)
{
	double all = 0, sum = 0;

	sort_items(of, n, sizeof *of, compare_spreads);
	for (size_t i = 0; i < n; i++)
		all += of[i].weight;
	for (size_t i = 0; i < n; i++)
		if ((sum += of[i].weight) >= all / 2)
			return of[i].square > 0 ? sqrt(of[i].square) : 0;
	return 0;
}

/* Learn the spread from self values; the assumed spread is its lower limit. */
static void
fit_spread(struct noise *noise, const double *self, size_t n)
{
	struct spread_of *of = cli_alloc(n, sizeof *of);
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		struct change c;
		double mu, df, scatter, median, period = noise->period * noise_grain(noise, i);

		noise_summarize(
		    noise, self + i * noise_all_runs(noise), reference_row(noise, i), &c);
		mu = (c.scaled_mean[0] + c.scaled_mean[1]) / 2;
		df = own_df(noise, &c);
		if (df <= 0 || mu < SPREAD_SAMPLES * period || !noise_in_family(noise, &c))
			continue;
		/* Relative to the mean of its own runs: head may have changed. */
		scatter = c.past > 0 ? c.scatter[2] / (c.past * c.past) : 0;
		for (int k = 0; k < 2; k++)
			if (c.scaled_mean[k] > 0)
				scatter += c.scatter[k] / pow(c.scaled_mean[k], 2);
		median = pow(1 - 2 / (9 * df), 3); /* approximate median of chi squared / df */
		of[m++] = (struct spread_of){
		    scatter / df / median - period * noise_mean_inverse(noise) / mu,
		    fmin(mu / period, SPREAD_WEIGHT)};
	}
	if (m >= SPREAD_FUNCTIONS)
		noise->spread = fmax(noise->spread, median_spread(of, m));
	free(of);
}

/* Mean and variance of log u, from which prior and prior_df follow (Smyth 2004, section 6.2). */
static void
fit_prior(struct noise *noise, const double *u, size_t n, double df)
{
	double half = df / 2, centre = 0, excess = 0;
	double most = noise->nhistory > 1 ? PRIOR_DF_HISTORY : NOISE_PRIOR_DF;

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
	noise->prior_df = fmin(noise->prior_df, most);
}

/* Assumed spread of a function between runs; falls with the number of runs. */
double
noise_assumed_spread(const struct noise *noise)
{
	return noise->kind == NOISE_RUNS
		   ? NOISE_SPREAD / (1 + noise_degrees(noise) + noise_history_degrees(noise))
		   : 0;
}

/*
 * Spread of run sizes within the sides, from their logarithms and the assumed spread. *df: its
 * degrees of freedom.
 */
static double
log_spread(const struct noise *noise, const double *size, double *df)
{
	double sum = 0, seen = 0, spread = RUN_SPREAD, weight = RUN_SPREAD_DF;

	for (int side = 0; side < 3; side++) {
		const double *x = size + noise_first_of(noise, side);
		unsigned n = noise_runs_of(noise, side);
		double y[n + 1], own = 0;

		if (n < 2)
			continue;
		for (unsigned r = 0; r < n; r++)
			y[r] = log(fmax(x[r], noise->period / 2));
		if (side == 2) {
			sum += noise_history_scatter(y, n, &own);
		} else {
			for (unsigned r = 0; r < n; r++)
				sum += pow(y[r] - noise_mean(y, n), 2);
			own = n - 1.0;
		}
		seen += own;
	}
	if (seen == 0) {
		spread = NOISE_WHOLE_SPREAD;
		weight = ASSUMED_DF;
	}
	*df = weight + seen;
	return sqrt((weight * spread * spread + sum) / *df);
}

static void
mean_factors(struct noise *noise)
{
	for (int side = 0; side < 2; side++) {
		const double *s = noise->factor + noise_first_of(noise, side);
		unsigned n = noise_runs_of(noise, side);

		noise->size[side] = noise_mean(s, n);
		noise->inverse[side] = 0;
		for (unsigned r = 0; r < n; r++)
			noise->inverse[side] += 1 / s[r] / n;
	}
}

/* True if the sizes of the two sides differ by more than runs do. */
static bool
is_shifted(const struct noise *noise)
{
	double error = hypot(noise->run_spread, noise->factor_error) * sqrt(noise_per_run(noise));
	double df = noise->run_spread_df;

	if (noise->shares || !noise->scaled || noise->kind != NOISE_RUNS)
		return false;
	return fabs(log(noise->size[1] / noise->size[0])) >
	       error * student_limit(1 - noise->confidence, df);
}

void
noise_fit(struct noise *noise, const double *self, size_t n)
{
	unsigned runs = noise_all_runs(noise);
	double *u;
	size_t m = 0;

	noise->factor = cli_alloc(runs, sizeof *noise->factor);
	for (unsigned r = 0; r < runs; r++)
		noise->factor[r] = 1;
	noise->spread = noise_assumed_spread(noise);
	noise->prior = 1;
	noise->prior_df = 0;
	noise->nameless = noise->shifted = noise->caused = false;
	noise->reference = NULL;
	noise->reference_sum = NULL;
	noise->run_spread = log_spread(noise, noise->profile_total, &noise->run_spread_df);
	if (!noise_is_modelled(noise) || (noise->absolute && !noise->shares))
		scalefactor_exact(noise);
	else
		scalefactor_fit(noise, self, n);
	mean_factors(noise);
	if (noise->scaled && noise->kind == NOISE_RUNS)
		noise->run_spread = log_spread(noise, noise->factor, &noise->run_spread_df);
	noise->shifted = is_shifted(noise);
	if (noise->kind != NOISE_RUNS || noise_is_assumed(noise))
		return;
	if (!noise->scaled) /* otherwise it is part of each function's scatter */
		noise->factor_error = 0;
	fit_spread(noise, self, n);
	u = cli_alloc(n, sizeof *u);
	for (size_t i = 0; i < n; i++) {
		struct change c;
		double mu;

		noise_summarize(noise, self + i * runs, reference_row(noise, i), &c);
		c.grain = noise_grain(noise, i);
		mu = (c.scaled_mean[0] + c.scaled_mean[1]) / 2;
		/* A variance of 0 has no logarithm; it is less than sampling causes. */
		if (noise_in_family(noise, &c) && own_df(noise, &c) > 0)
			u[m++] = fmax(
			    relative_scatter(noise, &c, (double[]){mu, mu}) / own_df(noise, &c),
			    1e-3);
	}
	if (m > 0) {
		fit_prior(noise, u, m, noise_degrees(noise) + noise_history_degrees(noise));
		noise->factor_error *= sqrt(noise->prior);
	}
	free(u);
}

void
noise_free(struct noise *noise)
{
	free(noise->factor);
	free(noise->reference);
	free(noise->reference_sum);
	noise->factor = noise->reference_sum = NULL;
	noise->reference = NULL;
}

double
noise_test_df(const struct noise *noise, const struct change *c)
{
	if (noise_is_assumed(noise) || noise->prior_df + own_df(noise, c) == 0)
		return INFINITY;
	return noise->prior_df + own_df(noise, c);
}

/* Variance of a value with the mean mu from its time in the kernel; one run a side hides it. */
static double
kernel_variance(const struct noise *noise, const struct change *c, double mu)
{
	bool unknown = noise->kind == NOISE_RUNS && noise->nbase + noise->nhead == 2;

	return unknown ? pow(NOISE_KERNEL_SPREAD * c->kernel * mu, 2) : 0;
}

/* shared: additional spread of run sizes in the hypothesis. */
double
noise_statistic(const struct noise *noise, const struct change *c, double rho, double shared)
{
	double b = c->scaled_mean[0], h = c->scaled_mean[1];
	double mu[2] = {(b + h) / (1 + rho), rho * (b + h) / (1 + rho)};
	double weight[2] = {rho * rho / noise->nbase, 1.0 / noise->nhead}, v = 0, times = 1;

	if (!noise_is_assumed(noise))
		times = (noise->prior_df * noise->prior + relative_scatter(noise, c, mu)) /
			(noise->prior_df + own_df(noise, c));
	for (int k = 0; k < 2; k++)
		v += weight[k] *
		     (fmax(times * noise_model_variance(noise, c->grain, noise->inverse[k], mu[k]),
			  sampling_variance(noise, c->grain, noise->inverse[k], mu[k])) +
			 kernel_variance(noise, c, mu[k]));
	v += (pow(c->factor_error, 2) + shared * shared) * mu[1] * mu[1] * noise_per_run(noise);
	if (v <= 0)
		return h == rho * b ? 0 : copysign(INFINITY, h - rho * b);
	return (h - rho * b) / sqrt(v);
}

double
noise_head_error(const struct noise *noise, const struct change *c, double mu)
{
	double sampling = sampling_variance(noise, c->grain, noise->inverse[1], mu);
	double times = 1, v;

	if (!noise_is_assumed(noise))
		times = (noise->prior_df * noise->prior +
			    relative_scatter(noise, c, (double[]){mu, mu})) /
			(noise->prior_df + own_df(noise, c));
	v = fmax(times * noise_model_variance(noise, c->grain, noise->inverse[1], mu), sampling);
	v += kernel_variance(noise, c, mu);
	v += pow(c->factor_error * mu, 2);
	return sqrt(v / noise->nhead);
}

/* Ratio of scaled means at which the measured values are equal. */
double
noise_measured_equal(const struct noise *noise)
{
	return noise->size[0] / noise->size[1];
}

/* Probability that any of c->tests tests finds so large a change by chance. */
double
noise_change_p(const struct noise *noise, const struct change *c, double tests)
{
	double difference = c->scaled_mean[1] - c->scaled_mean[0], df = noise_test_df(noise, c), p;

	if (difference == 0 || (!noise->shares && difference * (c->head - c->base) <= 0))
		return 1;
	p = student_p(noise_statistic(noise, c, 1, 0), df);
	if (noise->shifted)
		p = fmax(p, student_p(noise_statistic(
					  noise, c, noise_measured_equal(noise), noise->run_spread),
				fmin(df, noise->run_spread_df)));
	return fmin(1, tests * p);
}

/* True if a function of both sides has no verdict: too many changed to know the unchanged ones. */
bool
noise_is_nameless(const struct noise *noise, const struct change *c)
{
	return noise->nameless && c->scaled_mean[0] > 0 && c->scaled_mean[1] > 0;
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

/* Sets the probability and verdict of a change that is a family by itself. */
static void
judge(const struct noise *noise, struct change *c)
{
	if (noise->kind == NOISE_UNKNOWN) {
		c->p = 1;
		c->verdict = VERDICT_UNKNOWN;
		return;
	}
	if (!noise_is_modelled(noise))
		c->p = c->base != c->head ? 0 : 1;
	else
		c->p = noise_is_nameless(noise, c) ? 1 : noise_change_p(noise, c, 1);
	c->verdict = c->p <= 1 - noise->confidence ? VERDICT_REAL : VERDICT_NOISE;
}

struct change
noise_judge_one(const struct noise *noise, const double *row)
{
	struct change c = {.tests = 1, .grain = 1};

	noise_summarize(noise, row, false, &c);
	judge(noise, &c);
	return c;
}

bool
noise_judge_row(const struct noise *noise, const double *row, bool reference, double kernel,
    double grain, struct change *change)
{
	*change = (struct change){
	    .tests = 1, .p = 1, .verdict = VERDICT_SMALL, .kernel = kernel, .grain = grain};
	noise_summarize(noise, row, reference, change);
	if (!noise_is_modelled(noise) || noise_in_family(noise, change))
		judge(noise, change);
	if (noise_is_modelled(noise) && change->verdict != VERDICT_SMALL)
		return true;
	change->tests = 0;
	return false;
}

void
noise_judge_family(const struct noise *noise, struct change *const *change, size_t n)
{
	struct tested *tested = cli_alloc(n, sizeof *tested);
	double tests = (double)n;
	bool going = true;

	for (size_t i = 0; i < n; i++)
		tested[i] = (struct tested){change[i]->p, i};
	sort_items(tested, n, sizeof *tested, compare_tested);
	for (size_t k = 0; k < n; k++) {
		struct change *c = change[tested[k].row];

		c->p = fmin(1, tests * tested[k].p);
		going = going && c->p <= 1 - noise->confidence;
		c->verdict = going ? VERDICT_REAL : VERDICT_NOISE;
		if (going)
			tests--;
	}
	for (size_t i = 0; i < n; i++)
		change[i]->tests = fmax(tests, 1);
	free(tested);
}

void
noise_judge(const struct noise *noise, const double *rows, size_t n, const bool *reference,
    const double *kernel, struct change *change)
{
	unsigned runs = noise_all_runs(noise);
	struct change **tested = cli_alloc(n, sizeof *tested);
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (noise_judge_row(noise, rows + i * runs, reference != NULL && reference[i],
			kernel != NULL ? kernel[i] : 0, noise_grain(noise, i), &change[i]))
			tested[m++] = &change[i];
	noise_judge_family(noise, tested, m);
	free(tested);
}
