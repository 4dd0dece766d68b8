/*
 * compare: the values of two sides in each function (or module, or stack), row by row, and
 * whether their change is significant.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "base/pattern.h"
#include "stats/changeset.h"
#include "stats/noise.h"
#include "fg-diff/side.h"
#include "names/own.h"
#include "stats/period.h"

struct row {
	const struct calltree_name *name; /* in comparison.names */
	const struct change *self, *total; /* in comparison.changes; stacks have no total */
};

#define COMPARE_NO_ROW UINT32_MAX

struct comparison {
	enum by by;
	const struct scriptrows *scripts; /* or NULL: each function is a row */
	const struct side *side[2];
	const char *unit; /* unit of the values, or NULL */
	struct noise noise;
	enum period_source period_source;
	bool inexact; /* the unit is one of exact counts, but the runs of one side differ */
	struct change profile_total;
	double profile_total_limit; /* minimum detectable increase of the total */
	struct row *row;
	struct changeset changes; /* of the rows */
	size_t n, tested; /* rows; self values that are large enough to be tested */
	bool only; /* rows were selected by --only; the total is not judged */
	const struct own_files *own; /* of --own-files, or NULL */

	struct calltree *names; /* of rows; by function NULL: those of the identity */
	uint32_t
	    *row_of; /* by function: its row before --only removes some; COMPARE_NO_ROW: none */
	double *run_profile_total;
	double *self; /* by row: self value in each run, in the order of noise.h */
	double *total; /* by row: total in each run */
	unsigned runs; /* values per row of self and total */
	struct row_order {
		uint32_t *row; /* NULL: not sorted yet */
		size_t n;
	} * order; /* two, of compare_order, by self and by total */
};

/*
 * Input of compare_sides. The sides must stay valid until compare_free; the values of the spent[]
 * that is compared are freed.
 */
struct comparing {
	const struct side *base, *head;
	const struct side *history; /* earlier runs of base's program, or NULL */
	unsigned which; /* index of the spent[] to compare */
	struct noise noise; /* options: kind, shares, confidence, and period or 0 */
	const struct own_files *own; /* or NULL */
	const struct pattern *only; /* judge only matching rows; NULL: all */
	double allowed; /* the gate's limit of the total's relative growth, or INFINITY */
};
struct comparison *compare_sides(const struct comparing *how);
void compare_free(struct comparison *c);

/* Returns the row of a function, or NULL. For comparisons by function, without --only. */
const struct row *compare_function(const struct comparison *c, uint32_t function);
/* Returns the self value of a node of a side's tree as a scaled mean (noise.h); 0 for the root. */
double compare_scaled(const struct comparison *c, int side, uint32_t node);

/*
 * Returns the first `most` row numbers sorted, 0: all: significant changes first, then by size of
 * the change, then by name. They belong to c.
 */
const uint32_t *compare_order(const struct comparison *c, bool by_total, size_t most);

/* Returns the change by which a row is sorted and listed; for stacks always self. */
static inline const struct change *
row_change(const struct comparison *c, const struct row *row, bool total)
{
	return total && c->by != BY_STACK ? row->total : row->self;
}

/* Returns the kind of row: "function", "module" or "stack". */
const char *compare_row_name(const struct comparison *c);

/*
 * Returns the change scaled to one run of base: for a row, beyond the growth common to all
 * functions (noise_own); for the total, as measured.
 */
double change_own(const struct comparison *c, const struct change *change);

/*
 * Returns the measured change in percent of base's profile total: the percentage of a change in
 * all outputs, also of fg-render; INFINITY if base is empty.
 */
double change_of_total(const struct comparison *c, const struct change *change);

/* Returns the change in percent, as reports print it, and the interval that contains it. */
double change_percent(const struct comparison *c, const struct change *change);
struct interval change_interval(const struct comparison *c, const struct change *change);
/* Returns the 95 % interval of this row, not corrected for the number of rows. */
struct interval change_marginal(const struct comparison *c, const struct change *change);

/* Returns the growth common to all functions, relative to base; 0 if too small to report. */
double change_shared(const struct comparison *c);

#endif
