/*
 * merge: fg-merge's options and inputs, and the scale of each input.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scale.h"
#include "profile/folded.h"

struct profile {
	const char *path;
	char *prefix; /* the root frame for its stacks with a `;`, or NULL */
	size_t nprefix;
	bool named; /* by an operand NAME=FILE */
	value factor; /* from --scale, VALUE_ONE by default */
	bool scaled; /* a --scale was given for it */
	struct labels *labels; /* of the file, if merge.join */
	value total[CALLTREE_COLUMNS]; /* with --normalize: of each column, before scaling */
	struct scale scale[CALLTREE_COLUMNS]; /* set by merge_scale */
};

struct merge {
	struct folded folded;
	struct profile *source;
	size_t n, cap;
	bool normalize, mean, any_scaled; /* any_scaled: any --scale was given */
	bool join; /* sums are by function */
	bool linewise; /* sorted inputs are in line order */
	bool no_header;
	const char *column; /* --column, or NULL for all of them */
	int picked; /* index of that column, -1 for all; set by merge_header */
	bool ends; /* the result has a last line (foldedend.h), as an input; set by merge_header */
	struct foldedend end;
	struct folded_columns written; /* the header lines written so far */
	struct scale divide; /* with --mean: 1 / sum of factors; set by merge_header */
};

/* Sets the scales of all sources from factors and totals. */
void merge_scale(struct merge *m);

/* Call before the first stack is written: looks --column up and writes the header. */
void merge_header(struct merge *m, struct output *o);

/*
 * Call after the last stack, and optionally after others: writes the header lines that are new
 * since, as in a stream.
 */
void merge_more_header(struct merge *m, struct output *o);

/* Call at the end: writes the last line of the result, if it has one. */
void merge_end(struct merge *m, struct output *o);

/* Ends a stack of the result with its values; sum has one for each input column. */
void merge_values(struct merge *m, struct output *o, const value *sum);

/* True if the values of s are scaled, so that they are not multiples of its period any more. */
static inline bool
merge_scales(const struct merge *m, const struct profile *s)
{
	return m->normalize || s->factor != VALUE_ONE;
}

/* Sets one text for each function in the tables of all sources; a table may be NULL. */
struct table;
void merge_join(const struct merge *m, struct table **own);

/* Merges any inputs: sums in memory, then writes them in order to path. */
void merge_plain(struct merge *m, const char *path);

/*
 * Adds all stacks of several regular files to *t, which the first one creates, without scales. As
 * long as each file is in canonical order, the stacks are added in that order. False, with nothing
 * read, if there are other files, or too many.
 */
struct table;
bool merge_in_order(struct merge *m, struct table **t);

/*
 * Merges inputs in canonical or in line order as a stream, in memory that does not depend on
 * their size.
 */
void merge_sorted(struct merge *m, const char *path);

#endif
