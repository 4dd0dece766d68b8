/*
 * gate: says no to what got slower, and "cannot tell" where it could not have seen it.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-diff/compare.h"
#include "fg-diff/figure.h"
#include "fg-diff/moved.h"

/* How much more than before is too much, in percent of the base's whole. */
struct gate {
	bool self_set, total_set;
	double self, total;
};

/* Parse `5%`, `self:3%` or `total:3%`; exit 2 when it is none of them. */
void gate_parse(struct gate *g, const char *spec);

enum answer_kind {
	ANSWER_PASS,
	ANSWER_FAIL,
	ANSWER_CANNOT_TELL,
	ANSWER_CHANGED, /* without a gate */
	ANSWER_NO_CHANGE,
};

struct answer {
	enum answer_kind kind;
	bool gated; /* it is that of a gate */
	bool unusable; /* the inputs do not allow an answer: exit status 2 */
	struct text reason; /* one line, without its newline */
	struct text more; /* lines: all that is too slow; what moved and is let pass */
	figure_namer *name; /* writes names into them */
	const bool *own; /* by row: a function of the program, which is named first; or NULL */
};

extern const char *const answer_word[];

/* name is set; g may be NULL; m may be NULL where it is not known what moved. */
void answer_find(
    struct answer *a, const struct gate *g, const struct comparison *c, const struct moves *m);
void answer_free(struct answer *a);

/* How many times as much a function of that size would have to be; INFINITY for any. */
double answer_times(const struct comparison *c, double base);

#endif
