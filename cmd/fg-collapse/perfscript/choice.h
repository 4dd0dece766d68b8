/*
 * choice: chooses the event to fold if the user names none. Only the header of perf script (perf
 * script --header) lists events in the order of perf record's -e. Samples are in time order, and
 * the first ones are always page faults of an exec.
 */
#ifndef PERFSCRIPT_CHOICE_H
#define PERFSCRIPT_CHOICE_H

#include <stddef.h>

#include "base/text.h"
#include "fg-collapse/perfscript/sampleline.h"

#define CHOICE_HEAD (4 * 1024 * 1024) /* bytes at the start of the input that are counted */

/* All zero: nothing counted yet. */
struct choice {
	struct choice_event {
		struct text name;
		size_t samples; /* number of its samples in these bytes */
	} * event; /* events of `# event :` lines first, in their order */
	size_t n, cap;
	size_t listed; /* number of events of `# event :` lines */
	size_t last; /* index of the previous sample's event */
	size_t bytes; /* bytes counted so far */
	struct sampleline_cache headers;
};

void choice_free(struct choice *c);

/* True until CHOICE_HEAD bytes are counted. */
bool choice_open(const struct choice *c);

/* Counts the samples in the next bytes of the input, which are complete lines. */
void choice_count(struct choice *c, const char *data, size_t len);

/*
 * Returns the first listed event with samples, otherwise the event with most samples (the first of
 * equal ones). Dummy and auxiliary events are the last resort. Empty if no sample was counted.
 * Valid until choice_free.
 */
struct str choice_event(const struct choice *c);

#endif
