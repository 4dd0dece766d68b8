/*
 * calltreejoin: merges children of one parent by a key of their names. Nodes stay in place: the
 * oldest of them takes the children of all, and the others become nameless.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/calltree.h"

/* Siblings of one key, which become one node. */
struct joined {
	uint32_t first; /* in order: gives the name */
	uint32_t oldest; /* becomes the node, so that it is older than all children */
	uint32_t child, last; /* first and last child of all of them; 0 before the second one */
};

/* Adds a sibling, its children after those there are, and its values to those of the first. */
static void
join_sibling(struct calltree *t, struct joined *j, uint32_t other)
{
	uint32_t add[] = {j->first, other};

	for (int k = j->oldest == 0 ? 0 : 1; k < 2; k++) {
		uint32_t child = t->node[add[k]].child;

		if (j->oldest == 0 || add[k] < j->oldest)
			j->oldest = add[k];
		if (child == 0)
			continue;
		if (j->last != 0)
			t->node[j->last].next = child;
		else
			j->child = child;
		for (; child != 0; child = t->node[child].next)
			j->last = child;
	}
	for (unsigned c = 0; c < t->columns; c++)
		value_array_move(&t->self[c], j->first, other);
}

/* Makes one node of siblings, which it returns, and the others nameless. */
static uint32_t
join_end(struct calltree *t, const struct joined *j)
{
	uint32_t name = t->node[j->first].name;

	for (uint32_t i = j->child; i != 0; i = t->node[i].next)
		t->node[i].parent = j->oldest;
	t->node[j->first].name = t->node[j->first].child = 0;
	t->node[j->oldest].name = name;
	t->node[j->oldest].child = j->child;
	for (unsigned c = 0; c < t->columns && j->oldest != j->first; c++)
		value_array_move(&t->self[c], j->oldest, j->first);
	return j->oldest;
}

/* Returns by name whether other names share its key; NULL if no names do. */
static bool *
find_shared(const struct calltree *t, const uint32_t *key)
{
	uint32_t *n = cli_alloc(t->nname, sizeof *n); /* by key: number of names */
	bool *shared = cli_alloc(t->nname, sizeof *shared), any = false;

	for (uint32_t i = 1; i < t->nname; i++)
		n[key[i]]++;
	for (uint32_t i = 1; i < t->nname; i++)
		any |= shared[i] = key[i] != 0 && n[key[i]] > 1;
	free(n);
	if (any)
		return shared;
	free(shared);
	return NULL;
}

/* True if children may have one key, or are those of several joined nodes, in no order. */
static bool
may_join(const struct calltree *t, uint32_t parent, const bool *shared, const uint32_t *rank)
{
	uint32_t suspects = 0, before = 0;

	for (uint32_t i = t->node[parent].child; i != 0; i = t->node[i].next) {
		uint32_t name = t->node[i].name;

		suspects += shared[name];
		if (suspects > 1 || rank[name] <= before)
			return true;
		before = rank[name];
	}
	return false;
}

/* Number of the group of nodes that one parent has once: by key, or else by name. */
static size_t
group_of(const struct calltree *t, const uint32_t *key, uint32_t node)
{
	uint32_t name = t->node[node].name;

	return key[name] != 0 ? key[name] : (size_t)t->nname + name;
}

void
calltree_join(struct calltree *t, const uint32_t *key, const uint32_t *rank)
{
	uint32_t *at; /* by group: its place in list, from 1 */
	bool *shared = find_shared(t, key);
	struct joined *list = NULL;
	uint64_t *child = NULL;
	uint32_t cap = 0, capchild = 0;
	bool any = false;

	if (shared == NULL)
		return;
	at = cli_alloc(2 * (size_t)t->nname, sizeof *at);
	for (uint32_t parent = 0; (parent = calltree_next_branch(t, parent)) < t->nnode; parent++) {
		uint32_t n = 0, next;

		if (!may_join(t, parent, shared, rank))
			continue;
		for (uint32_t i = t->node[parent].child; i != 0; i = next) {
			uint32_t *place = &at[group_of(t, key, i)];

			next = t->node[i].next;
			if (*place == 0) {
				vec_fit(list, cap, n + 1);
				list[n++] = (struct joined){.first = i};
				*place = n;
			} else {
				join_sibling(t, &list[*place - 1], i);
				t->node[i].name = t->node[i].child = 0;
				any = true;
			}
		}
		vec_fit(child, capchild, n);
		for (uint32_t k = 0; k < n; k++) {
			uint32_t node = list[k].first;

			at[group_of(t, key, node)] = 0;
			if (list[k].oldest != 0)
				calltree_mark_branch(t, node = join_end(t, &list[k]));
			child[k] = (uint64_t)rank[t->node[node].name] << 32 | node;
		}
		calltree_sort_children(t, parent, child, n);
	}
	if (any)
		calltree_forget_wide(t);
	free(list);
	free(child);
	free(shared);
	free(at);
}
