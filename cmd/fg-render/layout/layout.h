/*
 * layout: the width of each frame, the order of siblings and the profile totals.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdint.h>

struct picture;

/*
 * Computes widths and sums of p from its tree, columns and options; sorts siblings
 * by weight if requested.
 */
void layout(struct picture *p);
/*
 * Guesses the sampling period of a column without a unit, as perf script and others write it:
 * in ns, if all values are multiples of it, such as 10101010 for 99 samples per second. Returns
 * 0 if there is no such period.
 */
uint64_t layout_assumed_period(const struct picture *p, unsigned column);

#endif
