/*
 * moved: cost shifts, that is, growth of functions where code was replaced: cost that left one
 * function for another; and renames.
 */
#ifndef MOVED_H
#define MOVED_H

#include "fg-diff/compare.h"
#include "fg-diff/headline.h"
#include "fg-diff/rename.h"

#define MOVE_P 0.005 /* chance causes less growth of moved code, with this probability */

/* Origin of a row's growth. */
struct move {
	bool found; /* code was replaced; otherwise the growth is real */
	const struct row *within; /* nearest caller that both sides have; NULL: none */
	bool alone; /* its total is unchanged */
	const struct row *from; /* the function that shrank most; NULL if unclear */
	/* Of the replaced code and the new one together, in the values of a report: */
	double net; /* growth */
	double p; /* probability of such a change by chance */
	double limit; /* minimum detectable increase */
};

struct moves {
	struct move *self, *total; /* by row */
	struct rename rename[RENAMES_MAX];
	size_t renames;
};

/* Finds the cost shifts. c must compare functions, without --only; its rows must not move. */
void moved_find(struct moves *m, struct comparison *c);
/* Returns by row whether it was only renamed, at the same cost; the caller frees it. */
bool *moves_renamed(const struct moves *m, const struct comparison *c);
/* True if a row's growth is a cost shift, whose net growth is allowed or may be noise. */
bool move_excuses(const struct move *move, double allowed);
/* Finds the headlines of a comparison without cost shifts. */
void moved_headlines(const struct moves *m, struct comparison *c, struct headlines *h);
void moved_free(struct moves *m);

#endif
