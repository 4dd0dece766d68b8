/*
 * details: the heaviest stacks, and the hottest source lines of the hottest functions, for the
 * outputs that list them.
 */
#ifndef DETAILS_H
#define DETAILS_H

#include <stdint.h>

#include "base/value.h"

struct picture;

struct facts;
struct summary;

/* The additions for -T markdown: the heaviest stacks and source lines. */
void summarize_details(const struct picture *p, struct summary *s);
value *details_by_name(const struct facts *a); /* self values by name; the caller frees them */
/* Finds the names of a function with the heaviest source lines, up to `most`; returns how many. */
unsigned details_lines(
    const struct facts *a, const value *by, uint32_t number, uint32_t *line, unsigned most);

#endif
