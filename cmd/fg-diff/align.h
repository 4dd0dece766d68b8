/*
 * align: pairs the stacks of two trees by the functions of their frames (names/identity.h).
 */
#ifndef ALIGN_H
#define ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* A stack's node in both trees. */
struct align_pair {
	uint32_t node[2]; /* of base and head; CALLTREE_ROOT if absent */
};

/* Rank and function of the names of a tree, by name. */
struct align_names {
	uint32_t *rank; /* as calltree_ranks */
	uint32_t *function; /* number of the function, in both trees; below n */
	uint32_t n;
};

struct align {
	const struct calltree *tree[2];
	uint32_t *rank[2]; /* by name: rank among both trees' names; equal for equal names */
	const uint32_t *function[2]; /* by name */
	bool plain; /* each function has one name: ambiguous and waiting are unused */
	bool *ambiguous; /* by function: its names differ, or another function has its name */

	/* Pairs not returned yet, the deepest level last. */
	struct align_pair *pair;
	size_t capacity;
	struct align_level {
		size_t next, end;
	} * level;
	uint32_t depth, levels;
	size_t *waiting; /* by function: a pair without base's node; SIZE_MAX for none */
};

/*
 * Sorts a tree and merges children of one parent that are one function. names->function is set;
 * sets names->rank, unless it is set and the tree sorted. first: scratch memory, 0 for each
 * function.
 */
void align_fold(struct calltree *t, struct align_names *names, uint32_t *first);
void align_names_free(struct align_names *names);

/*
 * Starts a walk of base's and head's tree, both folded. Their names must stay valid until
 * align_end.
 */
void align_begin(struct align *a, const struct calltree *const tree[2],
    const struct align_names *const names[2]);
/*
 * Returns the next pair in canonical order, with its depth and the frame's name; false after
 * the last one.
 */
bool align_next(
    struct align *a, struct align_pair *pair, uint32_t *depth, const struct calltree_name **name);
/* Number of a pair's function. */
uint32_t align_function(const struct align *a, const struct align_pair *pair);
void align_end(struct align *a);

#endif
