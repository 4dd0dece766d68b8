/*
 * writediff: writes the folded differential: stacks with a column for base, one for head and
 * optionally one that marks noise (stats/verdict.h).
 */
#ifndef WRITEDIFF_H
#define WRITEDIFF_H

#include <stdbool.h>

#include "base/output.h"
#include "fg-diff/compare.h"

/* Base and head of one comparison. */
struct differential {
	const struct side *base, *head;
	struct comparison
	    *functions; /* by function with all its rows, for the noise column; or NULL */
	const char *root; /* root frame that its stacks get, or NULL */
};

/*
 * Writes every stack of n comparisons with its value in base and head, in canonical order: they
 * are sorted by their roots, which differ. normalize scales base's values to head's profile
 * total. Either all have functions or none. Exits with 2 if their units differ.
 */
void differential_write(
    struct output *o, const struct differential *d, size_t n, bool normalize, bool header);

#endif
