/*
 * calltree: interned names, nodes in one array, siblings in linked lists. Children of a node
 * with many, which are wide, are also in an index, so that a lookup never walks a long list: the
 * first one of each name in an array, and the others, which most names do not have, in a hash
 * index. A bit per node marks these parents, since siblings are far apart in memory.
 */
#include "profile/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

#define WIDE 6 /* number of children from which on they are in the index */
#define FAR_APART (256 * 1024) /* children in the index: their nodes do not fit into a cache */
#define SMALL 65536 /* nodes: their array is about as large as a block that realloc(3) copies */
#define BITS 64 /* bits per word of is_wide; divides capnode */
#define ARENA (64 * 1024) /* bytes of the first block; the next ones double */
#define ARENA_MAX (1024 * 1024) /* free(3) returns such a block to the system */
#define AHEAD 8192 /* nodes whose memory is populated at once */
#define AHEAD_NAMES 8 /* names that are fetched early */
#define JUMPS 4 /* names for each that is not after the one before it, at least, in good order */
#define MANY 4096 /* children that are sorted by their places */
#define SPARSE 8 /* ranks for each of them, at most */

struct calltree_arena {
	struct calltree_arena *older;
	size_t used, size;
	char bytes[];
};

struct calltree *
calltree_new(unsigned columns)
{
	struct calltree *t = cli_alloc(1, sizeof *t);

	t->columns = columns;
	/* Node 0 is the root; name 0 is the root's, and no frame has it. */
	t->capnode = t->capname = t->ready = 64;
	t->node = cli_alloc(t->capnode, sizeof *t->node);
	t->name = cli_alloc(t->capname, sizeof *t->name);
	t->is_wide = cli_alloc(t->capnode / BITS, sizeof *t->is_wide);
	t->branches = cli_alloc(t->capnode / BITS, sizeof *t->branches);
	t->name[0].s = "";
	t->nnode = t->nname = 1;
	for (unsigned c = 0; c < columns; c++) {
		value_array_resize(&t->self[c], t->capnode);
		t->self[c].n = 1;
	}
	return t;
}

static void
free_texts(struct calltree_arena *a)
{
	for (struct calltree_arena *older; a != NULL; a = older) {
		older = a->older;
		free(a);
	}
}

void
calltree_free(struct calltree *t)
{
	if (t == NULL)
		return;
	free_texts(t->arena);
	for (unsigned c = 0; c < t->columns; c++)
		value_array_free(&t->self[c]);
	hash_index_free(&t->names);
	hash_index_free(&t->wide);
	free(t->first);
	free(t->is_wide);
	free(t->branches);
	free(t->node);
	free(t->name);
	free(t);
}

static inline __attribute__((always_inline)) const char *
keep(struct calltree *t, const char *s, size_t len)
{
	struct calltree_arena *a = t->arena;
	char *copy;

	if (a == NULL || len >= a->size - a->used) {
		size_t size = a == NULL ? ARENA : a->size < ARENA_MAX / 2 ? 2 * a->size : ARENA_MAX;

		if (size < len + 1)
			size = len + 1;

		a = cli_realloc(NULL, 1, sizeof *a + size);
		if (t->arena != NULL) /* not that of a small tree */
			cli_populate(a, sizeof *a + size);
		a->older = t->arena;
		a->used = 0;
		a->size = size;
		t->arena = a;
	}
	copy = a->bytes + a->used;
	if (len > 0)
		memcpy(copy, s, len);
	copy[len] = '\0';
	a->used += len + 1;
	return copy;
}

static inline uint32_t
find_hashed(const struct calltree *t, uint32_t hash, const char *s, size_t len)
{
	for (uint32_t at = hash, n; (n = hash_index_next(&t->names, hash, &at)) != 0;)
		if (t->name[n].len == len && memcmp(t->name[n].s, s, len) == 0)
			return n;
	return 0;
}

uint32_t
calltree_find(const struct calltree *t, const char *s, size_t len)
{
	return find_hashed(t, (uint32_t)hash_bytes(s, len), s, len);
}

