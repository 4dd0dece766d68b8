/*
 * explain: the few functions that account for the change of the whole, each counted once.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "fg-diff/compare.h"

#define EXPLAIN_PART 0.9 /* of the change that is to be accounted for */
#define EXPLAIN_MAX 20

struct explained {
	const struct row *row;
	bool below; /* with what it calls; else itself alone */
	double base, head; /* of what was not counted before, as a report has values */
};

struct explanation {
	double change; /* of the whole */
	struct explained part[EXPLAIN_MAX];
	size_t n;
	double left; /* of the change, unaccounted for */
};

/* c compares functions and has all of them. */
void explain_find(struct explanation *e, struct comparison *c);

#endif
