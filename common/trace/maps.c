/*
 * maps: a treap, a tree by address that is a heap by random priorities. Its nodes are
 * reference-counted; a shared node is copied before it is changed. Priorities are keyed hashes, so
 * that untrusted mappings cannot make the tree deep.
 */
#include "trace/maps.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"

struct maps_node {
	struct process_map map;
	struct maps_node *left, *right; /* lower and higher addresses */
	uint64_t mark, marks; /* hash of this mapping; XOR of the hashes in its subtree */
	uint32_t priority;
	uint32_t holders;
};

static uint64_t
mark_of(const struct process_map *m)
{
	const uint64_t what[] = {m->start, m->end, m->offset, m->module->number};

	return hash_bytes(what, sizeof what);
}

/* Updates n after a change in its subtrees. */
static struct maps_node *
update_hash(struct maps_node *n)
{
	n->marks = n->mark ^ (n->left != NULL ? n->left->marks : 0) ^
		   (n->right != NULL ? n->right->marks : 0);
	return n;
}

static struct maps_node *
node_new(const struct process_map *map)
{
	static uint64_t number;
	struct maps_node *n = cli_alloc(1, sizeof *n);

	n->map = *map;
	n->priority = (uint32_t)(hash_number(++number) >> 32);
	n->holders = 1;
	n->mark = n->marks = mark_of(map);
	return n;
}

static struct maps_node *
hold(struct maps_node *n)
{
	if (n != NULL)
		n->holders++;
	return n;
}

static void
release(struct maps_node *n)
{
	if (n == NULL || --n->holders > 0)
		return;
	release(n->left);
	release(n->right);
	free(n);
}

/* Returns a node like n that may be changed; consumes the caller's reference to n. */
static struct maps_node *
own(struct maps_node *n)
{
	struct maps_node *copy;

	if (n->holders == 1)
		return n;
	copy = cli_alloc(1, sizeof *copy);
	*copy = *n;
	copy->holders = 1;
	hold(copy->left);
	hold(copy->right);
	n->holders--;
	return copy;
}

/* Split into the mappings before addr and those from addr on; a mapping across addr becomes two. */
static void
split(struct maps_node *n, uint64_t addr, struct maps_node **before, struct maps_node **after)
{
	struct maps_node *part;

	if (n == NULL) {
		*before = *after = NULL;
		return;
	}
	n = own(n);
	if (n->map.end <= addr) {
		split(n->right, addr, &part, after);
		n->right = part;
		*before = update_hash(n);
	} else if (n->map.start >= addr) {
		split(n->left, addr, before, &part);
		n->left = part;
		*after = update_hash(n);
	} else {
		part = node_new(&n->map);
		part->map.offset += addr - n->map.start;
		part->map.start = addr;
		part->mark = mark_of(&part->map);
		part->priority = n->priority;
		part->right = n->right;
		n->right = NULL;
		n->map.end = addr;
		n->mark = mark_of(&n->map);
		*before = update_hash(n);
		*after = update_hash(part);
	}
}

/* Join two trees; all addresses in `before` are lower than those in `after`. */
static struct maps_node *
merge(struct maps_node *before, struct maps_node *after)
{
	if (before == NULL)
		return after;
	if (after == NULL)
		return before;
	if (before->priority >= after->priority) {
		before = own(before);
		before->right = merge(before->right, after);
		return update_hash(before);
	}
	after = own(after);
	after->left = merge(before, after->left);
	return update_hash(after);
}

void
maps_add(struct maps *m, const struct process_map *new)
{
	struct maps_node *before, *covered, *after;

	split(m->root, new->start, &before, &after);
	split(after, new->end, &covered, &after);
	release(covered);
	m->root = merge(merge(before, node_new(new)), after);
}

void
maps_copy(struct maps *to, const struct maps *from)
{
	struct maps_node *root = hold(from->root);

	release(to->root);
	to->root = root;
}

void
maps_clear(struct maps *m)
{
	release(m->root);
	m->root = NULL;
}

uint64_t
maps_stamp(const struct maps *m)
{
	return m->root != NULL ? m->root->marks : 0;
}

struct process_map *
maps_from(const struct maps *m, uint64_t addr)
{
	struct process_map *found = NULL;

	for (struct maps_node *n = m->root; n != NULL;) {
		if (n->map.end > addr) {
			found = &n->map;
			n = n->left;
		} else {
			n = n->right;
		}
	}
	return found;
}
