/*
 * align: walks two sorted trees at once and returns pairs of their nodes in canonical order.
 *
 * The names of both trees get one ranking, so children are paired as two sorted lists are
 * merged. Functions with different names (`read` and `read_[k]`, or another line) need a second
 * step: children of one parent that are left without a partner are paired by their functions, and
 * head's name is shown.
 */
#include "fg-diff/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

void
align_fold(struct calltree *t, struct align_names *names, uint32_t *first)
{
	uint32_t *key = cli_alloc(t->nname, sizeof *key);
	bool any = false;

	if (names->rank == NULL)
		names->rank = calltree_sort_ranks(t);
	for (uint32_t i = 1; i < t->nname; i++) {
		uint32_t *of = &first[names->function[i]];

		if (*of != 0) {
			key[i] = key[*of] = *of;
			any = true;
		} else {
			*of = i;
		}
	}
	for (uint32_t i = 1; i < t->nname; i++)
		first[names->function[i]] = 0;
	if (any)
		calltree_join(t, key, names->rank);
	free(key);
}

void
align_names_free(struct align_names *names)
{
	free(names->rank);
	free(names->function);
	*names = (struct align_names){0};
}

/* Merges the rankings of two trees into one. */
static void
rank_names(struct align *a, const struct align_names *const names[2])
{
	uint32_t *order[2], at[2] = {1, 1}, rank = 0;

	for (int k = 0; k < 2; k++) {
		a->rank[k] = cli_alloc(a->tree[k]->nname, sizeof *a->rank[k]);
		order[k] = cli_alloc(a->tree[k]->nname, sizeof *order[k]);
		for (uint32_t i = 0; i < a->tree[k]->nname; i++)
			order[k][names[k]->rank[i]] = i;
	}
	while (at[0] < a->tree[0]->nname || at[1] < a->tree[1]->nname) {
		int which = at[0] == a->tree[0]->nname ? 1
			    : at[1] == a->tree[1]->nname
				? -1
				: calltree_compare_names(&a->tree[0]->name[order[0][at[0]]],
				      &a->tree[1]->name[order[1][at[1]]]);

		rank++;
		if (which <= 0)
			a->rank[0][order[0][at[0]++]] = rank;
		if (which >= 0)
			a->rank[1][order[1][at[1]++]] = rank;
	}
	free(order[0]);
	free(order[1]);
}

/*
 * Finds the functions that have several names in base and head together, or whose name is that of
 * another function: a line of a source file may be that of another function in head.
 */
static void
find_ambiguous(struct align *a, uint32_t functions)
{
	uint32_t *rank = cli_alloc(functions, sizeof *rank); /* by function */
	uint32_t *of = cli_alloc((size_t)a->tree[0]->nname + a->tree[1]->nname, sizeof *of);

	a->plain = true;
	a->ambiguous = cli_alloc(functions, sizeof *a->ambiguous);
	for (int k = 0; k < 2; k++)
		for (uint32_t i = 1; i < a->tree[k]->nname; i++) {
			uint32_t function = a->function[k][i], r = a->rank[k][i];

			if (rank[function] != 0 && rank[function] != r) {
				a->ambiguous[function] = true;
				a->plain = false;
			}
			if (of[r] != 0 && of[r] != function) {
				a->ambiguous[function] = a->ambiguous[of[r]] = true;
				a->plain = false;
			}
			rank[function] = r;
			of[r] = function;
		}
	free(rank);
	free(of);
	if (a->plain)
		return;
	a->waiting = cli_alloc(functions, sizeof *a->waiting);
	for (uint32_t i = 0; i < functions; i++)
		a->waiting[i] = SIZE_MAX;
}

static uint32_t
name_of(const struct align *a, const struct align_pair *p)
{
	int k = p->node[1] != CALLTREE_ROOT;

	return a->tree[k]->node[p->node[k]].name;
}

uint32_t
align_function(const struct align *a, const struct align_pair *p)
{
	return a->function[p->node[1] != CALLTREE_ROOT][name_of(a, p)];
}

/* True if any of some pairs has no partner and an ambiguous name. */
static bool
is_any_ambiguous(const struct align *a, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct align_pair *p = &a->pair[i];

		if ((p->node[0] == CALLTREE_ROOT || p->node[1] == CALLTREE_ROOT) &&
		    a->ambiguous[align_function(a, p)])
			return true;
	}
	return false;
}

/*
 * Pairs a level's children that have ambiguous names and no partner: moves base's child to the
 * head's one with the same key, and closes the gaps. Returns the new end.
 */
static size_t
pair_by_key(struct align *a, size_t first, size_t end)
{
	size_t kept = first;

	if (!is_any_ambiguous(a, first, end))
		return end;
	for (size_t i = first; i < end; i++)
		if (a->pair[i].node[0] == CALLTREE_ROOT)
			a->waiting[align_function(a, &a->pair[i])] = i;
	for (size_t i = first; i < end; i++) {
		struct align_pair *p = &a->pair[i], *head;
		uint32_t key = align_function(a, p);

		if (p->node[1] != CALLTREE_ROOT || a->waiting[key] == SIZE_MAX)
			continue;
		head = &a->pair[a->waiting[key]];
		head->node[0] = p->node[0];
		p->node[0] = CALLTREE_ROOT;
		a->waiting[key] = SIZE_MAX;
	}
	for (size_t i = first; i < end; i++) {
		struct align_pair p = a->pair[i];

		if (p.node[0] == CALLTREE_ROOT && p.node[1] == CALLTREE_ROOT)
			continue;
		a->waiting[align_function(a, &p)] = SIZE_MAX;
		a->pair[kept++] = p;
	}
	return kept;
}

