/*
 * align: pairs the stacks of two trees, regardless of the annotations of their frames.
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

/* Result of align_fold: properties of the names of a tree. */
struct align_names {
	uint32_t *rank; /* by name, as calltree_ranks; NULL before align_fold */
	/* The bare forms (funcname.h) of names that have another one, interned; NULL if none. */
	struct calltree *bare;
	uint32_t *key; /* by name: number of its bare form; 0: itself, and of no other name */
};

struct align {
	const struct calltree *tree[2];
	uint32_t *rank[2]; /* by name: rank among both trees' names; equal for equal names */
	struct calltree *bare; /* bare forms of both trees */
	bool plain; /* each name is its own bare form: key, ambiguous and waiting are unused */
	uint32_t *key[2]; /* by name: as in align_names */
	bool *ambiguous; /* by key: it occurs with different names */

	/* Pairs not returned yet, the deepest level last. */
	struct align_pair *pair;
	size_t capacity;
	struct align_level {
		size_t next, end;
	} * level;
	uint32_t depth, levels;
	size_t *waiting; /* by key: a pair without base's node; SIZE_MAX for none */
};

/*
 * Sorts a tree and merges children of one parent that differ only in annotations, or with
 * strip_hex only in hexadecimal numbers, which are then removed from its names. The result
 * belongs to the caller.
 */
struct align_names align_fold(struct calltree *t, bool strip_hex);
void align_names_free(struct align_names *names);

/*
 * Starts a walk of base's and head's tree, both folded, with what align_fold returned. They must
 * stay valid until align_end.
 */
void align_begin(struct align *a, const struct calltree *const tree[2],
    const struct align_names *const names[2]);
/*
 * Returns the next pair in canonical order, with its depth and the frame's name; false after
 * the last one.
 */
bool align_next(
    struct align *a, struct align_pair *pair, uint32_t *depth, const struct calltree_name **name);
void align_end(struct align *a);

#endif
