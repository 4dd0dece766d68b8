/*
 * humannumber: parses numbers with units and separators, `17.6 MB`, `1,324 KiB`, `20.1
 * ms`; scales values.
 */
#ifndef HUMANNUMBER_H
#define HUMANNUMBER_H

#include "base/text.h"
#include "base/value.h"

/*
 * Removes a number and its unit from the front of s. Sizes become bytes, rounded to
 * integers (K is 1024); times become ns. *unit is "bytes", "ns", or "" for a number
 * without a unit. False, with s unchanged, if s does not start with a number.
 */
bool humannumber_scan(struct str *s, value *v, const char **unit);

/* v * by / over, without overflow, rounded to nine decimal places. */
value humannumber_scale(value v, uint64_t by, uint64_t over);

/* v without its decimal places. */
value humannumber_round(value v);

#endif
