/*
 * twin: the call trees of both sides as one, with functions as a comparison knows them.
 */
#ifndef MERGEDTREE_H
#define MERGEDTREE_H

#include "fg-diff/compare.h"

struct mergedtree_node {
	uint32_t parent, end; /* below it are the nodes up to `end` */
	uint32_t row; /* its function's */
	double self[2], total[2]; /* of base and head, as even means (see noise.h) */
};

/* Node 0 is the root, without a function; then pre-order. */
struct mergedtree {
	struct mergedtree_node *node;
	uint32_t n, cap;
	uint32_t *of; /* nodes sorted by row, those of row r from first[r] to first[r + 1] */
	uint32_t *first;
};

#define MERGEDTREE_NO_ROW UINT32_MAX

/* c compares functions and has all of them. */
void mergedtree_make(struct mergedtree *t, struct comparison *c);
void mergedtree_free(struct mergedtree *t);

/* Whether a node has one above it of the same function. */
bool mergedtree_recurses(const struct mergedtree *t, uint32_t node);

#endif