uint32_t
calltree_intern(struct calltree *t, const char *s, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(s, len), known = find_hashed(t, hash, s, len);

	if (known != 0)
		return known;
	if (len > UINT32_MAX || t->nname == UINT32_MAX)
		cli_die("more than 4 billion function names");
	vec_fit(t->name, t->capname, (size_t)t->nname + 1);
	t->name[t->nname] = (struct calltree_name){keep(t, s, len), (uint32_t)len};
	hash_index_add(&t->names, hash, t->nname);
	return t->nname++;
}

uint32_t
calltree_alias(struct calltree *t, uint32_t name)
{
	struct calltree_name same = t->name[name];

	if (t->nname == UINT32_MAX)
		cli_die("more than 4 billion function names");
	vec_fit(t->name, t->capname, (size_t)t->nname + 1);
	t->name[t->nname] = same;
	t->aliases = true;
	return t->nname++;
}

static uint32_t
edge_hash(uint32_t parent, uint32_t name)
{
	return (uint32_t)(hash_number((uint64_t)parent << 32 | name) >> 32);
}

static uint32_t
wide_find(const struct calltree *t, uint32_t parent, uint32_t name)
{
	uint32_t hash, first = name < t->nfirst ? t->first[name] : 0;

	if (first == 0 || t->node[first].parent == parent)
		return first;
	hash = edge_hash(parent, name);
	for (uint32_t at = hash, n; (n = hash_index_next(&t->wide, hash, &at)) != 0;)
		if (t->node[n].parent == parent && t->node[n].name == name)
			return n;
	return 0;
}

static void
wide_add(struct calltree *t, uint32_t parent, uint32_t node)
{
	uint32_t name = t->node[node].name;

	if (name >= t->nfirst) {
		t->first = cli_realloc(t->first, t->capname, sizeof *t->first);
		memset(t->first + t->nfirst, 0, (t->capname - t->nfirst) * sizeof *t->first);
		t->nfirst = t->capname;
	}
	t->nwide++;
	if (t->first[name] == 0)
		t->first[name] = node;
	else
		hash_index_add(&t->wide, edge_hash(parent, name), node);
}

static bool
is_wide(const struct calltree *t, uint32_t parent)
{
	return (t->is_wide[parent / BITS] >> parent % BITS & 1) != 0;
}

static void
set_bit(uint64_t *bits, uint32_t node)
{
	bits[node / BITS] |= UINT64_C(1) << node % BITS;
}

static void
make_wide(struct calltree *t, uint32_t parent)
{
	set_bit(t->is_wide, parent);
	for (uint32_t i = t->node[parent].child; i != 0; i = t->node[i].next)
		wide_add(t, parent, i);
}

static void
free_wide(struct calltree *t)
{
	hash_index_free(&t->wide);
	free(t->first);
	t->first = NULL;
	t->nfirst = 0;
}

void
calltree_forget_wide(struct calltree *t)
{
	free_wide(t);
	t->nwide = 0;
	memset(t->is_wide, 0, t->capnode / BITS * sizeof *t->is_wide);
	memset(t->branches, 0xff, t->capnode / BITS * sizeof *t->branches);
}

void
calltree_seal(struct calltree *t)
{
	hash_index_free(&t->names);
	free_wide(t);
}

void
calltree_share(struct calltree *t, const struct calltree *names, const uint32_t *to)
{
	struct calltree_arena *own = t->arena;

	t->arena = NULL;
	for (uint32_t i = 1; i < t->nname; i++) {
		struct calltree_name *name = &t->name[i];
		const struct calltree_name *other = &names->name[to[i]];

		if (i + AHEAD_NAMES < t->nname)
			__builtin_prefetch(&names->name[to[i + AHEAD_NAMES]]);
		if (name->len == other->len && memcmp(name->s, other->s, name->len) == 0)
			name->s = other->s;
		else
			name->s = keep(t, name->s, name->len);
	}
	free_texts(own);
}

