/*
 * merge: what fg-merge was asked to do, and the files it does it with.
 */
#ifndef MERGE_H
#define MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/scale.h"
#include "profile/folded.h"

struct profile {
	const char *path;
	char *prefix; /* the root frame put above its stacks and a `;`, or NULL */
	size_t nprefix;
	bool named; /* by an operand NAME=FILE */
	value weight; /* from --weight, VALUE_ONE by default */
	bool weighed; /* a --weight was given for it */
	value total[CALLTREE_COLUMNS]; /* with --normalize, of each column before scaling */
	struct scale scale[CALLTREE_COLUMNS]; /* set by merge_scale */
};

struct merge {
	struct folded folded;
	struct profile *source;
	size_t n, cap;
	bool normalize, mean, weighted; /* weighted: a --weight was given */
	bool linewise; /* sorted inputs are in the order of lines */
	bool no_header;
	const char *column; /* --column, or NULL for all of them */
	int picked; /* its number, -1 for all; set by merge_header */
	struct folded_columns written; /* what header lines said so far */
	struct scale divide; /* with --mean, by the sum of weights; set by merge_header */
};

/* Set the scales of all sources out of weights and totals. */
void merge_scale(struct merge *m);

/* What comes before the first stack: settles --column, writes the header. */
void merge_header(struct merge *m, struct output *o);

/* After the last stack, or any: what header lines became known since, as a stream has them. */
void merge_more_header(struct merge *m, struct output *o);

/* What follows a stack of the result: its sums, of one for each column read. */
void merge_values(const struct merge *m, struct output *o, const value *sum);

/* Whether its values are changed, so that they count something else than samples of its period. */
static inline bool
merge_scales(const struct merge *m, const struct profile *s)
{
	return m->normalize || s->weight != VALUE_ONE;
}

/* Any input: sums in memory, then all of it in order. The result goes to path. */
void merge_plain(struct merge *m, const char *path);

/* Inputs in canonical order, or in that of lines: a stream, in memory that does not depend on their
 * size. */
void merge_sorted(struct merge *m, const char *path);

#endif
