/*
 * explain: the few functions that account for the change of the profile total, each counted
 * once.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "fg-diff/compare.h"

#define EXPLAIN_PART 0.9 /* share of the change to account for */
#define EXPLAIN_MAX 20

struct explained {
	const struct row *row;
	bool below; /* with its callees; false: self only */
	double base, head; /* without the parts listed before it; in the values of a report */
};

struct explanation {
	double change; /* of the profile total */
	struct explained part[EXPLAIN_MAX];
	size_t n;
	double left; /* part of the change not accounted for */
};

/* c must compare functions, without --only. */
void explain_find(struct explanation *e, struct comparison *c);

#endif
