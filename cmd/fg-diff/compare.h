/*
 * compare: what two sides spent in each function (or module, or stack), row by row,
 * and whether the change is beyond noise.
 */
#ifndef COMPARE_H
#define COMPARE_H

#include "base/pattern.h"
#include "noise.h"
#include "side.h"

/* How it is known what one sample weighs. */
enum period_source { PERIOD_SAID, PERIOD_DIVISOR, PERIOD_MEDIAN };

struct row {
	const struct calltree_name *name; /* in the comparison's names */
	struct change self, total; /* of stacks there is no total */
};

struct comparison {
	enum by by;
	struct noise noise;
	enum period_source period_source;
	struct change whole;
	double whole_limit; /* the smallest increase of the whole that could have been seen */
	struct row *row;
	size_t n, tested; /* rows, and how many self values are large enough to be tested */

	struct calltree *names; /* number i + 1 was row i before `only` took some out */
	double *run_whole;
};

/*
 * Compare what both sides have as spent[which]. noise holds what the user asked
 * for: kind, shares, confidence, and period or 0. only may be NULL.
 */
struct comparison *compare_sides(const struct side *base, const struct side *head, unsigned which,
    const struct noise *noise, const struct pattern *only);
void compare_free(struct comparison *c);

/* Rows with real changes first, then the largest change, then by name. */
void compare_sort(struct comparison *c, bool by_total);

#endif
