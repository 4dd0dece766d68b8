/* segment: where the level of a series changes, and whether the change is significant. */
#ifndef SEGMENT_H
#define SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

#define SEGMENT_MIN 5 /* values on each side of a step */
#define SEGMENT_TAIL 3 /* values after it, at the end of a series */
#define SEGMENT_LEVEL 0.01 /* family-wise error rate of all series together */
#define SEGMENT_STEPS 16 /* limit for one series */
#define SEGMENT_MEMORY 0.04 /* of the median series, above which a step must be abrupt */

struct step {
	size_t at; /* index of the first value of the new level */
	double before, after; /* levels before and after the step */
	double p; /* probability of any such step by chance */
	double error, df; /* standard error of after - before, and its degrees of freedom */
	double base_error; /* standard error of before */
};

/* A line through a series without steps. */
struct drift {
	double begin, end; /* values of the line at both ends */
	double p; /* probability of any such slope by chance */
	double error, df; /* standard error of end - begin, and its degrees of freedom */
};

struct segment_rules {
	double tests; /* number of series times planned number of analyses */
	double block_ratio; /* segment_residual's, of the median series */
	double sampling; /* variance of one value by sampling, over its mean; 0: unknown */
	double memory; /* segment_residual's, of the median series; 0: not known */
};

/* Residual of a series after its best step is removed. */
struct segment_residual {
	double block_ratio; /* variance of block means, relative to that of independent values */
	double correlation; /* autocorrelation at lag 1 */
	double memory; /* mean autocorrelation at lags 3 to 7; 0 for independent values */
};
struct segment_residual segment_residual(const double *y, size_t n);

/* Fits a line to a series. False if one level fits as well, or if the slope is not significant. */
bool segment_drift(
    const double *y, size_t n, const struct segment_rules *rules, struct drift *drift);

/* Finds the steps of a series, in order, at most SEGMENT_STEPS; returns their number. */
size_t segment_find(
    const double *y, size_t n, const struct segment_rules *rules, struct step *step);

#endif