/* Populates memory of the next nodes. */
static void
get_ready(struct calltree *t)
{
	uint32_t n = t->capnode - t->ready < AHEAD ? t->capnode - t->ready : AHEAD;

	if (n == AHEAD) {
		cli_populate(t->node + t->ready, n * sizeof *t->node);
		for (unsigned c = 0; c < t->columns; c++)
			cli_populate(t->self[c].cell + t->ready, n * sizeof *t->self[c].cell);
	}
	t->ready += n;
}

/* Grows a bit per node from the capacity `old`; the new ones are 0. */
static uint64_t *
grow_bits(const struct calltree *t, uint64_t *bits, uint32_t old)
{
	bits = cli_realloc(bits, t->capnode / BITS, sizeof *bits);
	memset(bits + old / BITS, 0, (t->capnode - old) / BITS * sizeof *bits);
	return bits;
}

/* Grows the capacity for nodes: small trees by more, since realloc(3) copies small blocks. */
static void
grow(struct calltree *t)
{
	const uint32_t old = t->capnode;

	if (old > UINT32_MAX / 2)
		cli_die("more than 4 billion call tree nodes");
	t->capnode *= old < SMALL ? 4 : 2;
	t->is_wide = grow_bits(t, t->is_wide, old);
	t->branches = grow_bits(t, t->branches, old);
	t->node = cli_realloc(t->node, t->capnode, sizeof *t->node);
	for (unsigned c = 0; c < t->columns; c++)
		t->self[c].cell = cli_realloc(
		    t->self[c].cell, t->self[c].cap = t->capnode, sizeof *t->self[c].cell);
}

/* Out of line, as the last call: calltree_append runs once per node and saves no registers. */
__attribute__((noinline)) static uint32_t
grow_and_append(struct calltree *t, uint32_t parent, uint32_t name)
{
	if (t->ready == t->capnode)
		grow(t);
	get_ready(t);
	return calltree_append(t, parent, name);
}

uint32_t
calltree_append(struct calltree *t, uint32_t parent, uint32_t name)
{
	uint32_t node = t->nnode;

	if (node == t->ready)
		return grow_and_append(t, parent, name);
	t->node[node] = (struct calltree_node){parent, name, 0, t->node[parent].child};
	if (t->node[parent].child != 0)
		set_bit(t->branches, parent);
	t->node[parent].child = node;
	for (unsigned c = 0; c < t->columns; c++)
		t->self[c].cell[t->self[c].n++] = 0;
	t->nnode++;
	return node;
}

uint32_t
calltree_append_chain(struct calltree *t, uint32_t parent, const uint32_t *name, uint32_t n)
{
	uint32_t first = t->nnode, end = first + n;
	struct calltree_node *node;

	while (end > t->ready || end < first) {
		if (t->ready == t->capnode)
			grow(t);
		get_ready(t);
	}
	node = t->node + first;
	for (uint32_t i = 0; i < n; i++)
		node[i] = (struct calltree_node){first + i - 1, name[i], first + i + 1, 0};
	node[0].parent = parent;
	node[0].next = t->node[parent].child;
	node[n - 1].child = 0;
	if (t->node[parent].child != 0)
		set_bit(t->branches, parent);
	t->node[parent].child = first;
	for (unsigned c = 0; c < t->columns; c++) {
		memset(t->self[c].cell + first, 0, n * sizeof *t->self[c].cell);
		t->self[c].n = end;
	}
	t->nnode = end;
	return first;
}

/* calltree_child of a parent with children. Out of line, like grow_and_append. */
__attribute__((noinline)) static uint32_t
child_among(struct calltree *t, uint32_t parent, uint32_t name)
{
	uint32_t node = 0, n = 0;

	if (is_wide(t, parent)) {
		node = wide_find(t, parent, name);
		if (node == 0) {
			node = calltree_append(t, parent, name);
			wide_add(t, parent, node);
		}
		return node;
	}
	for (node = t->node[parent].child; node != 0; node = t->node[node].next, n++)
		if (t->node[node].name == name)
			break;
	if (node == 0) {
		node = calltree_append(t, parent, name);
		n++;
	}
	if (n >= WIDE)
		make_wide(t, parent);
	return node;
}

