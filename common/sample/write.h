/*
 * write: the header lines and stacks of a sampler as folded text.
 */
#ifndef SAMPLE_WRITE_H
#define SAMPLE_WRITE_H

#include <stdint.h>

#include "base/output.h"
#include "base/value.h"
#include "profile/foldedheader.h"
#include "sample/sampler.h"

/*
 * Sets a column's header lines: its unit, if valid (folded_unit_valid), its period in the unit
 * `of`; 0: unknown; and what its values are.
 */
void sampler_describe(struct sampler *s, unsigned column, const char *unit, value period,
    const char *of, enum folded_values values);

/*
 * Like sampler_describe, for folded input by its file's header lines; the columns must be
 * known. Exits with 2 when units differ. Takes over *a.
 */
void sampler_about(struct sampler *s, struct foldedheader *a);

/* The unit of an event's values in the tree. */
const char *sampler_unit(const struct sampler *s, const struct sample_event *e);

/* Bytes of the stacks that sampler_write writes, at most, without values and header lines. */
uint64_t sampler_length(const struct sampler *s);

/*
 * Writes the stacks in canonical or time order. Exits with 2 when values of different units
 * were added up.
 */
void sampler_write(struct sampler *s, struct output *o);

#endif
