/*
 * stats: the few distributions that the noise model needs. Probabilities are two-sided.
 */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>

/* Chance that Student's t with df degrees of freedom (INFINITY: the normal) is outside [-t, t]. */
double stats_t(double t, double df);
/* The t that is exceeded, on either side, with chance p. */
double stats_t_limit(double p, double df);

/* The first two derivatives of log gamma, and the x whose trigamma is y (> 0). */
double stats_digamma(double x);
double stats_trigamma(double x);
double stats_trigamma_inverse(double y);

/* For qsort(3) of doubles, the least first; their median, 0 of none, which sorts them. */
int stats_order(const void *a, const void *b);
double stats_median(double *x, size_t n);

#endif
