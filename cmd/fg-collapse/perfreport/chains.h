/*
 * chains: folded call chains of perf report (-g folded), and the order of all chains, caller first
 * or callee first.
 */
#ifndef PERFREPORT_CHAINS_H
#define PERFREPORT_CHAINS_H

#include "fg-collapse/perfreport/entries.h"

/* Reads a line that is a folded chain; false if it is not one. */
bool chains_read(struct entries *p, struct str s);
/* Decides by all entries whether chains begin at the root. */
void chains_find_order(struct entries *p);
/* A name without the mark of an inlined function. */
struct str chains_name(struct str s);

#endif
