/*
 * moved: cost that grew in one function and shrank by as much in another, below a caller
 * that did not change; and functions that may have got another name.
 */
#ifndef MOVED_H
#define MOVED_H

#include "fg-diff/compare.h"

/* Where a row's growth came from. */
struct move {
	const struct row *within; /* the nearest caller that did not change; NULL: it is growth */
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
void moved_free(struct moves *m);

#endif
