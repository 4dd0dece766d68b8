/*
 * chains: folded call chains of perf report (-g folded), which wait until it is known
 * whether they begin with the caller or with the callee.
 */
#ifndef PERFREPORT_CHAINS_H
#define PERFREPORT_CHAINS_H

#include "fg-collapse/perfreport/report.h"

/* Reads a line that is a folded chain; false if it is not one. */
bool report_read_folded(struct report *p, struct str s);
/* At the end of the input: gives the chains that still wait to the sampler. */
void report_waiting(struct report *p);

#endif
