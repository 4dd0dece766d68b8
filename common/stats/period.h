/*
 * period: the weight of one sample in the values of two profiles.
 */
#ifndef PERIOD_H
#define PERIOD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/value.h"

/* Source of the weight, the most certain first. */
enum period_source {
	PERIOD_OPTION, /* --period */
	PERIOD_HEADER, /* header lines of the files */
	PERIOD_BLOCKS, /* bytes and numbers of blocks, and the rate of a heap profiler: a mean */
	PERIOD_COUNTS, /* values are integers, small enough to be counts */
	PERIOD_DIVISOR, /* the greatest common divisor of all values */
	PERIOD_ESTIMATED, /* from the differences between both sides */
	PERIOD_SMALLEST, /* the value of the smallest stacks, if nothing better is known */
};

/* The values of n stacks in base and in head, summed over the runs; 0: absent. */
struct period_stacks {
	struct value_array side[2];
	size_t n;
};

/*
 * Weight of one sample that follows without the pairs of stacks; 0: none does. counts: all values
 * of both sides are integers. The other arguments are those of period_find.
 */
double period_given(const double header[2], double total, bool counts, enum period_source *source);

/*
 * Weight of one sample, in the values' unit. header: weight that the files of each side state; 0:
 * none. total: larger of both sides' profile totals of one run.
 */
double period_find(const double header[2], double total, const struct period_stacks *stacks,
    enum period_source *source);

#endif
