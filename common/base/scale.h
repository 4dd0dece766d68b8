/*
 * scale: a fraction that values are multiplied by, exactly, and rounded once to
 * the ninth place, half up.
 */
#ifndef SCALE_H
#define SCALE_H

#include "base/value.h"

struct scale {
	value num, den; /* den is not 0 */
};

#define SCALE_ONE ((struct scale){1, 1})

/* The greatest that both are multiples of; of a and 0, a. */
value scale_divisor(value a, value b);

/* s times num/den, in lowest terms; exits with 2 when that cannot be held. */
struct scale scale_by(struct scale s, value num, value den);

value scale_value(struct scale s, value v);

/* The same, rounded down to a whole number. */
value scale_whole(struct scale s, value v);

#endif
