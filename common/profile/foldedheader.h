/*
 * about: what a folded file says of itself: how many values a line has, their
 * names, their units and what one sample stands for, in lines like
 *
 *	# columns: base head 0 0
 *	# unit: ns 0 0
 *	# period: 1003009 ns 0 0
 *	# label: host=web1 version=4.2 0 0
 *
 * which are stacks of nothing to programs that do not know them (folded(5)).
 */
#ifndef FOLDEDHEADER_H
#define FOLDEDHEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "base/value.h"
#include "profile/calltree.h"
#include "profile/labels.h"

#define FOLDED_SAMPLES "samples" /* the unit of counts; at different periods they do not add up */

/* What one sample stands for. */
struct folded_period {
	value number;
	char *unit; /* one word; NULL: not said */
	bool mixed; /* of several that differ: not known, whatever else is said */
};

/* The value columns of a file, or of all files that were read. The strings are owned. */
struct folded_columns {
	unsigned n; /* 1 in a plain file, 0 while it is not known */
	char *name[CALLTREE_COLUMNS]; /* NULL in a plain file */
	char *unit[CALLTREE_COLUMNS]; /* one word; NULL: not said */
	struct folded_period period[CALLTREE_COLUMNS];
	char *compared; /* of a differential: FOLDED_COMPARED_*; NULL: one run a side */
	char *intervals; /* ... and its `# interval:` lines, each with a newline; NULL: none */
	struct labels *labels; /* of all files; NULL: none */
};

/*
 * What `# compared:` states of base and head, where a verdict cannot be computed from the two
 * columns: they are means of runs (`runs=3,5`), exact values, or one is scaled to the other.
 */
#define FOLDED_COMPARED_RUNS "runs="
#define FOLDED_COMPARED_EXACT "exact"
#define FOLDED_COMPARED_SCALED "scaled"

/* Parse "base,head" or "base head"; false when it is empty, has too many or a name twice. */
bool folded_columns_parse(struct folded_columns *c, const char *s, size_t len);
/* Whether they are to be compared: the first two are called base and head. */
bool folded_columns_compared(const struct folded_columns *c);
/* What --columns asks for: the same, or wrong usage. */
void folded_columns_option(struct folded_columns *c, const char *arg);
/*
 * What --column asks for: the column with that name or 1-based number. Where there is
 * none, the message names those of the input, and exits with 2.
 */
unsigned folded_columns_find(const struct folded_columns *c, const char *name, const char *input);
/* Whether both have as many, of the same names where both have some. */
bool folded_columns_equal(const struct folded_columns *a, const struct folded_columns *b);
/* One of them as the only one of a plain file; its strings stay c's. */
struct folded_columns folded_columns_pick(const struct folded_columns *c, unsigned column);
void folded_columns_free(struct folded_columns *c);

/*
 * For producers: copies of what is known of a column. A unit is a word, and no
 * number (see folded_unit_valid).
 */
void folded_columns_unit(struct folded_columns *c, unsigned column, const char *unit);
void folded_columns_period(
    struct folded_columns *c, unsigned column, value number, const char *unit);

/* The weight of one sample of a column by its unit and period; 0 when these do not state it. */
double folded_sample_weight(const struct folded_columns *c, unsigned column);

/* Whether --unit may say so: one word, no number, nothing that a header line means otherwise. */
bool folded_unit_valid(const char *unit);

/* What a comment is. */
enum foldedheader_key {
	FOLDEDHEADER_NONE,
	FOLDEDHEADER_COLUMNS,
	FOLDEDHEADER_UNIT,
	FOLDEDHEADER_PERIOD,
	FOLDEDHEADER_TIME,
	FOLDEDHEADER_LABEL,
	FOLDEDHEADER_COMPARED,
	FOLDEDHEADER_INTERVAL
};

/* The key of a line that begins with `# `; *words is what it says, without its zeros. */
enum foldedheader_key foldedheader_key(struct str line, struct str *words);

/*
 * The header lines of one file. Units and periods stand for all columns when
 * they are one: how many columns there are may be said later.
 */
struct foldedheader {
	struct folded_columns said; /* n and name: from a columns line */
	unsigned nunit, nperiod;
};

/* How a line goes with what was said before. */
enum foldedheader_fit {
	FOLDEDHEADER_FITS,
	FOLDEDHEADER_INVALID, /* then it is a comment like any other */
	FOLDEDHEADER_CONFLICT, /* another unit */
};
enum foldedheader_fit foldedheader_read_units(struct foldedheader *a, struct str words);
enum foldedheader_fit foldedheader_read_periods(struct foldedheader *a, struct str words);
enum foldedheader_fit foldedheader_read_labels(struct foldedheader *a, struct str words);
/* The time of a mark like "12.340 s", in ns; false when it is not one. */
bool foldedheader_time(struct str mark, uint64_t *ns);
/* The labels in the first bytes of a file; the caller frees them. */
struct labels *foldedheader_labels(const char *data, size_t len);
/* The unit of a column, NULL when it says none. */
const char *foldedheader_unit(const struct foldedheader *a, unsigned column);
void foldedheader_free(struct foldedheader *a);

/*
 * Add what one file says to what all files say, of whose c->n columns it has as
 * many: not said gives way to said, equal stays, different periods become mixed.
 */
enum foldedheader_fit foldedheader_join_units(
    struct folded_columns *c, const struct foldedheader *a);
enum foldedheader_fit foldedheader_join_periods(
    struct folded_columns *c, const struct foldedheader *a);

/* Add the words of `# compared:`; different ones become "merged". */
void foldedheader_join_compared(char **compared, struct str words);

/*
 * Intervals of functions, in percent of base: `LOW HIGH NAME`, where the name has %XX for bytes
 * that are not part of a word. Add a line; take the first line off *lines, false when there is
 * none.
 */
void folded_interval_add(struct text *lines, double low, double high, const char *name, size_t len);
bool folded_interval_next(const char **lines, double *low, double *high, struct text *name);
/* Add what one file states; of files that state different things nothing is left. */
void foldedheader_join_intervals(char **intervals, const char *other);

/* Whether a column counts samples of different periods, which mean nothing as a sum. */
bool foldedheader_uneven(const struct folded_columns *c);

/*
 * Write the lines. before: what was written already, when more became known in
 * the middle of a stream: then only what is new; else NULL.
 */
void foldedheader_write(
    struct output *o, const struct folded_columns *c, const struct folded_columns *before);
void foldedheader_add(
    struct text *b, const struct folded_columns *c, const struct folded_columns *before);

#endif
