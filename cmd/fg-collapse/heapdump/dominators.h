/*
 * dominators: the dominator tree of a directed graph: the dominator of a node is the last other
 * node that all paths from the root to it have in common.
 *
 * Input: nodes with lists of edges. Output: the nodes that the root reaches, in depth-first order,
 * and the dominator of each. Time is about proportional to the edges (Lengauer and Tarjan, 1979).
 */
#ifndef DOMINATORS_H
#define DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"

#define DOMINATORS_NONE UINT32_MAX

/* The edges of node i are edge[first[i]] to edge[first[i + 1] - 1]; DOMINATORS_NONE: no edge. */
struct graph {
	uint32_t n; /* nodes */
	uint32_t *first, *edge;
	const struct intmap *extra; /* by node + 1: one more edge, as a number + 1; or NULL */
};

struct dominators {
	uint32_t n; /* nodes that the root reaches */
	uint32_t *node; /* by depth-first number, the root is 0 */
	uint32_t *by; /* by that number: the number of the dominator, which is smaller; root: 0 */
};

/* Frees the edges of g, to save memory. The caller frees node and by. */
struct dominators dominators_find(struct graph *g, uint32_t root);

#endif
