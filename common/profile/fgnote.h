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
	/*
	 * By column, of values that were rounded to integers: each value minus its integer, as
	 * decimals in the order of the values. Empty if all integers of the column are exact.
	 */
	struct text rest[CALLTREE_COLUMNS];
	size_t rest_at[CALLTREE_COLUMNS]; /* private: bytes that fgnote_exact has read */
};

/* The note's key, in formats with attributes. */
#define FGNOTE_KEY "fg.folded"

#define FGNOTE_DIGITS 9 /* decimals of a value (base/value.h) */

/* The value of 1 in a column's integers: 10^-digits. */
value fgnote_step(const struct fgnote *c, unsigned column);

/*
 * For rounded values, in the order of the profile: fgnote_rest adds the rest of v, which is
 * written as n; fgnote_exact is the value that was written as n, false if the note has no valid
 * rest for it.
 */
void fgnote_rest(struct fgnote *c, unsigned column, value v, uint64_t n);
bool fgnote_exact(struct fgnote *c, unsigned column, uint64_t n, value *v);
bool fgnote_rest_unread(const struct fgnote *c); /* true if rests are left */

/* Appends the note: its own first line, the header lines of folded(5), the rests. */
void fgnote_note(struct text *t, const struct fgnote *c);
/* True if s has the first bytes of a note: a cheap check of each string. */
bool fgnote_begins(struct str s);

/* True if s is a note; *c is then its content, to be freed with fgnote_free. */
bool fgnote_read(struct fgnote *c, struct str s);
void fgnote_free(struct fgnote *c);

/*
 * Append a frame's text encoded as UTF-8 without control characters, by vis(3) with doubled
 * backslashes; and decoded again, false when s is malformed.
 */
void fgnote_frame(struct text *t, struct str frame);
bool fgnote_unframe(struct text *t, struct str s);

#endif
