/*
 * report: a comparison as a person, a machine or a pull request wants to read it.
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/text.h"
#include "fg-diff/compare.h"
#include "fg-diff/explain.h"
#include "fg-diff/gate.h"
#include "fg-diff/headline.h"
#include "fg-diff/moved.h"

struct report {
	const struct comparison *c;
	const struct answer *answer;
	const struct moves *moves; /* or NULL */
	const struct explanation *explanation; /* or NULL */
	const struct headlines *headlines; /* or NULL */
	figure_namer *name; /* how names are written in lines */
	size_t top; /* rows of self and of total, 0 for all; tsv has all in any case */
};

/* For the formats, each in its file under report/. */
void report_text(struct text *t, const struct report *r);
void report_tsv(struct text *t, const struct report *r);
void report_markdown(struct text *t, const struct report *r);
void report_json(struct text *t, const struct report *r);

const char *report_verdict(const struct change *x);
/* In percent of base, see change_percent: added and removed code have a word instead. */
void report_relative(struct text *t, const struct comparison *c, const struct change *x);
/* "+22 to +56 %", the interval of a change; of a new function in its values. "" for none. */
void report_interval(struct text *t, const struct comparison *c, const struct change *x);
/* An increase as a share of base; nothing for one that is not known. */
void report_limit(struct text *t, double increase, double base);
/* How many rows are worth a line: those with a change, no more than top. */
size_t report_rows(const struct report *r, const uint32_t *order, bool total);

/* The paragraphs that text and Markdown share, a line each. */
void report_sides(struct text *t, const struct report *r); /* what was compared, the direction */
void report_noise(struct text *t, const struct report *r); /* what noise was taken to be */
void report_sight(struct text *t, const struct report *r); /* what could have been seen */
void report_explanation(struct text *t, const struct report *r); /* what the change is made of */
void report_hints(struct text *t, const struct report *r); /* renames */
void report_words(struct text *t, const struct report *r); /* what words mean */

#endif
