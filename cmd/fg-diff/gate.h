/*
 * gate: fails on regressions, and answers CANNOT TELL if the power was too low to find them.
 */
#ifndef GATE_H
#define GATE_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-diff/compare.h"
#include "fg-diff/figure.h"
#include "fg-diff/moved.h"

/* Limits of growth, in percent of base's profile total. */
struct gate {
	bool self_set, total_set;
	bool automatic; /* the total's limit is the smallest that can be judged */
	double self, total;
};

/* Parses `5%`, `self:3%`, `total:3%` or `auto`; exits with a usage error otherwise. */
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
	bool gated; /* answer of a gate */
	bool empty; /* a side has no samples: exit status 2 */
	bool unusable; /* the inputs do not allow an answer: exit status 2 */
	struct text reason; /* one line, without a newline */
	struct text more; /* further lines: the regressions, and cost shifts that were excused */
	figure_namer *name; /* writes names into reason and more */
	const bool *own; /* by row: in the program's own code, preferred as cause; or NULL */
};

extern const char *const answer_word[];

/* Fills a; the caller sets a->name before. g may be NULL; m is NULL if cost shifts are unknown. */
void answer_find(
    struct answer *a, const struct gate *g, const struct comparison *c, const struct moves *m);
void answer_free(struct answer *a);

/*
 * Returns the minimum detectable ratio of a function with value `base`; INFINITY if no
 * increase can be detected.
 */
double answer_times(const struct comparison *c, double base);

#endif
