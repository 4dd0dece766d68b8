/*
 * calltree: interned names, nodes in one array, siblings in lists. A node with
 * many children gets them into a hash index (the wide index) as well, so that
 * looking one up never walks a long list; narrow ones, nearly all, cost nothing.
 */
#include "calltree.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli.h"

#define WIDE 12 /* children after which a node is looked up in the index */
#define ARENA (64 * 1024)

/* Open addressing over numbers from 1 up; 0 is empty. The hash lies beside the number. */
struct calltree_index {
	struct slot {
		uint32_t hash, number;
	} *slot;
	uint32_t n, mask;
};

struct calltree_arena {
	struct calltree_arena *older;
	size_t used, size;
	char bytes[];
};

static void
index_put(struct calltree_index *x, uint32_t hash, uint32_t number)
{
	uint32_t i = hash & x->mask;

	while (x->slot[i].number != 0)
		i = (i + 1) & x->mask;
	x->slot[i] = (struct slot){hash, number};
}

static void
index_add(struct calltree_index *x, uint32_t hash, uint32_t number)
{
	if (x->slot == NULL || x->n >= x->mask - x->mask / 4) {
		struct calltree_index old = *x;

		x->mask = old.slot != NULL ? 2 * old.mask + 1 : 255;
		x->slot = cli_alloc((size_t)x->mask + 1, sizeof *x->slot);
		for (uint32_t i = 0; old.slot != NULL && i <= old.mask; i++)
			if (old.slot[i].number != 0)
				index_put(x, old.slot[i].hash, old.slot[i].number);
		free(old.slot);
	}
	index_put(x, hash, number);
	x->n++;
}

struct calltree *
calltree_new(unsigned columns)
{
	struct calltree *t = cli_alloc(1, sizeof *t);

	t->columns = columns;
	t->names = cli_alloc(1, sizeof *t->names);
	t->wide = cli_alloc(1, sizeof *t->wide);
	/* Number 0 is the root, and name 0 the root's, which no frame has. */
	t->capnode = t->capname = 64;
	t->node = cli_alloc(t->capnode, sizeof *t->node);
	t->name = cli_alloc(t->capname, sizeof *t->name);
	t->name[0].s = "";
	t->nnode = t->nname = 1;
	for (unsigned c = 0; c < columns; c++) {
		value_array_resize(&t->self[c], t->capnode);
		t->self[c].n = 1;
	}
	return t;
}

void
calltree_free(struct calltree *t)
{
	struct calltree_arena *a, *older;

	if (t == NULL)
		return;
	for (a = t->arena; a != NULL; a = older) {
		older = a->older;
		free(a);
	}
	for (unsigned c = 0; c < t->columns; c++)
		value_array_free(&t->self[c]);
	free(t->names->slot);
	free(t->names);
	free(t->wide->slot);
	free(t->wide);
	free(t->node);
	free(t->name);
	free(t);
}

static const char *
keep(struct calltree *t, const char *s, size_t len)
{
	struct calltree_arena *a = t->arena;
	char *copy;

	if (a == NULL || len >= a->size - a->used) {
		size_t size = len + 1 > ARENA ? len + 1 : ARENA;

		a = cli_realloc(NULL, 1, sizeof *a + size);
		a->older = t->arena;
		a->used = 0;
		a->size = size;
		t->arena = a;
	}
	copy = a->bytes + a->used;
	memcpy(copy, s, len);
	copy[len] = '\0';
	a->used += len + 1;
	return copy;
}

uint32_t
calltree_intern(struct calltree *t, const char *s, size_t len)
{
	const struct calltree_index *x = t->names;
	uint32_t hash = (uint32_t)XXH3_64bits(s, len);

	if (x->slot != NULL)
		for (uint32_t i = hash & x->mask; x->slot[i].number != 0; i = (i + 1) & x->mask) {
			const struct calltree_name *name = &t->name[x->slot[i].number];

			if (x->slot[i].hash == hash && name->len == len && memcmp(name->s, s, len) == 0)
				return x->slot[i].number;
		}
	if (len > UINT32_MAX || t->nname == UINT32_MAX)
		cli_die("more than 4 billion function names");
	if (t->nname == t->capname) {
		t->capname *= 2;
		t->name = cli_realloc(t->name, t->capname, sizeof *t->name);
	}
	t->name[t->nname] = (struct calltree_name){keep(t, s, len), (uint32_t)len, hash};
	index_add(t->names, hash, t->nname);
	return t->nname++;
}

