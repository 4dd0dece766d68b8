/*
 * repeat: the parts of a report's rows that earlier rows have, too. The numbers of a row follow
 * from its change, and most of many functions have one of few changes.
 */
#ifndef REPEAT_H
#define REPEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "stats/noise.h"

struct repeat {
	struct repeat_slot {
		const struct change *of; /* in comparison.changes, equal ones once; NULL: free */
		struct text part;
	} * slot;
};

/* Makes an empty table of the parts of one report. */
struct repeat repeat_new(void);

/* Appends the part of an earlier row with the same change; false: none is known. */
bool repeat_add(const struct repeat *r, struct text *report, const struct change *x);

/* Stores the end of the report, from `at` on, as the part of rows with that change. */
void repeat_keep(struct repeat *r, const struct text *report, size_t at, const struct change *x);

void repeat_free(struct repeat *r);

#endif
