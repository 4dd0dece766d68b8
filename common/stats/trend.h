/*
 * trend: whether a series of values grows to its end, by how much from one value to the next, and
 * since when; or whether it only rose once: a step, a rise that ended, or a warm-up.
 */
#ifndef TREND_H
#define TREND_H

#include <stddef.h>

#define TREND_MIN 5 /* values of a growth */

enum trend_kind {
	TREND_LEVEL, /* no significant rise */
	TREND_STEP, /* rose once, from one value to the next */
	TREND_ENDED, /* rose, then stayed; or approached a level */
	TREND_GROWS, /* grows to the end */
};

struct trend {
	enum trend_kind kind;
	size_t since; /* index of the last value before the rise */
	double slope, error, df; /* growth from a value to the next; its standard error */
	double p; /* probability of such growth by chance, in all tests together */
	double least; /* smallest slope that would have been significant */
};

struct trend_rules {
	double tests; /* number of series */
	double level; /* family-wise error rate of all of them */
	double period; /* weight of one sample; 0: exact */
};

/* Judges n >= TREND_MIN values at equal distances. */
struct trend trend_find(const double *y, size_t n, const struct trend_rules *rules);

#endif
