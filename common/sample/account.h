/*
 * account: accounts for the units of the input that do not become samples.
 */
#ifndef SAMPLE_ACCOUNT_H
#define SAMPLE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "sample/sampler.h"

/* Accounts for n units that an option of the reader left out; they must not be begun. */
void sample_leave_out(struct sampler *s, uint64_t n);
/* Accounts for n malformed units; weight: the sum of their weights, 0 if unknown. */
void sample_malformed(struct sampler *s, uint64_t n, value weight);
/* Accounts for n units of a stack with a missing frame, whose weight is accounted for apart. */
void sample_missing(struct sampler *s, uint64_t n);
/* Units seen so far; n units, which were given as more samples since `before`, count once each. */
uint64_t sample_units(const struct sampler *s);
void sample_units_are(struct sampler *s, uint64_t before, uint64_t n);
/* True if no stack has more than one frame below its task. */
bool sampler_is_flat(const struct sampler *s);

#endif
