/*
 * events: what a profile measured, of which fg-collapse keeps one event or several.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "base/output.h"
#include "profile/sample.h"

/*
 * Say on stderr what was kept and what was left out, on a terminal or when something
 * was. Exits with 2 when nothing was kept.
 */
void events_report(const struct sampler *s);

/*
 * One line for each event: its name, its unit, the number of its samples, the sum of
 * their weights, and which is folded where none is asked for. Of stacks that came
 * folded, one for each column; `stacks` is how many there were.
 */
void events_list(const struct sampler *s, uint64_t stacks, struct output *out);

#endif
