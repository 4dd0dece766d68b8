/*
 * series: profiles in time order: which functions changed, when, by how much, and whether
 * that stayed.
 */
#ifndef SERIES_H
#define SERIES_H

#include <stdbool.h>

#include "base/text.h"
#include "stats/noise.h"
#include "stats/segment.h"
#include "fg-diff/figure.h"
#include "fg-diff/side.h"

#define SERIES_MIN (2 * SEGMENT_MIN) /* profiles */
#define SERIES_FAMILY 0.002 /* of the whole: functions below it are not looked at */

struct series_change {
	uint32_t function; /* in names */
	bool drifts; /* slowly, from step.before at the begin to step.after at the end */
	struct step step; /* levels are shares of the whole */
	bool stayed; /* no later level of the function is back at the old one */
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

/* The first change that became slower and stayed so, and did not only move; the largest, or NULL.
 */
const struct series_change *series_slower(const struct series *s);
/* The largest drift, up or down, or NULL. */
const struct series_change *series_drift(const struct series *s);
/* How many changes are steps. */
size_t series_steps(const struct series *s);

/*
 * The interval of a change in percent of its level before: at the level of all steps together,
 * or (marginal) at 95 % for this one.
 */
struct interval series_interval(
    const struct series *s, const struct series_change *x, bool marginal);

/* The answer in a word, and its reason in a line, with names written by `name`. */
const char *series_answer(const struct series *s);
void series_reason(struct text *t, const struct series *s, figure_namer *name);

void series_text(struct text *t, const struct series *s);
void series_tsv(struct text *t, const struct series *s);
void series_markdown(struct text *t, const struct series *s);
void series_json(struct text *t, const struct series *s);

#endif
