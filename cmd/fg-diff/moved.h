/*
 * moved: cost shifts, that is, cost that left one function for another below an unchanged
 * caller; and possible renames.
 */
#ifndef MOVED_H
#define MOVED_H

#include "fg-diff/compare.h"
#include "fg-diff/headline.h"

/* Origin of a row's growth. */
struct move {
	const struct row *within; /* nearest caller below which cost shifted; NULL: real growth */
	bool alone; /* its total is unchanged; else the sum of the changed functions below it */
	double net; /* growth of that total or sum, in the values of a report */
	const struct row *from; /* the function that shrank most below it; NULL if unclear */
};

struct rename {
	const struct row *gone, *come;
};

struct moves {
	struct move *self, *total; /* by row */
	struct rename *rename;
	size_t renames;
};

/* Finds the cost shifts. c must compare functions, without --only; its rows must not move. */
void moved_find(struct moves *m, struct comparison *c);
/* Finds the headlines of a comparison without cost shifts. */
void moved_headlines(const struct moves *m, struct comparison *c, struct headlines *h);
void moved_free(struct moves *m);

#endif
