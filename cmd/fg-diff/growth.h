/*
 * growth: profiles in time order, such as dumps of a heap: which functions grow to the end, by how
 * much from one to the next, and since when.
 */
#ifndef GROWTH_H
#define GROWTH_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-diff/figure.h"
#include "fg-diff/options.h"
#include "fg-diff/side.h"
#include "stats/noise.h"
#include "stats/trend.h"

#define GROWTH_FAMILY 0.002 /* of the largest total: smaller functions are not tested */
#define GROWTH_SMALL 0.001 /* of the largest total: less growth in all is not judged */

struct growth_row {
	const struct calltree_name *name; /* NULL: the profile total */
	bool total, own; /* a total, not a self value; of the program's own code */
	uint32_t depth; /* of its innermost frame */
	double mean, first, last; /* values in the first and last profile; with since, see trend */
	struct trend trend;
};

struct growth {
	struct side side; /* its runs are the profiles */
	struct identity identity;
	const char *unit; /* or NULL */
	const char *column; /* the column that was read, or NULL */
	double confidence, hour; /* hour: profiles in an hour, by their labels start; 0: unknown */
	unsigned n, empty; /* profiles, and those left out */
	unsigned *profile; /* by number: its run */
	size_t top; /* rows of a table; 0: all */

	struct growth_row whole, *row; /* row: rising ones first, the largest first */
	size_t rows, tested;
	const struct growth_row *culprit; /* or NULL */
};

/* Reads the files of --growth, and judges all functions. Exits with 2 if there are too few. */
void growth_find(struct growth *g, const struct options *o);
void growth_free(struct growth *g);

/* True if a function or the profile total grows to the end. */
bool growth_grows(const struct growth *g);

/* The answer in a word, and its reason in one line; `name` formats names. */
const char *growth_answer(const struct growth *g);
void growth_reason(struct text *t, const struct growth *g, figure_namer *name);

/* The kind of change of a row: "grows", "ended", "step", "noise" or "small". */
const char *growth_word(const struct growth *g, const struct growth_row *row);

/*
 * The interval of a growth from one profile to the next: simultaneous for all functions, or with
 * `marginal` at 95 % for this one.
 */
struct interval growth_interval(
    const struct growth *g, const struct growth_row *row, bool marginal);

/* File since which a row grows. */
struct calltree_name growth_since(const struct growth *g, const struct growth_row *row);

void growth_text(struct text *t, const struct growth *g);
void growth_tsv(struct text *t, const struct growth *g);
void growth_markdown(struct text *t, const struct growth *g);
void growth_json(struct text *t, const struct growth *g);

#endif
