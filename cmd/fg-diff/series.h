/*
 * series: profiles in time order: which functions changed, when, by how much, and whether
 * that stayed.
 */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>

#include "base/text.h"
#include "stats/segment.h"
#include "fg-diff/side.h"

#define SERIES_MIN (2 * SEGMENT_MIN) /* profiles */
#define SERIES_FAMILY 0.002 /* of the whole: functions below it are not looked at */

struct series_change {
	uint32_t function; /* in names */
	struct step step; /* levels are shares of the whole */
	bool stayed; /* at the end it is still more than half of it */
	bool moved; /* another function has it, or had it before */
	uint32_t caller; /* that did not change, when it moved; 0 for none known */
};

struct series {
	char **path;
	size_t n; /* files */
	double looks; /* how often the series is looked at */
	const char *column;
	struct folded folded;

	/* Out of series_read: */
	uint32_t *file; /* those that are not empty, in order */
	size_t length;
	struct calltree *names;
	uint32_t *tested; /* functions that are large enough */
	size_t functions;
	double *share; /* of tested function i in profile t: share[i * length + t] */

	/* and out of series_judge. */
	struct series_change *change; /* in the order of time */
	size_t changes;
	bool correlated; /* too much to tell a step from chance: none was looked for */
};

/* Read all; exits with 2 when there are too few. */
void series_read(struct series *s);
void series_judge(struct series *s);
void series_free(struct series *s);

/* Whether something became slower and stayed so, and did not only move. */
bool series_slower(const struct series *s);

void series_text(struct text *t, const struct series *s);
void series_tsv(struct text *t, const struct series *s);
void series_markdown(struct text *t, const struct series *s);
void series_json(struct text *t, const struct series *s);

#endif
