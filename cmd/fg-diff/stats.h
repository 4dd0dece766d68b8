/*
 * stats: the few distributions and exact tests that the noise models need. All
 * probabilities are two-sided where a test is named.
 */
#ifndef STATS_H
#define STATS_H

/* Chance that Student's t with df degrees of freedom (INFINITY: the normal) is outside [-t, t]. */
double stats_t(double t, double df);
/* The t that is exceeded, on either side, with chance p. */
double stats_t_limit(double p, double df);

/*
 * Chance of a split as uneven as a of a + b where each of them falls to a with chance
 * `share`: the exact conditional test of two Poisson counts.
 */
double stats_split(double a, double b, double share);

/* Chance of shares as different as a of na and b of nb when they are one share (Fisher, exact). */
double stats_shares(double a, double na, double b, double nb);

/* The first two derivatives of log gamma, and the x whose trigamma is y (> 0). */
double stats_digamma(double x);
double stats_trigamma(double x);
double stats_trigamma_inverse(double y);

#endif
