/*
 * mergedtree: the call trees of both sides in one, with the functions of a comparison.
 */
#ifndef MERGEDTREE_H
#define MERGEDTREE_H

#include "fg-diff/compare.h"

struct mergedtree_node {
	uint32_t parent, end; /* nodes from its own to `end`, exclusive, are its subtree */
	uint32_t row; /* row of its function */
	double self[2], total[2]; /* of base and head, as scaled means (noise.h) */
};

/* Node 0 is the root, without a function; the others follow in pre-order. */
struct mergedtree {
	struct mergedtree_node *node;
	uint32_t n, cap;
	uint32_t *of; /* nodes sorted by row: row r has [first[r], first[r + 1]) */
	uint32_t *first;
};

#define MERGEDTREE_NO_ROW UINT32_MAX

/* Builds the tree; c must compare functions, without --only. Free with mergedtree_free. */
void mergedtree_make(struct mergedtree *t, struct comparison *c);
void mergedtree_free(struct mergedtree *t);

/* True if a caller of the node is in the same function. */
bool mergedtree_recurses(const struct mergedtree *t, uint32_t node);

#endif
