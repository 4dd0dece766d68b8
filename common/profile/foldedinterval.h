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
 * Appends the interval of a total whose change may be noise. change: measured, in percent of base.
 * Its name, which no function has, is ";" and the change.
 */
void folded_interval_add_total(struct text *lines, double low, double high, double change);

/* True if that is the name of a total with this change: a filter may have changed the values. */
bool folded_interval_is_total(const struct text *name, double change);

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
