/*
 * grain: the weight of one sample of a heap profiler. It samples a byte in `rate` on average, and
 * so a block of `size` bytes with the probability p = 1 - exp(-size / rate); each sampled block
 * stands for 1 / p blocks. Where a file has bytes and numbers of blocks, each stack has its mean
 * size, and the variance of its sums follows: that of a block is size^2 (1 - p) / p. Small blocks
 * are as samples of `rate` bytes; large ones are known.
 */
#ifndef GRAIN_H
#define GRAIN_H

#include <stdbool.h>

#include "profile/folded.h"

struct grain {
	unsigned bytes, objects; /* columns of the same blocks, which have their sizes */
	double rate; /* bytes */
};

/* Finds the columns and the rate for a column of bytes or of objects; false: unknown. */
bool grain_find(struct grain *g, const struct folded_columns *c, unsigned column);

/* Weight of one sample in the unit of bytes, or of objects, for a stack with these sums. */
double grain_weight(const struct grain *g, double bytes, double objects, bool of_objects);

#endif
