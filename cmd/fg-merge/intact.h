/*
 * intact: excludes damaged inputs from a merge completely, by reading compressed inputs to their
 * end before any input is merged.
 */
#ifndef INTACT_H
#define INTACT_H

#include "fg-merge/merge.h"

/*
 * Removes the damaged inputs from m: damaged or truncated compressed data, contents that are not
 * folded stacks and, with strict, a last line without a newline. Reports each on stderr; writes
 * their names to the file `list`, each followed by a NUL, unless list is NULL. Exits 2 for an
 * input that is not a regular file, and if no input is left, unless empty input is allowed.
 */
void intact_select(struct merge *m, const char *list);

#endif
