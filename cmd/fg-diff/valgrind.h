/*
 * valgrind: profiles of Valgrind's tools from before the header line `# values:`. These count each
 * event, and only they have the frame `(below main)`.
 */
#ifndef VALGRIND_H
#define VALGRIND_H

#include <stdbool.h>

#include "profile/calltree.h"

/* True if at least half of a column's weight is below roots with a frame `(below main)`. */
bool valgrind_counted(const struct calltree *t, unsigned column);

#endif
