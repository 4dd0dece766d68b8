/*
 * tree: the call tree that perf report draws below an entry.
 */
#ifndef PERFREPORT_TREE_H
#define PERFREPORT_TREE_H

#include "fg-collapse/perfreport/report.h"

/* Adds a line of the tree to the current entry; false if it is not one. */
bool report_read_tree(struct report *p, struct str line);
/* Passes the samples of the current entry's tree to the sampler. */
void report_tree(struct report *p);

#endif
