/*
 * jfrevent: names and weights of flight recording events, for the binary recording and for
 * the output of jfr print.
 */
#ifndef JFREVENT_H
#define JFREVENT_H

#include <stdbool.h>

#include "base/text.h"

/* The usual name of an event: without `jdk.` or async-profiler's `profiler.`. */
struct str jfrevent_name(struct str name);

/* True if the field is an allocated size, the weight of that event. */
bool jfrevent_size(struct str event, struct str field);

/* True for the field with the leaf of an event whose stack is that of its caller. */
bool jfrevent_leaf(struct str event, struct str field);

/* The name of a virtual thread that has none, as most of them. */
#define JFREVENT_VIRTUAL "virtual thread"

/* True if the event's weight is its duration; the duration of other events is always 0. */
bool jfrevent_lasts(struct str event);

/* True for the JDK's events of waiting threads, which always have a duration. */
bool jfrevent_waits(struct str event);

#endif
