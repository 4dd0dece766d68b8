/*
 * align: walks two sorted trees at once and returns pairs of their nodes in canonical order.
 *
 * The names of both trees get one ranking, so children are paired as two sorted lists are
 * merged. Names that exist with different annotations (`read` and `read_[k]`) need a second
 * step: children of one parent that are left without a partner are paired by their names
 * without annotations, and head's name is shown.
 */
#include "fg-diff/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/funcname.h"

/* Replaces hexadecimal numbers as difffolded.pl -s does: s/0x[0-9a-fA-F]+/0x.../g. */
static void
strip_hex_numbers(struct text *out, const char *s, size_t len)
{
	text_cut(out, 0);
	for (size_t i = 0; i < len;) {
		size_t digits = len - i > 2 && s[i] == '0' && s[i + 1] == 'x'
				    ? text_hex(s + i + 2, len - i - 2, NULL)
				    : 0;

		if (digits > 0) {
			text_puts(out, "0x...");
			i += 2 + digits;
		} else {
			text_char(out, s[i++]);
		}
	}
}

/* Gives the names of a tree that equal a bare form the form's number as key. */
static void
set_own_keys(uint32_t *key, const struct calltree *t, const struct calltree *bare)
{
	for (uint32_t i = 1; i < bare->nname; i++) {
		uint32_t name = calltree_find(t, bare->name[i].s, bare->name[i].len);

		if (name != 0 && key[name] == 0)
			key[name] = i;
	}
}

/*
 * Sets the keys of the names of a tree, without hexadecimal numbers if strip_hex. Leaves them NULL
 * if each name is its own bare form.
 */
static void
set_keys(struct align_names *names, const struct calltree *t, bool strip_hex)
{
	uint32_t *key = cli_alloc(t->nname, sizeof *key);
	struct text stripped = {0}, form = {0};
	struct calltree *bare = calltree_new(0);

	for (uint32_t i = 1; i < t->nname; i++) {
		struct str own = {t->name[i].s, t->name[i].len}, s = own;

		if (strip_hex) {
			strip_hex_numbers(&stripped, s.s, s.len);
			s = text_as_str(&stripped);
		}
		if (funcname_bare(&form, s.s, s.len))
			key[i] = calltree_intern(bare, form.s, form.len);
		else if (strip_hex && !str_equal(s, own))
			key[i] = calltree_intern(bare, s.s, s.len);
	}
	text_free(&stripped);
	text_free(&form);
	if (bare->nname == 1) {
		calltree_free(bare);
		free(key);
		return;
	}
	set_own_keys(key, t, bare);
	names->bare = bare;
	names->key = key;
}

/* Removes hexadecimal numbers from the names of a tree, whose children have different keys. */
static void
rename_all(struct calltree *t)
{
	uint32_t *to = cli_alloc(t->nname, sizeof *to);
	struct calltree *names = calltree_new(0);
	struct text stripped = {0};

	for (uint32_t i = 1; i < t->nname; i++) {
		strip_hex_numbers(&stripped, t->name[i].s, t->name[i].len);
		to[i] = calltree_intern(names, stripped.len > 0 ? stripped.s : "", stripped.len);
	}
	calltree_rename(t, names, to);
	calltree_free(names);
	text_free(&stripped);
	free(to);
}

struct align_names
align_fold(struct calltree *t, bool strip_hex)
{
	struct align_names names = {.rank = calltree_sort_ranks(t)};

	set_keys(&names, t, strip_hex);
	if (names.bare == NULL)
		return names;
	calltree_join(t, names.key, names.rank);
	if (strip_hex) {
		align_names_free(&names);
		rename_all(t);
		names.rank = calltree_sort_ranks(t);
		set_keys(&names, t, false);
	}
	return names;
}

void
align_names_free(struct align_names *names)
{
	free(names->rank);
	calltree_free(names->bare);
	free(names->key);
	*names = (struct align_names){0};
}

static int
compare(const struct calltree_name *x, const struct calltree_name *y)
{
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
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
				: compare(&a->tree[0]->name[order[0][at[0]]],
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

/* Numbers the bare forms of base or head among those of both. */
static void
find_keys(struct align *a, int k, const struct align_names *names)
{
	const struct calltree *t = a->tree[k], *bare = names->bare;
	uint32_t *to;

	a->key[k] = cli_alloc(t->nname, sizeof *a->key[k]);
	if (bare == NULL)
		return;
	to = cli_alloc(bare->nname, sizeof *to);
	for (uint32_t i = 1; i < bare->nname; i++)
		to[i] = calltree_intern(a->bare, bare->name[i].s, bare->name[i].len);
	for (uint32_t i = 1; i < t->nname; i++)
		a->key[k][i] = to[names->key[i]];
	free(to);
}

/* Finds the keys that occur with different names in base and head together. */
static void
find_ambiguous(struct align *a, const struct align_names *const names[2])
{
	uint32_t *rank;

	a->bare = calltree_new(0);
	for (int k = 0; k < 2; k++)
		find_keys(a, k, names[k]);
	rank = cli_alloc(a->bare->nname, sizeof *rank);
	a->ambiguous = cli_alloc(a->bare->nname, sizeof *a->ambiguous);
	a->waiting = cli_alloc(a->bare->nname, sizeof *a->waiting);
	for (int k = 0; k < 2; k++) {
		set_own_keys(a->key[k], a->tree[k], a->bare);
		for (uint32_t i = 1; i < a->tree[k]->nname; i++) {
			uint32_t key = a->key[k][i];

			if (key == 0)
				continue;
			a->ambiguous[key] |= rank[key] != 0 && rank[key] != a->rank[k][i];
			rank[key] = a->rank[k][i];
			a->waiting[key] = SIZE_MAX;
		}
	}
	free(rank);
}

static uint32_t
name_of(const struct align *a, const struct align_pair *p)
{
	int k = p->node[1] != CALLTREE_ROOT;

	return a->tree[k]->node[p->node[k]].name;
}

static uint32_t
key_of(const struct align *a, const struct align_pair *p)
{
	return a->key[p->node[1] != CALLTREE_ROOT][name_of(a, p)];
}

/* True if any of some pairs has no partner and an ambiguous name. */
static bool
is_any_ambiguous(const struct align *a, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct align_pair *p = &a->pair[i];

		if ((p->node[0] == CALLTREE_ROOT || p->node[1] == CALLTREE_ROOT) &&
		    a->ambiguous[key_of(a, p)])
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
			a->waiting[key_of(a, &a->pair[i])] = i;
	for (size_t i = first; i < end; i++) {
		struct align_pair *p = &a->pair[i], *head;
		uint32_t key = key_of(a, p);

		if (key == 0 || p->node[1] != CALLTREE_ROOT || a->waiting[key] == SIZE_MAX)
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
		a->waiting[key_of(a, &p)] = SIZE_MAX;
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

		vec_fit(a->pair, a->capacity, n + 1);
		a->pair[n++] = p;
		alone[0] |= rank[0] < rank[1];
		alone[1] |= rank[1] < rank[0];
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

	return (x->next | y->next) == 0 && a->rank[0][x->name] == a->rank[1][y->name];
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
	a->plain = names[0]->bare == NULL && names[1]->bare == NULL;
	if (!a->plain)
		find_ambiguous(a, names);
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
	for (int k = 0; k < 2; k++) {
		free(a->rank[k]);
		free(a->key[k]);
	}
	if (!a->plain)
		calltree_free(a->bare);
	free(a->ambiguous);
	free(a->waiting);
	free(a->pair);
	free(a->level);
}
