/*
 * foldedinterval: the intervals of a differential's functions, in its header lines.
 */
#ifndef FOLDEDINTERVAL_H
#define FOLDEDINTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends an interval in percent of base; name: the function's, of any len bytes. */
void folded_interval_add(struct text *lines, double low, double high, const char *name, size_t len);

/*
 * Removes the first interval from *lines, and lines before it that are none; *name is replaced,
 * and the caller frees it. False when there is none left.
 */
bool folded_interval_next(const char **lines, double *low, double *high, struct text *name);

/*
 * Merges one file's intervals into *intervals, which the caller frees; different ones are
 * discarded.
 */
void folded_interval_join(char **intervals, const char *other);

#endif