uint32_t
calltree_child(struct calltree *t, uint32_t parent, uint32_t name)
{
	if (t->node[parent].child == 0) /* usually: the first stack through parent */
		return calltree_append(t, parent, name);
	return child_among(t, parent, name);
}

/* For calltree_merge: the numbers in dst of the names and nodes of src. */
struct merging {
	struct calltree *dst;
	const struct calltree *src;
	uint32_t first; /* new node */
	uint32_t *name, *node; /* 0: none yet */
};

/*
 * Appends the nodes of src from i on, up to the first one whose parent is not new, or whose name is
 * not known, or for which no memory is ready. Returns that.
 */
static uint32_t
copy_new(struct merging *m, uint32_t i)
{
	struct calltree_node *to = m->dst->node;
	uint32_t n = m->dst->nnode, room = m->dst->ready - n;
	uint32_t end = m->src->nnode - i < room ? m->src->nnode : i + room;

	for (; i < end; i++) {
		const struct calltree_node *from = &m->src->node[i];
		uint32_t parent = m->node[from->parent], name = m->name[from->name];

		if (parent < m->first || name == 0)
			break;
		to[n] = (struct calltree_node){parent, name, 0, to[parent].child};
		if (to[parent].child != 0)
			set_bit(m->dst->branches, parent);
		to[parent].child = n;
		m->node[i] = n++;
	}
	for (unsigned c = 0; c < m->dst->columns; c++) {
		struct value_array *self = &m->dst->self[c];

		memset(self->cell + self->n, 0, (n - self->n) * sizeof *self->cell);
		self->n = n;
	}
	m->dst->nnode = n;
	return i;
}

void
calltree_merge(struct calltree *dst, const struct calltree *src)
{
	/* New nodes only have children of this loop, which differ unless names are equal. */
	struct merging m = {dst, src, src->aliases ? UINT32_MAX : dst->nnode,
	    cli_alloc(src->nname, sizeof *m.name), cli_alloc(src->nnode, sizeof *m.node)};

	for (uint32_t i = 1; i < src->nnode;) {
		uint32_t of = src->node[i].name, parent = m.node[src->node[i].parent];

		if (of != 0 && m.name[of] == 0)
			m.name[of] = calltree_intern(dst, src->name[of].s, src->name[of].len);
		if (of != 0 && parent >= m.first && dst->nnode < dst->ready) {
			i = copy_new(&m, i);
			continue;
		}
		if (of != 0) /* 0: merged with another by calltree_join */
			m.node[i] = parent < m.first ? calltree_child(dst, parent, m.name[of])
						     : calltree_append(dst, parent, m.name[of]);
		i++;
	}
	for (unsigned c = 0; c < src->columns; c++)
		for (uint32_t i = 0; i < src->nnode; i++)
			value_array_carry(&dst->self[c], m.node[i], &src->self[c], i);
	free(m.name);
	free(m.node);
}

uint32_t
calltree_next_branch(const struct calltree *t, uint32_t from)
{
	uint64_t bits;

	if (from >= t->nnode)
		return from;
	bits = t->branches[from / BITS] & ~UINT64_C(0) << from % BITS;
	for (from -= from % BITS; bits == 0; bits = t->branches[from / BITS])
		if ((from += BITS) >= t->nnode)
			return from;
	return from + (uint32_t)__builtin_ctzll(bits);
}

void
calltree_mark_branch(struct calltree *t, uint32_t node)
{
	set_bit(t->branches, node);
}

/* Compares children by rank, in the upper half; the lower half is the node. */
static int
compare_children(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Sorts children by their places in an array by rank; false, and nothing is done, if ranks are few
 * in many, or not all different.
 */
static bool
sort_places(uint64_t *child, uint32_t n)
{
	uint32_t ranks = 0, *place, sorted = 0;

	for (uint32_t i = 0; i < n; i++)
		if (child[i] >> 32 >= ranks)
			ranks = (uint32_t)(child[i] >> 32) + 1;
	if (ranks / SPARSE > n)
		return false;
	place = cli_alloc_ready(ranks, sizeof *place); /* the node, which is not 0 */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t *at = &place[child[i] >> 32];

		if (*at != 0) {
			free(place);
			return false;
		}
		*at = (uint32_t)child[i];
	}
	for (uint32_t rank = 0; rank < ranks; rank++)
		if (place[rank] != 0)
			child[sorted++] = (uint64_t)rank << 32 | place[rank];
	free(place);
	return true;
}

