/*
 * factors: how large each run is, told by the functions that did not change.
 */
#ifndef SCALEFACTOR_H
#define SCALEFACTOR_H

#include "stats/noise.h"

/* Fill in the factors, their error and what told them, from n rows of self values. */
void scalefactor_fit(struct noise *noise, const double *self, size_t n);

/* Factors of exact values: those of the wholes with shares, else all 1. */
void scalefactor_wholes(struct noise *noise);

#endif
