/*
 * scalefactor: the size of each run, from the functions that did not change.
 */
#ifndef SCALEFACTOR_H
#define SCALEFACTOR_H

#include "stats/noise.h"

/*
 * Set the factors, their error and the functions they come from, out of n rows of self values;
 * with noise->spread and noise->run_spread known. A function that one side does not have is never
 * a reference. Where the unchanged ones are too few, all factors are 1.
 */
void scalefactor_fit(struct noise *noise, const double *self, size_t n);

/* Factors of exact values: those of the profile totals with shares, else all 1. */
void scalefactor_exact(struct noise *noise);

/* Divide by the geometric mean of the compared runs, which come first. An empty run's size is 1. */
void scalefactor_level(double *factor, unsigned compared, unsigned runs);

#endif