/* Of a parent and a name; a multiplication spreads neighbours over the table. */
static uint32_t
edge_hash(uint32_t parent, uint32_t name)
{
	uint64_t h = ((uint64_t)parent << 32 | name) * UINT64_C(0x9e3779b97f4a7c15);

	h ^= h >> 29;
	return (uint32_t)(h * UINT64_C(0xbf58476d1ce4e5b9) >> 32) | 1;
}

static uint32_t
wide_find(const struct calltree *t, uint32_t parent, uint32_t name)
{
	const struct calltree_index *x = t->wide;
	uint32_t hash = edge_hash(parent, name);

	if (x->slot == NULL)
		return 0;
	for (uint32_t i = hash & x->mask; x->slot[i].number != 0; i = (i + 1) & x->mask) {
		const struct calltree_node *n = &t->node[x->slot[i].number];

		if (x->slot[i].hash == hash && n->parent == parent && n->name == name)
			return x->slot[i].number;
	}
	return 0;
}

/*
 * Look along the newest siblings; *seen tells how many were passed. A parent
 * with WIDE children or more has all of them in the wide index.
 */
static uint32_t
find(const struct calltree *t, uint32_t parent, uint32_t name, unsigned *seen)
{
	*seen = 0;
	for (uint32_t i = t->node[parent].child; i != 0; i = t->node[i].next) {
		if (t->node[i].name == name)
			return i;
		if (++*seen == WIDE)
			return wide_find(t, parent, name);
	}
	return 0;
}

uint32_t
calltree_find(const struct calltree *t, uint32_t parent, uint32_t name)
{
	unsigned seen;

	return find(t, parent, name, &seen);
}

uint32_t
calltree_append(struct calltree *t, uint32_t parent, uint32_t name)
{
	uint32_t node = t->nnode;

	if (node == t->capnode) {
		if (t->capnode > UINT32_MAX / 2)
			cli_die("more than 4 billion call tree nodes");
		t->capnode *= 2;
		t->node = cli_realloc(t->node, t->capnode, sizeof *t->node);
		for (unsigned c = 0; c < t->columns; c++)
			t->self[c].cell = cli_realloc(t->self[c].cell, t->self[c].cap = t->capnode,
			    sizeof *t->self[c].cell);
	}
	t->node[node] = (struct calltree_node){parent, name, 0, t->node[parent].child};
	t->node[parent].child = node;
	for (unsigned c = 0; c < t->columns; c++)
		t->self[c].cell[t->self[c].n++] = 0;
	t->nnode++;
	return node;
}

uint32_t
calltree_child(struct calltree *t, uint32_t parent, uint32_t name)
{
	unsigned seen;
	uint32_t node = find(t, parent, name, &seen);

	if (node != 0)
		return node;
	node = calltree_append(t, parent, name);
	if (seen == WIDE) {
		index_add(t->wide, edge_hash(parent, name), node);
	} else if (seen == WIDE - 1) {
		for (uint32_t i = node; i != 0; i = t->node[i].next)
			index_add(t->wide, edge_hash(parent, t->node[i].name), i);
	}
	return node;
}

bool
calltree_is_stack(const struct calltree *t, uint32_t node)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (value_array_has(&t->self[c], node))
			return true;
	return false;
}

void
calltree_merge(struct calltree *dst, const struct calltree *src)
{
	uint32_t *name = cli_alloc(src->nname, sizeof *name);
	uint32_t *node = cli_alloc(src->nnode, sizeof *node);

	for (uint32_t i = 0; i < src->nnode; i++) {
		const struct calltree_node *from = &src->node[i];

		if (i != CALLTREE_ROOT) {
			if (name[from->name] == 0)
				name[from->name] = calltree_intern(dst, src->name[from->name].s,
				    src->name[from->name].len);
			node[i] = calltree_child(dst, node[from->parent], name[from->name]);
		}
		for (unsigned c = 0; c < src->columns; c++)
			if (value_array_has(&src->self[c], i))
				calltree_add(dst, node[i], c, calltree_self(src, i, c));
	}
	free(name);
	free(node);
}

