/*
 * eventlist: the events of a profile, of which fg-collapse folds one or several.
 */
#ifndef EVENTLIST_H
#define EVENTLIST_H

#include "base/output.h"
#include "sample/sampler.h"

/*
 * Reports on stderr the folded events and the samples dropped of each event, on a terminal
 * or if any was dropped. Exits with 2 if nothing was folded.
 */
void eventlist_report(const struct sampler *s);

/*
 * Prints one line per event: name, unit, number of samples, sum of weights, and whether it
 * is the default. For folded input, one line per column; `stacks` is the number of stacks.
 */
void eventlist_list(const struct sampler *s, uint64_t stacks, struct output *out);

#endif
