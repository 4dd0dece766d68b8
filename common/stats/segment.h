/*
 * segment: where the level of a series changes, and whether that is more than chance.
 */
#ifndef SEGMENT_H
#define SEGMENT_H

#include <stdbool.h>
#include <stddef.h>

#define SEGMENT_MIN 5 /* values on each side of a step */
#define SEGMENT_TAIL 3 /* values behind it, at the end of a series */
#define SEGMENT_LEVEL 0.01 /* chance of any false step in all series together */
#define SEGMENT_STEPS 16 /* in one series at most */
#define SEGMENT_MEMORY 0.04 /* of all series: more is too much to tell chance from steps */

struct step {
	size_t at; /* the first value of the new level */
	double before, after; /* the levels next to it */
	double p; /* chance of any such step where there is none */
	double error, df; /* standard error of after - before, and its degrees of freedom */
	double base_error; /* standard error of before */
};

/* A line through a series without steps. */
struct drift {
	double begin, end; /* its ends */
	double p; /* chance of any such slope where there is none */
	double error, df; /* standard error of end - begin, and its degrees of freedom */
};

struct segment_rules {
	double tests; /* series, times how often they are looked at */
	double block_ratio; /* of the median series, from segment_residual */
};

/* What is left of a series when its best step is taken out. */
struct segment_residual {
	double block_ratio; /* variance of means of blocks to what it is in independent values */
	double correlation; /* from one value to the next */
	double memory; /* the same to those three to seven later, 0 in independent values */
};
struct segment_residual segment_residual(const double *y, size_t n);

/*
 * The line through a series, when it fits better than one level; false when it does not, or when
 * its slope is not beyond chance.
 */
bool segment_drift(
    const double *y, size_t n, const struct segment_rules *rules, struct drift *drift);

/* The steps of a series in order, at most SEGMENT_STEPS; returns how many. */
size_t segment_find(
    const double *y, size_t n, const struct segment_rules *rules, struct step *step);

#endif
