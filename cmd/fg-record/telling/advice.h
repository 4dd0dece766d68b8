/*
 * advice: the problems of a finished recording, and what helps.
 */
#ifndef ADVICE_H
#define ADVICE_H

#include "fg-record/record.h"
#include "fg-record/telling/report.h"

/*
 * Prints a line for each loss of the profile: records, stacks, wake-ups. At most one line has a
 * hint: the one that concerns the largest share of the samples. With -v all have theirs.
 */
void advice_print(const struct record *r, const struct report *names);

#endif
