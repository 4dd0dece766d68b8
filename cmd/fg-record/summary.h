/*
 * summary: what a person is told of a recording, while it runs and at its end.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "record.h"
#include "trace/naming.h"

/* The live line: on a terminal, after the first second. */
void summary_progress(const struct recording *r);

/* One line of what was recorded, and for each thing that is amiss one that names its cure. */
void summary_print(const struct recording *r, const struct naming_count *names);

#endif
