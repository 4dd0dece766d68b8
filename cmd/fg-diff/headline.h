/*
 * headline: growth by functions of the program's own code, for the reader of a pull request.
 */
#ifndef HEADLINE_H
#define HEADLINE_H

#include "fg-diff/compare.h"

#define HEADLINES_MAX 5

/*
 * A function of the program, and the growth charged to it: its own, and that of library and
 * kernel functions that it calls.
 */
struct headline {
	const struct row *row;
	const struct row *calls; /* its new callee with the largest value, or NULL */
	double growth; /* in the values of a report */
	struct str engine; /* native code with most of it (engine.h); len 0: none */
	bool engine_named; /* words, not a name of the profile */
	double engine_growth;
};

struct headlines {
	struct headline *line; /* largest growth first */
	size_t n, rest; /* functions with a headline, and those too small for one */
	double rest_growth;
};

/*
 * Charges significant growth of self values to the nearest function of the program: the last
 * frame on the path that is not in a library or the kernel. c must compare functions, without
 * --only. excused: by row, the growth is a cost shift; or NULL. Free with headlines_free.
 */
void headlines_find(struct headlines *h, struct comparison *c, const bool *excused);
void headlines_free(struct headlines *h);

/*
 * Returns the function of the program to whose calls most of a row's own change belongs; the row
 * itself if it is the program's, or no such function calls it. c as for headlines_find.
 */
const struct row *headline_owner(struct comparison *c, const struct row *row);

/*
 * Returns by row whether its frames are the program's, as far as annotations and modules show
 * it. The caller frees it.
 */
bool *headline_own(struct comparison *c);

#endif
