/*
 * scale: exact multiplication of values by a fraction, rounded once, half up, to nine decimals.
 */
#ifndef SCALE_H
#define SCALE_H

#include "base/value.h"

struct scale {
	value num, den; /* den is not 0 */
};

#define SCALE_ONE ((struct scale){1, 1})

/* Greatest common divisor; a for b = 0. */
value scale_divisor(value a, value b);

/* s times num/den, in lowest terms; exits with 2 on overflow. */
struct scale scale_by(struct scale s, value num, value den);

value scale_value(struct scale s, value v);

/* Like scale_value, rounded down to an integer. */
value scale_whole(struct scale s, value v);

#endif
