/*
 * chains: folded call chains of perf report (-g folded), stored until their order, caller
 * first or callee first, is known.
 */
#ifndef PERFREPORT_CHAINS_H
#define PERFREPORT_CHAINS_H

#include "fg-collapse/perfreport/report.h"

/* Reads a line that is a folded chain; false if it is not one. */
bool report_read_folded(struct report *p, struct str s);
/* At the end of the input: passes the stored chains to the sampler. */
void report_waiting(struct report *p);

#endif
