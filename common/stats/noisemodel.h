/*
 * noisemodel: the model and the test that the files of noise.h share; for these only.
 */
#ifndef NOISEMODEL_H
#define NOISEMODEL_H

#include "stats/noise.h"

#define NOISE_PRIOR_DF 10 /* the most that the prior is worth without history */

/* Runs of base (0), head (1) and history (2), and the first of them in a row. */
unsigned noise_runs_of(const struct noise *noise, int side);
unsigned noise_first_of(const struct noise *noise, int side);

/* Degrees of freedom of the scatter within base and head, and within history. */
double noise_degrees(const struct noise *noise);
double noise_history_degrees(const struct noise *noise);

/* Whether runs show nothing of how much they differ. */
bool noise_is_assumed(const struct noise *noise);

/* 1/n of base plus 1/n of head: a difference of means has this times one run's variance. */
double noise_per_run(const struct noise *noise);

/*
 * The sum of squares within n earlier runs, and its degrees of freedom. Their program may have
 * changed on the way: where neighbours differ much less than all do, their differences count,
 * without the largest ones.
 */
double noise_history_scatter(const double *x, unsigned n, double *df);

/* The assumed spread of a function between runs, the less the more runs there are. */
double noise_assumed_spread(const struct noise *noise);

/* Variance of one scaled run's value with the mean mu; inverse: the mean of 1/factor. */
double noise_model_variance(const struct noise *noise, double inverse, double mu);
double noise_mean_inverse(const struct noise *noise);

/*
 * The statistic of the hypothesis that head is rho times base, all runs at one size: Student's t
 * with noise_test_df. shared: spread of run sizes that the hypothesis is subject to beside.
 */
double noise_statistic(
    const struct noise *noise, const struct change *c, double rho, double shared);
double noise_test_df(const struct noise *noise, const struct change *c);

/* The standard error of head's scaled mean, if that is mu. */
double noise_head_error(const struct noise *noise, const struct change *c, double mu);

/* The ratio of scaled means at which nothing was measured to change. */
double noise_measured_equal(const struct noise *noise);

/* The chance that any of so many tests finds a change as large, and nothing is there. */
double noise_change_p(const struct noise *noise, const struct change *c, double tests);

/* Whether a function has no verdict, since too many changed to tell which did not. */
bool noise_is_nameless(const struct noise *noise, const struct change *c);

#endif
