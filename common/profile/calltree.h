/*
 * calltree: the data structure shared by all programs. Frame names are interned. A node is a
 * name under a parent, with one self value per column: of the stacks that end there. Node 0 is
 * the nameless root of all stacks. A parent has a smaller number than its children, so one loop
 * from the last node to the first sums all subtrees.
 */
#ifndef CALLTREE_H
#define CALLTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/value.h"

#define CALLTREE_ROOT 0u
#define CALLTREE_COLUMNS 16 /* maximum number of columns */

struct calltree_node {
	uint32_t parent;
	uint32_t name; /* index into names */
	uint32_t child; /* first child, 0: none; newest first until calltree_sort */
	uint32_t next; /* next sibling, 0: none */
};

struct calltree_name {
	const char *s; /* owned by the tree; NUL-terminated, may contain NULs */
	uint32_t len;
};

struct calltree {
	struct calltree_node *node;
	uint32_t nnode, capnode;
	uint32_t ready; /* nodes whose memory has pages */
	struct calltree_name *name;
	uint32_t nname, capname;
	unsigned columns;
	bool aliases; /* several names have one text */
	struct value_array
	    self[CALLTREE_COLUMNS]; /* by node; value_array_has: a stack ends there */

	/* Private to calltree.c. */
	struct hash_index names, wide;
	uint32_t *first, nfirst; /* by name: first child of a wide parent, not in wide */
	uint32_t nwide; /* children of wide parents */
	uint64_t *is_wide; /* a bit per node: children are in first or wide */
	uint64_t *branches; /* a bit per node: has perhaps several children */
	struct calltree_arena *arena;
};

struct calltree *calltree_new(unsigned columns);
void calltree_free(struct calltree *t);

/* Returns the number of a frame name; copies a new name. The empty name is valid. */
uint32_t calltree_intern(struct calltree *t, const char *s, size_t len);

/* Returns the number of a frame name, 0 if the tree does not have it. */
uint32_t calltree_find(const struct calltree *t, const char *s, size_t len);

/* Fetches the place of a name in the index: it will be searched soon. */
static inline void
calltree_expect(const struct calltree *t, const char *s, size_t len)
{
	hash_index_prefetch(&t->names, (uint32_t)hash_bytes(s, len));
}

/* Frees the memory for searching names and children: none is found or added from then on. */
void calltree_seal(struct calltree *t);

/*
 * Saves memory: a name whose bytes are also those of names->name[to[name]] uses these in place of
 * its own, which are freed. `names` must stay valid until calltree_free.
 */
void calltree_share(struct calltree *t, const struct calltree *names, const uint32_t *to);

/*
 * Returns another number for the text of a name, for nodes that differ from others of that name
 * by something not in the text. calltree_intern never returns it; calltree_ranks orders both
 * arbitrarily.
 */
uint32_t calltree_alias(struct calltree *t, uint32_t name);

/* Returns the child of parent with that name; creates it if missing. */
uint32_t calltree_child(struct calltree *t, uint32_t parent, uint32_t name);

/*
 * Appends a new child, even if one of that name exists: for trees in time order, which are
 * never merged or searched.
 */
uint32_t calltree_append(struct calltree *t, uint32_t parent, uint32_t name);

/*
 * Appends a chain of n nodes, n > 0: the first is a child of parent, each other one of the node
 * before. Returns the first; the others have the next numbers.
 */
uint32_t calltree_append_chain(
    struct calltree *t, uint32_t parent, const uint32_t *name, uint32_t n);

/* Adds v to the self value of node in one column. */
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

/* True if a stack ends at node, even with values of 0. */
static inline bool
calltree_is_stack(const struct calltree *t, uint32_t node)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (value_array_has(&t->self[c], node))
			return true;
	return false;
}

/*
 * Adds all stacks of src to dst, column by column; both must have equally many. src is
 * unchanged.
 */
void calltree_merge(struct calltree *dst, const struct calltree *src);

/* Sorts every list of children into canonical order: names bytewise, a prefix first. */
void calltree_sort(struct calltree *t);

/* The rank of each name in canonical order, indexed by name number; the caller frees it. */
uint32_t *calltree_ranks(const struct calltree *t);
/* Compares two names in that order. */
int calltree_compare_names(const struct calltree_name *x, const struct calltree_name *y);
/* Like calltree_sort; returns the ranks, which the caller frees. */
uint32_t *calltree_sort_ranks(struct calltree *t);

/* Like calltree_sort, with the ranks that calltree_ranks returned. */
void calltree_sort_by(struct calltree *t, const uint32_t *rank);

/*
 * Stores nodes and names of a sorted tree, and the bytes of its names, in canonical order, unless
 * most are, so that walks read memory from its start to its end. The tree is sealed, and never
 * joined. rank: that of its names, which is set to the new one.
 */
void calltree_arrange(struct calltree *t, uint32_t *rank);

/*
 * Merges children of one parent whose names have the same key, from the root down. `key` is by
 * name, below t->nname; 0 for names that are their own key. The first child gives its name. The
 * tree is sorted by `rank`, before and after. The other nodes remain in the array, without a name,
 * values and children.
 */
void calltree_join(struct calltree *t, const uint32_t *key, const uint32_t *rank);

/*
 * For calltreejoin.c: put n children, each with its rank in the upper 32 bits, into the list of
 * their parent, in order; empty the index, after nodes or names have changed, which calltree_child
 * fills again; return the first node from `from` on that has perhaps several children, at least
 * nnode if there is none; and note that a node has.
 */
void calltree_sort_children(struct calltree *t, uint32_t parent, uint64_t *child, uint32_t n);
void calltree_forget_wide(struct calltree *t);
uint32_t calltree_next_branch(const struct calltree *t, uint32_t from);
void calltree_mark_branch(struct calltree *t, uint32_t node);

/*
 * Exchanges the name tables of t and `names`, and sets the name of each node from n to to[n].
 * Children of one parent must have different new names.
 */
void calltree_rename(struct calltree *t, struct calltree *names, const uint32_t *to);

/*
 * The node after `node` in pre-order, 0 at the end. Updates *depth (root: 0, its children: 1).
 * Start with CALLTREE_ROOT and depth 0.
 */
static inline uint32_t
calltree_next(const struct calltree *t, uint32_t node, uint32_t *depth)
{
	uint32_t next = t->node[node].child;

	if (next != 0) {
		++*depth;
	} else {
		while (node != CALLTREE_ROOT && t->node[node].next == 0) {
			node = t->node[node].parent;
			--*depth;
		}
		next = t->node[node].next;
	}
	/* The sibling after it may be far away in memory: it is fetched one visit early. */
	if (t->node[next].next != 0)
		__builtin_prefetch(&t->node[t->node[next].next]);
	return next;
}

/*
 * True if the numbers of each subtree follow each other, as those of sorted input do. *deepest is
 * then the largest depth.
 */
bool calltree_is_nested(const struct calltree *t, uint32_t *deepest);

/*
 * Totals (self plus all descendants) of one column for every node; the caller frees them with
 * value_array_free.
 */
struct value_array calltree_totals(const struct calltree *t, unsigned column);

#endif
