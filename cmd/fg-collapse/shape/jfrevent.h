/*
 * jfrevent: what the events of flight recordings are called and weighed by, in the
 * recording as in the text of jfr print.
 */
#ifndef JFREVENT_H
#define JFREVENT_H

#include <stdbool.h>

#include "base/text.h"

/* A name as people say it: without jdk. and async-profiler's profiler. */
struct str jfrevent_name(struct str name);

/* Whether a field is a size that an allocation weighs. */
bool jfrevent_size(struct str event, struct str field);

/* Whether its duration is what an event is about; others have one that is always 0. */
bool jfrevent_lasts(struct str event);

#endif
