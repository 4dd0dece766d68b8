/*
 * calltree: the structure that all programs share. Frame names are interned;
 * a node is a name under a parent, with one value per column for the stacks that
 * end there (its self value). Node 0 is the root, above every stack, without a
 * name. A parent always has a smaller number than its children, so sums over
 * subtrees are one loop from the last node to the first.
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/value.h"

#define CALLTREE_ROOT 0u
#define CALLTREE_COLUMNS 16 /* the most a tree has */

struct calltree_node {
	uint32_t parent;
	uint32_t name; /* index into names */
	uint32_t child; /* its first child, 0 for none; newest first until calltree_sort */
	uint32_t next; /* its next sibling, 0 for none */
};

struct calltree_name {
	const char *s; /* owned by the tree; NUL at its end, and may hold others */
	uint32_t len;
};

struct calltree {
	struct calltree_node *node;
	uint32_t nnode, capnode;
	struct calltree_name *name;
	uint32_t nname, capname;
	unsigned columns;
	struct value_array
	    self[CALLTREE_COLUMNS]; /* by node; value_array_has says whether a stack ends there */

	/* Private to calltree.c. */
	struct hash_index names, wide;
	uint64_t *is_wide; /* a bit per node: its children are in wide */
	struct calltree_arena *arena;
};

struct calltree *calltree_new(unsigned columns);
void calltree_free(struct calltree *t);

/* The number of a frame name; a copy is kept when it is new. The empty name is a name too. */
uint32_t calltree_intern(struct calltree *t, const char *s, size_t len);

/*
 * Another number for the text of a name, for nodes that differ from others of that name in
 * something that the text does not tell. calltree_intern never returns it, calltree_ranks
 * does not know which of both comes first.
 */
uint32_t calltree_alias(struct calltree *t, uint32_t name);

/* The child of parent with that name, made when it is not there. */
uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t name);

/* A new child, also where one of that name is there: for trees in time order, never merged or
 * looked up. */
uint32_t calltree_append(struct calltree *t, uint32_t parent, uint32_t name);

/* Add v to the self value of node in one column. */
static inline void
calltree_add(struct calltree *t, uint32_t node, unsigned column, value v)
{
	value_array_add(&t->self[column], node, v);
}

static inline value
calltree_self(const struct calltree *t, uint32_t node, unsigned column)
{
	return value_array_get(&t->self[column], node);
}

/* Whether a stack ends at node, be its values 0. */
static inline bool
calltree_is_stack(const struct calltree *t, uint32_t node)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (value_array_has(&t->self[c], node))
			return true;
	return false;
}

/* Add all stacks of src to dst, column by column; both have as many. src stays as it is. */
void calltree_merge(struct calltree *dst, const struct calltree *src);

/* Put every list of children into canonical order: names bytewise, a prefix first. */
void calltree_sort(struct calltree *t);

/* The rank of each name in that order, indexed by name number; the caller frees it. */
uint32_t *calltree_ranks(const struct calltree *t);
/* calltree_sort, which needs them, and the ranks for the caller. */
uint32_t *calltree_sort_ranks(struct calltree *t);

/*
 * The node after `node` in pre-order under the whole tree, 0 at the end; *depth
 * follows it (the root's is 0, a first frame's is 1). Begin with CALLTREE_ROOT, depth 0.
 */
uint32_t calltree_next(const struct calltree *t, uint32_t node, uint32_t *depth);

/* Totals (self plus all below) of one column, for every node; the caller frees with
 * value_array_free. */
struct value_array calltree_totals(const struct calltree *t, unsigned column);

#endif
