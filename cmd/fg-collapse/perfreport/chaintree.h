/*
 * chaintree: the call tree that perf report draws below an entry.
 */
#ifndef CHAINTREE_H
#define CHAINTREE_H

#include "fg-collapse/perfreport/entries.h"

/* Adds a line of the tree to the current entry; false if it is not one. */
bool chaintree_read(struct entries *p, struct str line);
/* Sets the value of each node, of which the total is the entry's. counted: in numbers, not percent.
 * Returns the sum of the nodes of depth 0. */
value chaintree_values(struct entries *p, const struct entry *e, value total, bool counted);

#endif
