/*
 * answer: the verdict of a comparison, with the reason.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-diff/figure.h"

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

void answer_free(struct answer *a);

#endif
