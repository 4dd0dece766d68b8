/*
 * carried: folded stacks in other tools' formats, from which they come back as they
 * were. What such a format has no place for goes with it: a note says what the values
 * are, and each function has its frame's whole text beside the name that is shown.
 * fg-render -T writes them, fg-collapse reads them.
 */
#ifndef FGNOTE_H
#define FGNOTE_H

#include <stdbool.h>

#include "base/text.h"
#include "base/value.h"
#include "profile/foldedheader.h"

struct fgnote {
	struct folded_columns columns;
	/* Of a format of whole numbers: how many decimals of each column its values have. */
	unsigned digits[CALLTREE_COLUMNS]; /* 0 to FGNOTE_DIGITS */
	/* base and head are one kind of value: the base's are negative and labelled */
	bool difference;
};

/* The key of the note, where it is an attribute. */
#define FGNOTE_KEY "fg.folded"

#define FGNOTE_DIGITS 9 /* of a value (base/value.h) */

/* What 1 of a column's whole numbers stands for: 10^-digits. */
value fgnote_step(const struct fgnote *c, unsigned column);

/* Add the note: a first line of its own, then the header lines of folded(5). */
void fgnote_note(struct text *t, const struct fgnote *c);
/* Whether s is such a note; then *c is what it says. fgnote_free frees it. */
bool fgnote_read(struct fgnote *c, struct str s);
void fgnote_free(struct fgnote *c);

/*
 * A frame's text as UTF-8 without control characters, by vis(3), its backslashes doubled;
 * and back. False when it is no such text.
 */
void fgnote_frame(struct text *t, struct str frame);
bool fgnote_unframe(struct text *t, struct str s);

#endif
