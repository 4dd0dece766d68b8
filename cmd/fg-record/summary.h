/*
 * summary: what a person is told of a recording, while it runs and at its end.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "fg-record/record.h"
#include "fg-record/report.h"

/* The progress line: on a terminal, after the first second. hottest may be NULL. */
void summary_progress(const struct record *r, const char *hottest);

/* One line of what was recorded, and for each thing that is amiss one that names its cure. */
void summary_print(const struct record *r, const struct report *names);

#endif
