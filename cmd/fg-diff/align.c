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
#include "profile/canonical.h"
#include "profile/funcname.h"
#include "profile/frame.h"

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

/*
 * Sets, by name of t, the name to show and the key to match by, both interned in `names`.
 * Returns true if a shown name differs from the original, or if two names match that are shown
 * differently.
 */
static bool
rename_all(const struct calltree *t, bool strip_hex, struct calltree *names, uint32_t *shown,
    uint32_t *key)
{
	uint32_t *first = cli_alloc((size_t)2 * t->nname, sizeof *first);
	struct text stripped = {0};
	bool changed = false;

	for (uint32_t i = 1; i < t->nname; i++) {
		const char *s = t->name[i].s;
		size_t len = t->name[i].len;

		if (strip_hex) {
			strip_hex_numbers(&stripped, s, len);
			s = stripped.len > 0 ? stripped.s : "";
			len = stripped.len;
		}
		shown[i] = calltree_intern(names, s, len);
		key[i] = funcname_intern_bare(names, s, len);
		changed |= len != t->name[i].len || memcmp(s, t->name[i].s, len) != 0;
		changed |= first[key[i]] != 0 && first[key[i]] != shown[i];
		first[key[i]] = shown[i];
	}
	text_free(&stripped);
	free(first);
	return changed;
}

/* True if all names are their own keys: without annotations, and canonical. */
static bool
plain(const struct calltree *t)
{
	for (uint32_t i = 1; i < t->nname; i++)
		if (frame_body(t->name[i].s, t->name[i].len) != t->name[i].len ||
		    canonical_changes(t->name[i].s, t->name[i].len))
			return false;
	return true;
}

struct calltree *
align_fold(struct calltree *t, bool strip_hex)
{
	uint32_t *shown, *key, *to = NULL, *name = NULL, node = CALLTREE_ROOT, depth = 0;
	struct calltree *folded;

	if (!strip_hex && plain(t))
		return t;
	folded = calltree_new(t->columns);
	shown = cli_alloc(t->nname, sizeof *shown);
	key = cli_alloc(t->nname, sizeof *key);

	if (!rename_all(t, strip_hex, folded, shown, key)) {
		calltree_free(folded);
		folded = t;
		goto out;
	}

	/* children are looked up by key; of merged ones the first in order gives the shown name */
	to = cli_alloc(t->nnode, sizeof *to);
	name = cli_alloc(t->nnode, sizeof *name);
	calltree_sort(t);
	do {
		const struct calltree_node *n = &t->node[node];

		if (node != CALLTREE_ROOT) {
			to[node] = calltree_child(folded, to[n->parent], key[n->name]);
			if (name[to[node]] == 0)
				name[to[node]] = shown[n->name];
		}
		for (unsigned c = 0; c < t->columns; c++)
			if (value_array_has(&t->self[c], node))
				calltree_add(folded, to[node], c, calltree_self(t, node, c));
	} while ((node = calltree_next(t, node, &depth)) != CALLTREE_ROOT);
	for (uint32_t i = 1; i < folded->nnode; i++)
		folded->node[i].name = name[i];
	calltree_free(t);
out:
	free(shown);
	free(key);
	free(to);
	free(name);
	return folded;
}

