/*
 * report: what was sampled becomes folded text.
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/output.h"
#include "record.h"
#include "trace/naming.h"

/* Name all places and write the stacks; what it finds of names is added to n->count. */
void report_write(
    const struct recording *r, const struct places *p, struct output *out, struct naming *n);

#endif
