/*
 * writediff: writes the folded differential: stacks with a column for base, one for head and
 * optionally one that marks noise (stats/verdict.h).
 */
#ifndef WRITEDIFF_H
#define WRITEDIFF_H

#include <stdbool.h>

#include "base/output.h"
#include "fg-diff/compare.h"

/*
 * Writes every stack of base and head with its value in both, in canonical order. normalize
 * scales base's values to head's profile total. functions: a comparison by function with all
 * its rows, for the noise column; or NULL.
 */
void stacks_write(struct output *o, const struct side *base, const struct side *head,
    bool normalize, bool header, struct comparison *functions);

#endif
