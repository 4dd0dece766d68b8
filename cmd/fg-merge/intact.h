/*
 * intact: leaves damaged inputs out of a merge as a whole, by reading compressed ones
 * to their end before any is added up.
 */
#ifndef INTACT_H
#define INTACT_H

#include "fg-merge/merge.h"

/*
 * Remove the damaged inputs from m: compressed data that are damaged or truncated,
 * contents that are not folded stacks, with strict a last line without a newline. Each
 * is reported on stderr; their names go to the file list, each with a NUL behind it,
 * unless it is NULL. Exits with 2 for an input that is not a regular file, and when
 * nothing is left, unless empty input is allowed.
 */
void intact_select(struct merge *m, const char *list);

#endif
