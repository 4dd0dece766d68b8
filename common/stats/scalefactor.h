/* scalefactor: the size of each run, estimated from the functions that did not change. */
#ifndef SCALEFACTOR_H
#define SCALEFACTOR_H

#include "stats/noisedata.h"

/*
 * Set the factors, their error and the reference functions, from n rows of self values;
 * noise->spread and noise->run_spread must be set. A function that is absent from one side is never
 * a reference. If the unchanged functions are too few, all factors are 1.
 */
void scalefactor_fit(struct noise *noise, const double *self, size_t n);

/* Factors of exact values: with shares those of the profile totals, otherwise all 1. */
void scalefactor_exact(struct noise *noise);

/* Divide by the geometric mean of the first `compared` runs. An empty run's size is 1. */
void scalefactor_level(double *factor, unsigned compared, unsigned runs);

#endif
