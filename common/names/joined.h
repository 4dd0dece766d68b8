/*
 * joined: sums by function, not by text: one text for each function of several profiles, that of
 * its frame in the last profile that has it.
 */
#ifndef JOINED_H
#define JOINED_H

#include <stdint.h>

#include "names/identity.h"
#include "profile/calltree.h"

struct joined {
	struct calltree *spelling;
	uint32_t **text; /* by side: by name: number in spelling */
	size_t sides;
};

/* Finds the functions of profiles, in order of time, and the text of each. */
void joined_find(struct joined *j, const struct identity_side *profile, size_t sides);
void joined_free(struct joined *j);

/*
 * For a differential in the columns base and head of one tree, which may be joined by text: returns
 * a tree joined by function, and frees t; or t itself. labels may be NULL.
 */
struct calltree *joined_columns(struct calltree *t, const struct labels *labels);

#endif
