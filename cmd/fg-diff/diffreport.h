/*
 * diffreport: a comparison formatted for people, for programs or for a pull request.
 */
#ifndef DIFFREPORT_H
#define DIFFREPORT_H

#include "base/output.h"
#include "base/text.h"
#include "fg-diff/answer.h"
#include "fg-diff/compare.h"
#include "fg-diff/explain.h"
#include "fg-diff/headline.h"
#include "fg-diff/moved.h"

struct report {
	const struct comparison *c;
	const struct answer *answer;
	const struct moves *moves; /* or NULL */
	const struct explanation *explanation; /* or NULL */
	const struct headlines *headlines; /* or NULL */
	figure_namer *name; /* formats names in lines */
	struct output *out; /* of a long report, for report_flush; or NULL */
	size_t top; /* limit of rows for self and for total, 0: all; tsv always has all */
};

/* The formats, each in its file under report/. */
void report_text(struct text *t, const struct report *r);
void report_tsv(struct text *t, const struct report *r);
void report_markdown(struct text *t, const struct report *r);
void report_json(struct text *t, const struct report *r);

const char *report_verdict(const struct change *x);
/* Appends the change in percent of base (change_percent); a word for added and removed code. */
void report_relative(struct text *t, const struct comparison *c, const struct change *x);
/* Appends the change in percent of base's profile total; nothing without a base. */
void report_of_total(struct text *t, const struct comparison *c, const struct change *x);
/*
 * Appends the interval of a change, "+22 to +56 %"; for a new function, in values; nothing if
 * unknown.
 */
void report_interval(struct text *t, const struct comparison *c, const struct change *x);
/* Appends an increase as a percentage of base; nothing if it is INFINITY. */
void report_limit(struct text *t, double increase, double base);
/* Writes the text to report.out, if it is long: between the rows of formats that list all. */
void report_flush(struct text *t, const struct report *r);
/* Returns how many rows to list: those with a change, at most `top`. */
size_t report_rows(const struct report *r, const uint32_t *order, bool total);

/* Paragraphs that text and Markdown share, one line each. */
void report_sides(struct text *t, const struct report *r); /* the profiles compared */
void report_noise(struct text *t, const struct report *r); /* the noise that was assumed */
void report_detectable(struct text *t, const struct report *r); /* the minimum detectable changes */
void report_explanation(struct text *t, const struct report *r); /* the parts of the change */
void report_hints(struct text *t, const struct report *r); /* renames */
void report_words(struct text *t, const struct report *r); /* definitions of terms */

#endif
