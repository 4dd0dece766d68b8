/*
 * unit: human-readable values with their unit, and the units of events. Values in units of time
 * or bytes read 17.3 s or 4.2 MiB, others are integers.
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"

#define FOLDED_SAMPLES "samples" /* unit of counts; not additive at different periods */

/* Events per sample. */
struct folded_period {
	value number;
	char *unit; /* one word; NULL: unknown */
	bool mixed; /* files have different periods: unknown */
};

/* 1 of a unit in ns or in bytes, under any of its names (us, usec, KiB, ...); 0 for another unit.
 */
uint64_t unit_ns(const char *unit);
uint64_t unit_bytes(const char *unit);

/* True if a and b name one unit, as `us` and `usec`. */
bool unit_is_same(const char *a, const char *b);

bool unit_is_time(const char *unit);
bool unit_is_memory(const char *unit); /* bytes, or a number of objects or allocations */
bool unit_is_count(const char *unit); /* not a unit of time or bytes */
void unit_figure(struct text *b, const char *unit, double v); /* "4.2 MiB", "1,234 samples" */

/* Like unit_figure, for an exact value: counts have all their digits. */
void unit_value(struct text *b, const char *unit, value v);

/*
 * Like unit_value, with the samples or time that follow from the period: "17.3 s, 17,339
 * samples".
 */
void unit_whole(struct text *b, const char *unit, const struct folded_period *period, value v);

/* The sign of a change: "+", or U+2212 as in the picture. */
const char *unit_sign(double v);

/* Appends a change with its sign, if it does not round to 0, and 0, 1 or 2 decimals. */
void unit_change(struct text *b, double v, int decimals);

/*
 * The unit of the periods of a perf event: ns for clocks and scheduler delays, else the event's
 * name without modifiers. Points into event.
 */
struct str unit_of_event(struct str event);

#endif
