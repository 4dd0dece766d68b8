/*
 * compare: what two sides spent in each function (or module, or stack), row by row,
 * and whether the change is beyond noise.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "base/pattern.h"
#include "stats/noise.h"
#include "fg-diff/side.h"
#include "profile/funcname.h"
#include "stats/period.h"

struct row {
	const struct calltree_name *name; /* in the comparison's names */
	struct change self, total; /* of stacks there is no total */
};

struct comparison {
	enum by by;
	const struct side *side[2];
	const char *unit; /* of the values, or NULL */
	struct noise noise;
	enum period_source period_source;
	bool inexact; /* the unit is one of exact counts, but runs of one side differ */
	struct change whole;
	double whole_limit; /* the smallest increase of the total that could have been seen */
	struct row *row;
	size_t n, tested; /* rows, and how many self values are large enough to be tested */
	bool only; /* some were picked out, and the total is not judged */

	struct calltree *names;
	struct funcrows rows; /* of names, before --only removes rows */
	double *run_whole;
	double *self; /* by row: the self value of each run, as noise.h orders them */
	unsigned runs; /* values of such a row */
};

/* What is compared, and how. The sides must stay until compare_free. */
struct comparing {
	const struct side *base, *head;
	const struct side *history; /* earlier runs of base's program, or NULL */
	unsigned which; /* spent[which] of each side */
	struct noise noise; /* the options: kind, shares, confidence, and period or 0 */
	const struct pattern *only; /* judge only matching rows; NULL: all */
	double allowed; /* relative growth of the total that a gate allows, or INFINITY */
};
struct comparison *compare_sides(const struct comparing *how);
void compare_free(struct comparison *c);

/* Of functions: the row of a frame, NULL of none. For comparisons that have all rows. */
const struct row *compare_function(struct comparison *c, const char *frame, size_t len);
/* Self value of a node of a side's tree, as a mean of runs brought to one size; 0 for the root. */
double compare_scaled(const struct comparison *c, int side, uint32_t node);

/* Numbers of rows: real changes first, then the largest change, then by name. To be freed. */
uint32_t *compare_order(const struct comparison *c, bool by_total);

/* The change that a row is listed by; of stacks it is self. */
static inline const struct change *
row_change(const struct comparison *c, const struct row *row, bool total)
{
	return total && c->by != BY_STACK ? &row->total : &row->self;
}

/* What a row is: function, module, stack. */
const char *compare_row_name(const struct comparison *c);

/*
 * A change in the values of one run of base: beyond what all functions share (noise_own), of the
 * total as measured.
 */
double change_own(const struct comparison *c, const struct change *change);

/* The change of a row in percent as reports print it, and its interval around it. */
double change_percent(const struct comparison *c, const struct change *change);
struct interval change_interval(const struct comparison *c, const struct change *change);
/* The 95 % interval of this row only. */
struct interval change_marginal(const struct comparison *c, const struct change *change);

/* Growth that all functions share, as a part of base; 0 where it is too small for a word. */
double change_shared(const struct comparison *c);

#endif