void
calltree_sort_children(struct calltree *t, uint32_t parent, uint64_t *child, uint32_t n)
{
	bool falling = true, rising = true;
	uint32_t last = 0;

	for (uint32_t i = 1; i < n; i++) {
		falling &= child[i] < child[i - 1];
		rising &= child[i] > child[i - 1];
	}
	if (!falling && !rising && !(n >= MANY && sort_places(child, n)))
		sort_items(child, n, sizeof *child, compare_children);
	for (uint32_t k = 0; k < n; k++) { /* last child first */
		uint32_t i = (uint32_t)child[falling ? k : n - 1 - k];

		t->node[i].next = last;
		last = i;
	}
	t->node[parent].child = last;
}

/*
 * Sorts the children of all wide parents. Finds them in one pass over the nodes: in a large tree,
 * each step along a list waits for memory.
 */
static void
sort_wide(struct calltree *t, const uint32_t *rank)
{
	uint32_t *end = cli_alloc(t->nnode, sizeof *end); /* by parent: end of its children */
	uint32_t n = 0, start = 0;
	uint64_t *child;

	for (uint32_t i = 1; i < t->nnode; i++)
		if (is_wide(t, t->node[i].parent))
			end[t->node[i].parent]++;
	for (uint32_t i = 0; i < t->nnode; i++)
		if (is_wide(t, i)) {
			n += end[i];
			end[i] = n - end[i];
		}
	child = cli_realloc(NULL, n, sizeof *child);
	for (uint32_t i = 1; i < t->nnode; i++)
		if (is_wide(t, t->node[i].parent))
			child[end[t->node[i].parent]++] = (uint64_t)rank[t->node[i].name] << 32 | i;
	for (uint32_t i = 0; i < t->nnode; i++)
		if (is_wide(t, i)) {
			calltree_sort_children(t, i, child + start, end[i] - start);
			start = end[i];
		}
	free(child);
	free(end);
}

/*
 * Sorts the lists of children, in node order. Input is mostly sorted: then the newest child is
 * the last one, and its list only has to be reversed.
 */
void
calltree_sort_by(struct calltree *t, const uint32_t *rank)
{
	bool apart = t->nwide >= FAR_APART;
	uint64_t *child = NULL;
	uint32_t cap = 0;

	if (apart) {
		free_wide(t); /* sort_wide needs the same memory */
		sort_wide(t, rank);
	}
	for (uint32_t parent = 0; (parent = calltree_next_branch(t, parent)) < t->nnode; parent++) {
		uint32_t n = 0;

		if (apart && is_wide(t, parent))
			continue;
		for (uint32_t i = t->node[parent].child; i != 0; i = t->node[i].next) {
			vec_fit(child, cap, n + 1);
			child[n] = (uint64_t)rank[t->node[i].name] << 32 | i;
			n++;
		}
		if (n > 1)
			calltree_sort_children(t, parent, child, n);
	}
	free(child);
	if (apart)
		calltree_forget_wide(t); /* the parents that are searched again are indexed again */
}

void
calltree_sort(struct calltree *t)
{
	free(calltree_sort_ranks(t));
}

uint32_t *
calltree_sort_ranks(struct calltree *t)
{
	uint32_t *rank = calltree_ranks(t);

	calltree_sort_by(t, rank);
	return rank;
}

