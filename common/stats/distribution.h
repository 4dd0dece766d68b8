/*
 * stats: the few distributions that the noise model needs. Probabilities are two-sided.
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include <stddef.h>

/* Chance that Student's t with df degrees of freedom (INFINITY: the normal) is outside [-t, t]. */
double student_p(double t, double df);
/* The t that is exceeded, on either side, with chance p. */
double student_limit(double p, double df);

/* The first two derivatives of log gamma, and the x whose trigamma is y (> 0). */
double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double y);

/* For qsort(3) of doubles, the least first; their median, 0 of none, which sorts them. */
int compare_doubles(const void *a, const void *b);
double distribution_median(double *x, size_t n);

#endif
