/*
 * tree: the call tree that perf report draws below an entry.
 */
#ifndef PERFREPORT_TREE_H
#define PERFREPORT_TREE_H

#include "fg-collapse/perfreport/report.h"

/* Adds a line of the tree to the current entry; false if it is not one. */
bool tree_read(struct report *p, struct str line);
/* Sets the value of each node, of which the total is the entry's. counted: in numbers, not percent.
 * Returns the sum of the nodes of depth 0. */
value tree_values(struct report *p, const struct entry *e, value total, bool counted);

#endif