/* Stores the nodes of a sorted tree in pre-order, with names by rank. */
static void
arrange_nodes(struct calltree *t, const uint32_t *rank)
{
	struct calltree_node *node = cli_realloc(NULL, t->capnode, sizeof *node);
	uint32_t *to = cli_alloc(t->nnode, sizeof *to), *last = NULL, cap = 0;
	uint32_t from = CALLTREE_ROOT, depth = 0, deepest = 0, n = 1;

	memset(t->branches, 0, t->capnode / BITS * sizeof *t->branches);
	memset(t->is_wide, 0, t->capnode / BITS * sizeof *t->is_wide);
	t->nwide = 0;
	node[CALLTREE_ROOT] = (struct calltree_node){0};
	while ((from = calltree_next(t, from, &depth)) != CALLTREE_ROOT) {
		uint32_t parent = to[t->node[from].parent];

		vec_fit(last, cap, (size_t)depth + 1); /* by depth: the last node */
		node[n] = (struct calltree_node){parent, rank[t->node[from].name], 0, 0};
		if (depth > deepest) {
			node[parent].child = n;
		} else {
			node[last[depth]].next = n;
			set_bit(t->branches, parent);
		}
		last[deepest = depth] = n;
		to[from] = n++;
	}
	free(last);
	free(t->node);
	t->node = node;
	for (unsigned c = 0; c < t->columns; c++) {
		uint64_t *cell = cli_realloc(NULL, t->capnode, sizeof *cell);

		memset(cell, 0, t->nnode * sizeof *cell);
		for (uint32_t i = 0; i < t->nnode; i++)
			cell[to[i]] = t->self[c].cell[i];
		free(t->self[c].cell);
		t->self[c].cell = cell;
	}
	free(to);
}

/* True if most names are followed by the next one, so that moving them costs more than it saves. */
static bool
is_arranged(const struct calltree *t, const uint32_t *rank)
{
	uint32_t jumps = 0;

	for (uint32_t i = 1; i < t->nname; i++)
		jumps += rank[i] != rank[i - 1] + 1;
	return jumps < t->nname / JUMPS;
}

void
calltree_arrange(struct calltree *t, uint32_t *rank)
{
	struct calltree_arena *texts = t->arena;
	struct calltree_name *name;

	if (is_arranged(t, rank))
		return;
	name = cli_realloc(NULL, t->capname, sizeof *name);
	arrange_nodes(t, rank);
	for (uint32_t i = 0; i < t->nname; i++)
		name[rank[i]] = t->name[i];
	free(t->name);
	t->name = name;
	t->arena = NULL;
	for (uint32_t i = 1; i < t->nname; i++) {
		if (i + AHEAD_NAMES < t->nname)
			__builtin_prefetch(name[i + AHEAD_NAMES].s);
		name[i].s = keep(t, name[i].s, name[i].len);
		rank[i] = i;
	}
	free_texts(texts);
}

void
calltree_rename(struct calltree *t, struct calltree *names, const uint32_t *to)
{
	struct calltree old = *t;

	for (uint32_t i = 1; i < t->nnode; i++)
		t->node[i].name = to[t->node[i].name];
	t->name = names->name;
	t->nname = names->nname;
	t->capname = names->capname;
	t->names = names->names;
	t->arena = names->arena;
	t->aliases = names->aliases;
	names->name = old.name;
	names->nname = old.nname;
	names->capname = old.capname;
	names->names = old.names;
	names->arena = old.arena;
	names->aliases = old.aliases;
	calltree_forget_wide(t);
}

bool
calltree_is_nested(const struct calltree *t, uint32_t *deepest)
{
	const struct calltree_node *node = t->node;
	uint32_t depth = 0, most = 0;

	*deepest = 0;
	for (uint32_t i = 1; i < t->nnode; i++) {
		uint32_t parent = node[i].parent, before = i - 1;

		if (parent == before) {
			if (++depth > most)
				most = depth;
			continue;
		}
		for (; node[before].parent > parent; before = node[before].parent)
			depth--;
		if (node[before].parent != parent)
			return false;
	}
	*deepest = most;
	return true;
}

struct value_array
calltree_totals(const struct calltree *t, unsigned column)
{
	const struct value_array *self = &t->self[column];
	struct value_array total = {0};

	value_array_resize(&total, t->nnode);
	for (uint32_t i = t->nnode; i-- > 0;) {
		value_array_carry(&total, i, self, i);
		if (i != CALLTREE_ROOT)
			value_array_carry(&total, t->node[i].parent, &total, i);
	}
	return total;
}
