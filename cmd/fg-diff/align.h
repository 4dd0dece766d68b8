/*
 * align: the stacks of two trees side by side, matched without regard to the
 * annotations of their frames.
 */
#ifndef ALIGN_H
#define ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* A stack's place in both trees. */
struct align_pair {
	uint32_t node[2]; /* of base and head; CALLTREE_ROOT where it is not */
};

struct align {
	const struct calltree *tree[2];
	uint32_t *rank[2]; /* by name: its place among the names of both, equal for equal names */
	struct calltree *bare; /* interns the names of both without annotations */
	bool plain; /* no name has annotations: what follows up to `waiting` is not needed */
	uint32_t *key[2]; /* by name: its bare name */
	bool *ambiguous; /* by bare name: there are several with different annotations */

	/* The pairs still to come, the deepest level last. */
	struct align_pair *pair;
	size_t capacity;
	struct align_level {
		size_t next, end;
	} * level;
	uint32_t depth, levels;
	size_t *waiting; /* by bare name: the pair that misses its base, SIZE_MAX for none */
};

/*
 * Where children of one parent differ in annotations only, or in hexadecimal
 * numbers when those are to be stripped, they become one. Returns t, or the tree
 * that replaces it when t was freed.
 */
struct calltree *align_fold(struct calltree *t, bool strip_hex);

/*
 * Both trees, base's first, sorted and folded, with the ranks of their names; they must
 * stay until align_end.
 */
void align_begin(struct align *a, const struct calltree *const tree[2], uint32_t *const rank[2]);
/* The next pair in canonical order, its depth and the frame's name; false after the last. */
bool align_next(
    struct align *a, struct align_pair *pair, uint32_t *depth, const struct calltree_name **name);
void align_end(struct align *a);

#endif
