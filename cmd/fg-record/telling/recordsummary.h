/*
 * recordsummary: messages about a recording, while it runs and at its end.
 */
#ifndef RECORDSUMMARY_H
#define RECORDSUMMARY_H

#include "fg-record/record.h"
#include "fg-record/telling/report.h"

/* Prints the progress line, on a terminal, after the first second. hottest may be NULL. */
void recordsummary_progress(const struct record *r, const char *hottest);

/* Prints a line about the recording, its runtimes, its problems (advice.h) and the answer. */
void recordsummary_print(const struct record *r, const struct report *names);

#endif
