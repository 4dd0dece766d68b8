/*
 * pair: base and head with the earlier runs of base: read, judged and reported; all files, or
 * those of one value of --group-by.
 */
#ifndef PAIR_H
#define PAIR_H

#include "base/text.h"
#include "fg-diff/compare.h"
#include "fg-diff/gate.h"
#include "fg-diff/options.h"
#include "fg-diff/scriptrows.h"
#include "fg-diff/side.h"

#define PAIR_SPENT 2 /* of a report, and of the noise column */

struct pair {
	const char *root; /* KEY=VALUE of --group-by, or NULL */
	struct side base, head, history; /* history.runs is 0 without --baseline */

	/* Set by pair_read and pair_judge: */
	struct identity identity; /* of all sides */
	struct scriptrows scripts; /* of the report */
	struct spent spent[3][PAIR_SPENT];
	struct comparison *functions; /* for the noise column, or NULL */
	struct answer answer; /* PASS without a report and a gate */
	struct output *out; /* has the first part of the report, or NULL */
	struct text report; /* in the format of --report */
	struct text profile_total; /* change of the profile total and its interval, for a table */
};

/*
 * Sets the files of base, head and history; a history of fewer than two runs is not used. root and
 * the arrays of paths must stay valid until pair_free_sides.
 */
void pair_open(
    struct pair *p, const struct options *o, const char *root, const struct files files[3]);

/* Reads all files, after pair_open. */
void pair_read(struct pair *p, const struct options *o);

/* Compares the sides; confidence is that of this pair. */
void pair_judge(struct pair *p, const struct options *o, double confidence);

/* Returns the exit status that an answer causes. */
int pair_status(const struct answer *a, const struct options *o);

/* Frees the sides and the comparison of the noise column. */
void pair_free_sides(struct pair *p);

#endif