static int
compare(const struct calltree_name *x, const struct calltree_name *y)
{
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

/* Merges the rankings of two trees into one. */
static void
rank_names(struct align *a, uint32_t *const own[2])
{
	uint32_t *order[2], at[2] = {1, 1}, rank = 0;

	for (int k = 0; k < 2; k++) {
		a->rank[k] = cli_alloc(a->tree[k]->nname, sizeof *a->rank[k]);
		order[k] = cli_alloc(a->tree[k]->nname, sizeof *order[k]);
		for (uint32_t i = 0; i < a->tree[k]->nname; i++)
			order[k][own[k][i]] = i;
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

/* Finds the bare names that occur with different annotations in base and head together. */
static void
find_ambiguous(struct align *a)
{
	size_t most = (size_t)a->tree[0]->nname + a->tree[1]->nname;
	uint32_t *rank = cli_alloc(most, sizeof *rank);

	a->bare = calltree_new(0);
	a->ambiguous = cli_alloc(most, sizeof *a->ambiguous);
	a->waiting = cli_alloc(most, sizeof *a->waiting);
	for (int k = 0; k < 2; k++) {
		a->key[k] = cli_alloc(a->tree[k]->nname, sizeof *a->key[k]);
		for (uint32_t i = 1; i < a->tree[k]->nname; i++) {
			const struct calltree_name *n = &a->tree[k]->name[i];
			uint32_t key = a->key[k][i] = funcname_intern_bare(a->bare, n->s, n->len);

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

/*
 * Pairs a level's children that have ambiguous names and no partner: moves base's child to the
 * head's one with the same key, and closes the gaps. Returns the new end.
 */
static size_t
pair_by_key(struct align *a, size_t first, size_t end)
{
	size_t kept = first;

	for (size_t i = first; i < end; i++)
		if (a->pair[i].node[0] == CALLTREE_ROOT)
			a->waiting[key_of(a, &a->pair[i])] = i;
	for (size_t i = first; i < end; i++) {
		struct align_pair *p = &a->pair[i], *head;
		uint32_t key = key_of(a, p);

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
		a->waiting[key_of(a, &p)] = SIZE_MAX;
		a->pair[kept++] = p;
	}
	return kept;
}

/* Returns the rank of a child's name; UINT32_MAX for no child. */
static uint32_t
child_rank(const struct align *a, int k, uint32_t child)
{
	return child != 0 ? a->rank[k][a->tree[k]->node[child].name] : UINT32_MAX;
}

/* Starts a level with the children of a pair. */
static void
descend(struct align *a, struct align_pair parent)
{
	size_t first = a->depth > 0 ? a->level[a->depth - 1].end : 0, n = first;
	uint32_t i[2] = {0, 0};
	bool unpaired = false;

	for (int k = 0; k < 2; k++)
		if (parent.node[k] != CALLTREE_ROOT || a->depth == 0)
			i[k] = a->tree[k]->node[parent.node[k]].child;
	while (i[0] != 0 || i[1] != 0) {
		uint32_t rank[2] = {child_rank(a, 0, i[0]), child_rank(a, 1, i[1])};
		struct align_pair p = {
		    {rank[0] <= rank[1] ? i[0] : 0, rank[1] <= rank[0] ? i[1] : 0}};

		vec_fit(a->pair, a->capacity, n + 1);
		a->pair[n++] = p;
		if (rank[0] != rank[1] && !a->plain)
			unpaired |= a->ambiguous[key_of(a, &p)];
		if (p.node[0] != 0)
			i[0] = a->tree[0]->node[i[0]].next;
		if (p.node[1] != 0)
			i[1] = a->tree[1]->node[i[1]].next;
	}
	if (unpaired)
		n = pair_by_key(a, first, n);
	vec_fit(a->level, a->levels, (size_t)a->depth + 1);
	a->level[a->depth++] = (struct align_level){first, n};
}

void
align_begin(struct align *a, const struct calltree *const tree[2], uint32_t *const rank[2])
{
	*a = (struct align){.tree = {tree[0], tree[1]}};
	rank_names(a, rank);
	a->plain = plain(tree[0]) && plain(tree[1]);
	if (!a->plain)
		find_ambiguous(a);
	descend(a, (struct align_pair){{CALLTREE_ROOT, CALLTREE_ROOT}});
}

bool
align_next(
    struct align *a, struct align_pair *pair, uint32_t *depth, const struct calltree_name **name)
{
	struct align_level *level;

	while (a->level[a->depth - 1].next == a->level[a->depth - 1].end)
		if (--a->depth == 0)
			return false;
	level = &a->level[a->depth - 1];
	*pair = a->pair[level->next++];
	*depth = a->depth;
	*name = &a->tree[pair->node[1] != CALLTREE_ROOT]->name[name_of(a, pair)];
	descend(a, *pair);
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
