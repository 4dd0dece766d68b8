/*
 * weight: what one sample weighs in the values of both sides.
 */
#ifndef WEIGHT_H
#define WEIGHT_H

#include "side.h"

/* How that is known, the surest first. */
enum weight_source {
	WEIGHT_SAID, /* by the user */
	WEIGHT_HEADER, /* by the files */
	WEIGHT_COUNTS, /* values are whole and few enough to be counts */
	WEIGHT_DIVISOR, /* of all values */
	WEIGHT_ESTIMATED, /* from how both sides differ */
	WEIGHT_SMALLEST, /* what the smallest stacks have: there is little to go by */
};

/* In the values' unit; both sides have been read. */
double weight_of(const struct side *base, const struct side *head, enum weight_source *source);

#endif