/* Appends the children, from `child` on, of a node that only base (0) or head (1) has. */
__attribute__((noinline)) static size_t
list_alone(struct align *a, int k, uint32_t child, size_t n)
{
	const struct calltree_node *node = a->tree[k]->node;

	for (; child != 0; child = node[child].next) {
		vec_fit(a->pair, a->capacity, n + 1);
		a->pair[n].node[k] = child;
		a->pair[n++].node[1 - k] = CALLTREE_ROOT;
	}
	return n;
}

/* Appends the children of a pair, merged by rank. */
__attribute__((noinline)) static size_t
list_pairs(struct align *a, const uint32_t child[2], size_t n)
{
	const struct calltree_node *node[2] = {a->tree[0]->node, a->tree[1]->node};
	uint32_t i[2] = {child[0], child[1]};
	bool alone[2] = {false, false}; /* a child of base or head has no partner */
	size_t first = n;

	while (i[0] != 0 && i[1] != 0) {
		uint32_t rank[2] = {a->rank[0][node[0][i[0]].name], a->rank[1][node[1][i[1]].name]};
		struct align_pair p = {
		    {rank[0] <= rank[1] ? i[0] : 0, rank[1] <= rank[0] ? i[1] : 0}};

		if (rank[0] == rank[1] &&
		    a->function[0][node[0][i[0]].name] != a->function[1][node[1][i[1]].name])
			p.node[1] = 0;

		vec_fit(a->pair, a->capacity, n + 1);
		a->pair[n++] = p;
		alone[0] |= p.node[1] == 0;
		alone[1] |= p.node[0] == 0;
		for (int k = 0; k < 2; k++)
			if (p.node[k] != 0)
				i[k] = node[k][i[k]].next;
	}
	for (int k = 0; k < 2; k++)
		if (i[k] != 0) {
			alone[k] = true;
			n = list_alone(a, k, i[k], n);
		}
	return alone[0] && alone[1] && !a->plain ? pair_by_key(a, first, n) : n;
}

/* True for two children without siblings that have the same name: most nodes have such children. */
static inline bool
is_only_pair(const struct align *a, uint32_t base, uint32_t head)
{
	const struct calltree_node *x = &a->tree[0]->node[base], *y = &a->tree[1]->node[head];

	return (x->next | y->next) == 0 && a->rank[0][x->name] == a->rank[1][y->name] &&
	       a->function[0][x->name] == a->function[1][y->name];
}

/* Starts a level with children of base and head, 0 if a side has none. */
static inline void
descend(struct align *a, uint32_t base, uint32_t head)
{
	uint32_t depth = a->depth;
	size_t first = depth > 0 ? a->level[depth - 1].end : 0, n = first + 1;

	if ((base | head) == 0)
		return;
	if (base == 0) {
		n = list_alone(a, 1, head, first);
	} else if (head == 0) {
		n = list_alone(a, 0, base, first);
	} else if (is_only_pair(a, base, head)) {
		vec_fit(a->pair, a->capacity, n);
		a->pair[first] = (struct align_pair){{base, head}};
	} else {
		n = list_pairs(a, (const uint32_t[]){base, head}, first);
	}
	vec_fit(a->level, a->levels, (size_t)depth + 1);
	a->level[depth] = (struct align_level){first, n};
	a->depth = depth + 1;
}

void
align_begin(
    struct align *a, const struct calltree *const tree[2], const struct align_names *const names[2])
{
	*a = (struct align){.tree = {tree[0], tree[1]}};
	rank_names(a, names);
	a->function[0] = names[0]->function;
	a->function[1] = names[1]->function;
	find_ambiguous(a, names[0]->n);
	descend(a, tree[0]->node[CALLTREE_ROOT].child, tree[1]->node[CALLTREE_ROOT].child);
}

bool
align_next(
    struct align *a, struct align_pair *pair, uint32_t *depth, const struct calltree_name **name)
{
	const struct calltree_node *base, *head;
	struct align_level *level;
	struct align_pair p;

	for (;; a->depth--) {
		if (a->depth == 0)
			return false;
		level = &a->level[a->depth - 1];
		if (level->next < level->end)
			break;
	}
	*pair = p = a->pair[level->next++];
	*depth = a->depth;
	base = &a->tree[0]->node[p.node[0]];
	head = &a->tree[1]->node[p.node[1]];
	*name = p.node[1] != CALLTREE_ROOT ? &a->tree[1]->name[head->name]
					   : &a->tree[0]->name[base->name];
	descend(a, p.node[0] != CALLTREE_ROOT ? base->child : 0,
	    p.node[1] != CALLTREE_ROOT ? head->child : 0);
	return true;
}

void
align_end(struct align *a)
{
	for (int k = 0; k < 2; k++)
		free(a->rank[k]);
	free(a->ambiguous);
	free(a->waiting);
	free(a->pair);
	free(a->level);
}
