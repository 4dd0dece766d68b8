/*
 * fgnote: lossless folded stacks in other tools' formats. A note has the properties of the
 * values for which the format has no field; each function has its frame's full text beside the
 * name shown. fg-render -T writes them, fg-collapse reads them.
 */
#ifndef FGNOTE_H
#define FGNOTE_H

#include <stdbool.h>

#include "base/text.h"
#include "base/value.h"
#include "profile/foldedheader.h"

struct fgnote {
	struct folded_columns columns;
	/* In formats with integer values: decimals of each column's values. */
	unsigned digits[CALLTREE_COLUMNS]; /* 0 to FGNOTE_DIGITS */
	/* base and head are one value type: base values are negative and labelled */
	bool difference;
};

/* The note's key, in formats with attributes. */
#define FGNOTE_KEY "fg.folded"

#define FGNOTE_DIGITS 9 /* decimals of a value (base/value.h) */

/* The value of 1 in a column's integers: 10^-digits. */
value fgnote_step(const struct fgnote *c, unsigned column);

/* Appends the note: its own first line, then the header lines of folded(5). */
void fgnote_note(struct text *t, const struct fgnote *c);
/* True if s is such a note; *c is then its content, to be freed with fgnote_free. */
bool fgnote_read(struct fgnote *c, struct str s);
void fgnote_free(struct fgnote *c);

/*
 * Append a frame's text encoded as UTF-8 without control characters, by vis(3) with doubled
 * backslashes; and decoded again, false when s is malformed.
 */
void fgnote_frame(struct text *t, struct str frame);
bool fgnote_unframe(struct text *t, struct str s);

#endif
