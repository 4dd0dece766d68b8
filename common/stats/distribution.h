/*
 * distribution: the few probability distributions that the noise model needs. Probabilities are
 * two-sided.
 */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include <stddef.h>

/* Probability that Student's t with df degrees of freedom (INFINITY: normal) is outside [-t, t]. */
double student_p(double t, double df);
/* Inverse of student_p: the t that is exceeded, on either side, with probability p. */
double student_limit(double p, double df);

/* First two derivatives of log gamma, and the inverse of the second: x with trigamma(x) = y > 0. */
double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double y);

/* Comparison for sort_items, in rising order. */
int compare_doubles(const void *a, const void *b);

/* The value at place k < n in rising order, and the median (0 if n is 0). Both move the values. */
double distribution_nth(double *x, size_t n, size_t k);
double distribution_median(double *x, size_t n);

#endif
