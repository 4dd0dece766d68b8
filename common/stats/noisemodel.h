/* noisemodel: the model and the test that the files behind noise.h share; internal to them. */
#ifndef NOISEMODEL_H
#define NOISEMODEL_H

#include "stats/noisedata.h"

#define NOISE_PRIOR_DF 10 /* upper limit of the prior's weight without a history */

/* Number of runs of base (0), head (1) and history (2), and the index of the first one in a row. */
unsigned noise_runs_of(const struct noise *noise, int side);
unsigned noise_first_of(const struct noise *noise, int side);

/* Number of all runs: values of a row. */
unsigned noise_all_runs(const struct noise *noise);

/* Mean of n values; 0 if there are none. */
double noise_mean(const double *x, unsigned n);

/* Degrees of freedom of the scatter within base and head, and within history. */
double noise_degrees(const struct noise *noise);
double noise_history_degrees(const struct noise *noise);

/* True if the runs do not show how much they differ. */
bool noise_is_assumed(const struct noise *noise);

/* 1/n of base plus 1/n of head: variance of a difference of means, over that of one run. */
double noise_per_run(const struct noise *noise);

/*
 * Sum of squares within n earlier runs, and its degrees of freedom. Their program may have changed
 * during them: if neighbouring runs differ much less than all runs do, the differences between
 * neighbours are used, without the largest ones.
 */
double noise_history_scatter(const double *x, unsigned n, double *df);

/*
 * Fills the means of a row on both sides, measured and scaled, and the scatter of its runs.
 * reference: the row is part of the factors, which are then computed without it.
 */
void noise_summarize(
    const struct noise *noise, const double *row, bool reference, struct change *c);

/* True if a function is large enough to be tested: NOISE_FAMILY. c: from noise_summarize. */
bool noise_in_family(const struct noise *noise, const struct change *c);

/* Assumed spread of a function between runs; falls with the number of runs. */
double noise_assumed_spread(const struct noise *noise);

/*
 * Variance of one scaled run's value with the mean mu; inverse: the mean of 1/factor; grain: of the
 * row.
 */
double noise_model_variance(const struct noise *noise, double grain, double inverse, double mu);
double noise_mean_inverse(const struct noise *noise);

/*
 * Test statistic of the hypothesis that head is rho times base, with all runs at one size:
 * Student's t with noise_test_df degrees of freedom. shared: additional spread of run sizes in the
 * hypothesis.
 */
double noise_statistic(
    const struct noise *noise, const struct change *c, double rho, double shared);
double noise_test_df(const struct noise *noise, const struct change *c);

/* Standard error of head's scaled mean, if the true mean is mu. */
double noise_head_error(const struct noise *noise, const struct change *c, double mu);

/* Ratio of scaled means at which the measured values are equal. */
double noise_measured_equal(const struct noise *noise);

/* Probability that any of c->tests tests finds so large a change by chance. */
double noise_change_p(const struct noise *noise, const struct change *c, double tests);

/* True if a function has no verdict: too many changed to know the unchanged ones. */
bool noise_is_nameless(const struct noise *noise, const struct change *c);

#endif
