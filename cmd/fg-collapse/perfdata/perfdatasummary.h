/*
 * perfdatasummary: the defects of a recording, with hints: lost samples, truncated stacks, modules
 * without symbols.
 */
#ifndef PERFDATASUMMARY_H
#define PERFDATASUMMARY_H

#include "trace/naming.h"
#include "fg-collapse/perfdata/features.h"
#include "fg-collapse/perfdata/feed.h"

void perfdatasummary_print(
    const struct feed *d, const struct features *f, const struct naming_count *names);

/* --header: prints the recording's metadata. */
void perfdatasummary_header(struct text *t, const struct feed *d, const struct features *f,
    const char *input, uint64_t late);

/* Adds labels from the recording's metadata: host, command, start, duration. */
void perfdatasummary_labels(struct labels **l, const struct features *f);

#endif
