/*
 * weight: what one sample weighs in the values of both sides.
 */
#ifndef PERIOD_H
#define PERIOD_H

#include "fg-diff/side.h"

/* How that is known, the surest first. */
enum period_source {
	PERIOD_SAID, /* by the user */
	PERIOD_HEADER, /* by the files */
	PERIOD_COUNTS, /* values are whole and few enough to be counts */
	PERIOD_DIVISOR, /* of all values */
	PERIOD_ESTIMATED, /* from how both sides differ */
	PERIOD_SMALLEST, /* what the smallest stacks have: there is little to go by */
};

/* In the values' unit; both sides have been read. */
double period_of(const struct side *base, const struct side *head, enum period_source *source);

#endif
