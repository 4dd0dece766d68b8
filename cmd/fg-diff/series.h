/*
 * series: profiles in time order: which functions changed, when, by how much, and whether the
 * change lasted.
 */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>

#include "base/text.h"
#include "stats/noise.h"
#include "stats/segment.h"
#include "fg-diff/figure.h"
#include "fg-diff/side.h"

#define SERIES_MIN (2 * SEGMENT_MIN) /* minimum number of profiles */
#define SERIES_FAMILY 0.002 /* of the profile total: smaller functions are not tested */

struct series_change {
	uint32_t function; /* in series.names */
	bool drifts; /* a slow change from step.before at the start to step.after at the end */
	struct step step; /* levels are shares of the total */
	bool stayed; /* no later level of the function returns to the old one */
	bool moved; /* a cost shift: another function has the cost, or had it before */
	uint32_t caller; /* with moved: the unchanged caller; 0: unknown */
};

struct series {
	char **path;
	size_t n; /* number of files */
	double looks; /* planned number of analyses of the series */
	const char *column;
	struct folded folded;

	/* Set by series_read: */
	uint32_t *file; /* the non-empty files, in order */
	size_t length;
	struct calltree *names;
	uint32_t *tested; /* names of the functions that are large enough */
	size_t functions;
	double *share; /* of tested function i in profile t: share[i * length + t] */
	double *sample; /* by profile: share of one sample; 0: unknown */

	/* Set by series_judge: */
	struct series_change *change; /* in time order */
	size_t changes;
	bool correlated; /* neighbours are too similar: only abrupt steps are significant */
};

/* Reads all files; exits with status 2 if there are too few. */
void series_read(struct series *s);
void series_judge(struct series *s);
void series_free(struct series *s);

/*
 * For series_judge: reads the profiles on both sides of the changes [first, end), which have one
 * position, again and compares them, to find cost shifts among the changes.
 */
void series_moves(struct series *s, size_t first, size_t end);

/* Returns the change to slower that lasts and is not a cost shift, the largest one; or NULL. */
const struct series_change *series_slower(const struct series *s);
/* Returns the largest drift in either direction, or NULL. */
const struct series_change *series_drift(const struct series *s);

/*
 * Returns the interval of a change in percent of the level before it: simultaneous for all
 * steps, or with `marginal` at 95 % for this one.
 */
struct interval series_interval(
    const struct series *s, const struct series_change *x, bool marginal);

/* The answer in a word, and its reason in one line; `name` formats names. */
const char *series_answer(const struct series *s);
void series_reason(struct text *t, const struct series *s, figure_namer *name);

void series_text(struct text *t, const struct series *s);
void series_tsv(struct text *t, const struct series *s);
void series_markdown(struct text *t, const struct series *s);
void series_json(struct text *t, const struct series *s);

#endif
