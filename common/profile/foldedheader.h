/*
 * foldedheader: header lines of folded files: number, names, units and periods of the value
 * columns, and labels, as in
 *
 *	# columns: base head 0 0
 *	# unit: ns 0 0
 *	# period: 1003009 ns 0 0
 *	# values: sampled 0 0
 *	# label: host=web1 version=4.2 0 0
 *
 * Other programs read these lines as stacks without weight (folded(5)).
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
#include "profile/foldedvalues.h"
#include "profile/labels.h"
#include "profile/unit.h"

/* The value columns of a file, or of all files read. Owns its strings. */
struct folded_columns {
	unsigned n; /* number of columns: 1 in a plain file; 0: unknown */
	char *name[CALLTREE_COLUMNS]; /* names; NULL in a plain file */
	char *unit[CALLTREE_COLUMNS]; /* one word; NULL: unknown */
	struct folded_period period[CALLTREE_COLUMNS];
	enum folded_values values[CALLTREE_COLUMNS]; /* as declared; see folded_values_of */
	char *compared; /* of a differential: FOLDED_COMPARED_*; NULL: one run per side */
	char *sides; /* of a differential: the words of `# sides:`; NULL: none */
	char *intervals; /* a differential's `# interval:` lines with newlines; NULL: none */
	struct labels *labels; /* labels of all files; NULL: none */
	bool ends; /* the file ends with a line that proves it complete (foldedend.h) */
};

/*
 * Values of `# compared:`, for base and head columns that do not allow a verdict: means of runs
 * (`runs=3,5`), exact values, or one side scaled to the other.
 */
#define FOLDED_COMPARED_RUNS "runs="
#define FOLDED_COMPARED_EXACT "exact"
#define FOLDED_COMPARED_SCALED "scaled"

/* Parses "base,head" or "base head"; false when it is empty, has too many names or one twice. */
bool folded_columns_parse(struct folded_columns *c, const char *s, size_t len);
/* True for a differential: the first two columns are base and head. */
bool folded_columns_compared(const struct folded_columns *c);
/* Parses the argument of --columns like folded_columns_parse; exits with a usage error. */
void folded_columns_option(struct folded_columns *c, const char *arg);
/*
 * Parses the argument of --column: a column's name or 1-based number. Exits with 2 and the
 * input's column names if there is none.
 */
unsigned folded_columns_find(const struct folded_columns *c, const char *name, const char *input);
/* True if both have the same number of columns, and the same names if both have names. */
bool folded_columns_equal(const struct folded_columns *a, const struct folded_columns *b);
/* Returns one column as that of a plain file; c owns the strings. */
struct folded_columns folded_columns_pick(const struct folded_columns *c, unsigned column);
void folded_columns_free(struct folded_columns *c);

/*
 * For producers: set the unit or period of a column; strings are copied. A unit is a word that
 * is not a number (see folded_unit_valid).
 */
void folded_columns_unit(struct folded_columns *c, unsigned column, const char *unit);
void folded_columns_period(
    struct folded_columns *c, unsigned column, value number, const char *unit);

/*
 * The kind of a column's values: FOLDED_EXACT to FOLDED_UNKNOWN. Estimates and sampled bytes
 * without the weight of one sample are FOLDED_UNKNOWN too, because their noise is.
 */
enum folded_values folded_values_of(const struct folded_columns *c, unsigned column);

/* The weight of one sample of a column by its unit and period; 0 when unknown. */
double folded_sample_weight(const struct folded_columns *c, unsigned column);

/* True if --unit accepts it: one word, not a number, without a special meaning in header lines. */
bool folded_unit_valid(const char *unit);

/* Kinds of comment lines. */
enum foldedheader_key {
	FOLDEDHEADER_NONE,
#define HEADER(id, key, summary) FOLDEDHEADER_##id,
#include "profile/foldedheaders.def"
#undef HEADER
	FOLDEDHEADER_KEYS /* number of keys */
};

/* The name of a key, without the colon. */
const char *foldedheader_name(enum foldedheader_key key);

/* The key of a line that starts with `# `; *words is its content, without the zeros. */
enum foldedheader_key foldedheader_key(struct str line, struct str *words);

/*
 * The header lines of one file. A single unit or period is for all columns: the columns line
 * may come later.
 */
struct foldedheader {
	struct folded_columns columns; /* n and name are from a columns line */
	unsigned nunit, nperiod, nvalues;
};

/* Relation of a line to earlier ones. */
enum foldedheader_fit {
	FOLDEDHEADER_FITS,
	FOLDEDHEADER_DONE, /* nothing of it is merged with other files */
	FOLDEDHEADER_INVALID, /* not a header line: a plain comment */
	FOLDEDHEADER_CONFLICT, /* another unit than that of an earlier line */
};
enum foldedheader_fit foldedheader_read_units(struct foldedheader *a, struct str words);
enum foldedheader_fit foldedheader_read_periods(struct foldedheader *a, struct str words);
enum foldedheader_fit foldedheader_read_values(struct foldedheader *a, struct str words);
enum foldedheader_fit foldedheader_read_labels(struct foldedheader *a, struct str words);
/* Parses a mark's time like "12.340 s" to ns; false when it is not one. */
bool foldedheader_time(struct str mark, uint64_t *ns);
/* The labels in the first bytes of a file; the caller frees them. */
struct labels *foldedheader_labels(const char *data, size_t len);
/* The unit of a column; NULL: unknown. */
const char *foldedheader_unit(const struct foldedheader *a, unsigned column);
void foldedheader_free(struct foldedheader *a);

/*
 * Merges one file's header into that of all files, with equally many columns (c->n): known
 * replaces unknown, equal stays, different periods become mixed.
 */
enum foldedheader_fit foldedheader_join_units(
    struct folded_columns *c, const struct foldedheader *a);
enum foldedheader_fit foldedheader_join_periods(
    struct folded_columns *c, const struct foldedheader *a);

/*
 * Merges one file's kind of values: the weakest word stays. complete: the whole file was read, so
 * without a line its kind is unknown. scaled: the values are multiplied, not as counted.
 */
enum foldedheader_fit foldedheader_join_values(
    struct folded_columns *c, const struct foldedheader *a, bool complete, bool scaled);

/* Merges the words of `# compared:` or `# sides:`; different ones become "merged". */
void foldedheader_join_compared(char **compared, struct str words);

/* True if a column counts samples of different periods, whose sum is meaningless. */
bool foldedheader_uneven(const struct folded_columns *c);

/*
 * Writes the header lines. before: the columns already written, when more information arrives
 * within a stream: writes only the new; else NULL.
 */
void foldedheader_write(
    struct output *o, const struct folded_columns *c, const struct folded_columns *before);
void foldedheader_add(
    struct text *b, const struct folded_columns *c, const struct folded_columns *before);

#endif
