/*
 * unit: values with their unit, as a person reads them. A unit of time or bytes
 * gives 17.3 s or 4.2 MiB, any other one whole numbers. And the units of events.
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "profile/foldedheader.h"

/* 1 of a unit in ns or in bytes, under any of its names (us, usec, KiB, ...); 0 for another unit. */
uint64_t unit_ns(const char *unit);
uint64_t unit_bytes(const char *unit);

bool unit_is_time(const char *unit);
bool unit_is_count(const char *unit); /* neither time nor bytes */
void unit_figure(struct text *b, const char *unit, double v); /* "4.2 MiB", "1,234 samples" */

/* The same of an exact value: counts have all their digits. */
void unit_value(struct text *b, const char *unit, value v);

/* With the samples or the time that the period tells: "17.3 s, 17,339 samples". */
void unit_whole(struct text *b, const char *unit, const struct folded_period *period, value v);

/*
 * The unit of the periods of one of perf's events: ns for clocks and for the delays
 * of the scheduler, else the event itself without its modifiers. Part of the name.
 */
struct str unit_of_event(struct str event);

#endif
