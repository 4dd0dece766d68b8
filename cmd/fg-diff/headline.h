/*
 * headline: the growth of a comparison by the user's own functions, for a reader of a pull request.
 */
#ifndef HEADLINE_H
#define HEADLINE_H

#include "fg-diff/compare.h"

#define HEADLINES_MAX 5

/* A function of the program, with what grew below it up to the next one. */
struct headline {
	const struct row *row;
	const struct row *calls; /* the function that it newly calls and that holds most, or NULL */
	double growth; /* in the values of a report */
};

struct headlines {
	struct headline *line; /* by growth, the largest first */
	size_t n;
};

/*
 * Attribute the self growth beyond noise to the nearest function of the program: the last frame
 * on the way that is neither a library's nor the kernel's. c compares functions and has
 * all of them; excused, by row: growth that moved, or NULL. Freed with headlines_free.
 */
void headlines_find(struct headlines *h, struct comparison *c, const bool *excused);
void headlines_free(struct headlines *h);

/* By row: whether its frames are the program's, as far as annotations and modules tell. */
bool *headline_own(struct comparison *c);

#endif
