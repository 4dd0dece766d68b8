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
	struct change whole;
	double whole_limit; /* the smallest increase of the whole that could have been seen */
	struct row *row;
	size_t n, tested; /* rows, and how many self values are large enough to be tested */
	bool only; /* some were picked out, and the whole is not judged */

	struct calltree *names;
	struct funcrows rows; /* of names, before --only removes rows */
	double *run_whole;
};

/*
 * Compare what both sides have as spent[which]. noise holds what the user asked
 * for: kind, shares, confidence, and period or 0. only may be NULL. The sides must
 * stay until compare_free.
 */
struct comparison *compare_sides(const struct side *base, const struct side *head, unsigned which,
    const struct noise *noise, const struct pattern *only);
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
 * How much a function's own change is, in the values of one run of base: what it has
 * beyond what all functions share, and no more than what was measured. Of the whole,
 * and where nobody can tell what all share, what was measured.
 */
double change_own(const struct comparison *c, const struct change *change);

#endif
