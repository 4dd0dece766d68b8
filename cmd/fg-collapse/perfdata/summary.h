/*
 * summary: what a recording lacks, and what to type against it: samples that were lost,
 * stacks that were cut, modules that could not be named.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "trace/naming.h"
#include "features.h"
#include "feed.h"

void summary_print(
    const struct feed *d, const struct features *f, const struct naming_count *names);

/* --header: what the recording says of itself. */
void summary_header(struct text *t, const struct feed *d, const struct features *f,
    const char *input, uint64_t late);

/* Add what the recording states of itself as labels: host, command, start, duration. */
void summary_labels(struct labels **l, const struct features *f);

#endif
