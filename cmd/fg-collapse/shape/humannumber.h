/*
 * amount: numbers as people read them, `17.6 MB`, `1,324 KiB`, `20.1 ms`, and what is
 * in them.
 */
#ifndef HUMANNUMBER_H
#define HUMANNUMBER_H

#include "base/text.h"
#include "base/value.h"

/*
 * Take a number and its unit from the front of s: a size becomes bytes, rounded to
 * whole ones (K is 1024), a time becomes ns. *unit is "bytes", "ns", or "" for a
 * number alone. False, and s as it was, when that does not stand there.
 */
bool humannumber_take(struct str *s, value *v, const char **unit);

/* v * by / over, exactly, rounded to nine places. */
value humannumber_scale(value v, uint64_t by, uint64_t over);

/* v without its places. */
value humannumber_round(value v);

#endif
