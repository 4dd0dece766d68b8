/*
 * period: the weight of one sample in the values of two profiles.
 */
#ifndef PERIOD_H
#define PERIOD_H

#include <stddef.h>

#include "base/value.h"

/* Where the weight comes from, the most certain source first. */
enum period_source {
	PERIOD_OPTION, /* --period */
	PERIOD_HEADER, /* header lines of the files */
	PERIOD_COUNTS, /* values are whole and small enough to be counts */
	PERIOD_DIVISOR, /* the greatest common divisor of all values */
	PERIOD_ESTIMATED, /* from the differences between both sides */
	PERIOD_SMALLEST, /* the value of the smallest stacks: little else is known */
};

/* One stack's value in base and in head, summed over the runs; 0: absent. */
struct period_stack {
	value side[2];
};

/*
 * The weight of one sample, in the values' unit. header: what the files of each side state, 0 for
 * nothing. total: the larger profile total of a run of either side.
 */
double period_find(const double header[2], double total, const struct period_stack *stack, size_t n,
    enum period_source *source);

#endif
