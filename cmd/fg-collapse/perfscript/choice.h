/*
 * choice: the event that is folded when the user names none. perf script lists events
 * in the order of perf record's -e only in its header (perf script --header); samples
 * come in time order, where an exec's page faults are always first.
 */
#ifndef PERFSCRIPT_CHOICE_H
#define PERFSCRIPT_CHOICE_H

#include <stddef.h>

#include "base/text.h"

#define CHOICE_HEAD (4 * 1024 * 1024) /* bytes of the input that decide */

/* All zero is an empty one. */
struct choice {
	struct choice_event {
		struct text name;
		size_t samples; /* in the head */
	} * event; /* those of `# event :` lines first, in their order */
	size_t n, cap;
	size_t listed; /* from `# event :` lines */
	size_t last; /* event of the sample before */
	size_t bytes; /* of the head, counted */
};

void choice_free(struct choice *c);

/* True while more of the head is needed. */
bool choice_open(const struct choice *c);

/* Counts the samples of the next bytes of the input: complete lines. */
void choice_count(struct choice *c, const char *data, size_t len);

/*
 * The first listed event with samples, else the event with most samples (of equal ones
 * the first); dummy and auxiliary events only where there is nothing else. Empty when the
 * head has no sample. Valid until choice_free.
 */
struct str choice_event(const struct choice *c);

#endif