static int
compare_names(const void *a, const void *b, void *names)
{
	const struct calltree_name *name = names;
	const struct calltree_name *x = &name[*(const uint32_t *)a], *y = &name[*(const uint32_t *)b];
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* Name numbers in order; name 0, the root's, comes first. */
static uint32_t *
sorted_names(const struct calltree *t)
{
	uint32_t *order = cli_alloc(t->nname, sizeof *order);

	for (uint32_t i = 0; i < t->nname; i++)
		order[i] = i;
	qsort_r(order + 1, t->nname - 1, sizeof *order, compare_names, t->name);
	return order;
}

uint32_t *
calltree_ranks(const struct calltree *t)
{
	uint32_t *order = sorted_names(t), *rank = cli_alloc(t->nname, sizeof *rank);

	for (uint32_t i = 0; i < t->nname; i++)
		rank[order[i]] = i;
	free(order);
	return rank;
}

/*
 * Each node is put at the head of its parent's list, from the last to the first, which
 * is all there is to do where the input was in order. The children of other
 * parents are counted out by the rank of their names and linked once more, from the
 * last name to the first.
 */
void
calltree_sort(struct calltree *t)
{
	uint32_t *order = sorted_names(t), *rank = cli_alloc(t->nname, sizeof *rank);
	uint32_t *first, *older; /* newest node of each name, the next older one */
	bool *mixed = cli_alloc(t->nnode, sizeof *mixed), any = false;

	for (uint32_t i = 0; i < t->nname; i++)
		rank[order[i]] = i;
	for (uint32_t i = 0; i < t->nnode; i++)
		t->node[i].child = 0;
	for (uint32_t i = t->nnode; i-- > 1;) {
		struct calltree_node *n = &t->node[i], *parent = &t->node[n->parent];

		if (parent->child != 0 && rank[t->node[parent->child].name] < rank[n->name])
			any = mixed[n->parent] = true;
		n->next = parent->child;
		parent->child = i;
	}
	free(rank);

	first = cli_alloc(t->nname, sizeof *first);
	older = cli_alloc(t->nnode, sizeof *older);
	for (uint32_t i = 1; any && i < t->nnode; i++) {
		if (!mixed[t->node[i].parent])
			continue;
		older[i] = first[t->node[i].name];
		first[t->node[i].name] = i;
		t->node[t->node[i].parent].child = 0;
	}
	for (uint32_t k = t->nname; any && k-- > 1;)
		for (uint32_t i = first[order[k]]; i != 0; i = older[i]) {
			struct calltree_node *n = &t->node[i];

			n->next = t->node[n->parent].child;
			t->node[n->parent].child = i;
		}
	free(mixed);
	free(order);
	free(first);
	free(older);
}

uint32_t
calltree_next(const struct calltree *t, uint32_t node, uint32_t *depth)
{
	if (t->node[node].child != 0) {
		++*depth;
		return t->node[node].child;
	}
	while (node != CALLTREE_ROOT && t->node[node].next == 0) {
		node = t->node[node].parent;
		--*depth;
	}
	return t->node[node].next;
}

struct value_array
calltree_totals(const struct calltree *t, unsigned column)
{
	const struct value_array *self = &t->self[column];
	struct value_array total = {0};

	value_array_resize(&total, t->nnode);
	for (uint32_t i = t->nnode; i-- > 0;) {
		if (self->cell[i] != 0 && self->cell[i] < VALUE_WIDE)
			value_array_count(&total, i, self->cell[i]);
		else if (self->cell[i] != 0)
			value_array_add(&total, i, value_array_get(self, i));
		if (i != CALLTREE_ROOT && total.cell[i] != 0) {
			uint32_t parent = t->node[i].parent;

			if (total.cell[i] < VALUE_WIDE)
				value_array_count(&total, parent, total.cell[i]);
			else
				value_array_add(&total, parent, value_array_get(&total, i));
		}
	}
	return total;
}
