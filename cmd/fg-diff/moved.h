/*
 * moved: cost shifts, that is cost that left one function for another below an unchanged caller;
 * and functions that may have a new name.
 */
#ifndef MOVED_H
#define MOVED_H

#include "fg-diff/compare.h"
#include "fg-diff/headline.h"

/* Where a row's growth came from. */
struct move {
	const struct row
	    *within; /* the nearest caller below which cost moved; NULL: it is growth */
	bool alone; /* its total did not change; else the sum of what changed below it */
	double net; /* growth of that total or sum, in the values of a report */
	const struct row *from; /* what shrank most below it; NULL when it is not one thing */
};

struct rename {
	const struct row *gone, *come;
};

struct moves {
	struct move *self, *total; /* by row */
	struct rename *rename;
	size_t renames;
};

/* c compares functions and has all of them; its rows must stay where they are. */
void moved_find(struct moves *m, struct comparison *c);
/* The headlines of a comparison without the growth that moved. */
void moved_headlines(const struct moves *m, struct comparison *c, struct headlines *h);
void moved_free(struct moves *m);

#endif
