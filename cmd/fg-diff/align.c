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

/* True if all names are their own keys: without annotations, canonical, and not generated. */
static bool
plain(const struct calltree *t)
{
	struct text form = {0};
	bool all = true;

	for (uint32_t i = 1; all && i < t->nname; i++) {
		struct str s = {t->name[i].s, t->name[i].len};

		all = frame_body(s.s, s.len) == s.len && !canonical_changes(s.s, s.len) &&
		      !canonical_generated(&form, s, false) && !text_has(s.s, s.len, "$$Lambda");
	}
	text_free(&form);
	return all;
}

/* Interns the bare names of a tree; without hexadecimal numbers if strip_hex. */
static void
set_keys(struct align_names *names, const struct calltree *t, bool strip_hex)
{
	struct text stripped = {0};

	names->bare = calltree_new(0);
	names->key = cli_alloc(t->nname, sizeof *names->key);
	for (uint32_t i = 1; i < t->nname; i++) {
		struct str s = {t->name[i].s, t->name[i].len};

		if (strip_hex) {
			strip_hex_numbers(&stripped, s.s, s.len);
			s = text_as_str(&stripped);
		}
		names->key[i] = funcname_intern_bare(names->bare, s.s, s.len);
	}
	text_free(&stripped);
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

	if (!strip_hex && plain(t))
		return names;
	set_keys(&names, t, strip_hex);
	calltree_join(t, names.key, names.rank);
	if (strip_hex) {
		align_names_free(&names);
		rename_all(t);
		names.rank = calltree_sort_ranks(t);
		if (!plain(t))
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

/* Numbers the bare names of base or head among those of both. */
static void
find_keys(struct align *a, int k, const struct align_names *names)
{
	const struct calltree *t = a->tree[k], *bare = names->bare;
	uint32_t *to = cli_alloc(bare != NULL ? bare->nname : 0, sizeof *to);

	a->key[k] = cli_alloc(t->nname, sizeof *a->key[k]);
	for (uint32_t i = 1; i < t->nname; i++) {
		uint32_t own;

		if (bare == NULL) {
			a->key[k][i] = funcname_intern_bare(a->bare, t->name[i].s, t->name[i].len);
			continue;
		}
		own = names->key[i];
		if (to[own] == 0)
			to[own] = calltree_intern(a->bare, bare->name[own].s, bare->name[own].len);
		a->key[k][i] = to[own];
	}
	free(to);
}

/* Finds the bare names that occur with different annotations in base and head together. */
static void
find_ambiguous(struct align *a, const struct align_names *const names[2])
{
	size_t most = (size_t)a->tree[0]->nname + a->tree[1]->nname;
	uint32_t *rank = cli_alloc(most, sizeof *rank);

	a->bare = calltree_new(0);
	a->ambiguous = cli_alloc(most, sizeof *a->ambiguous);
	a->waiting = cli_alloc(most, sizeof *a->waiting);
	for (int k = 0; k < 2; k++) {
		find_keys(a, k, names[k]);
		for (uint32_t i = 1; i < a->tree[k]->nname; i++) {
			uint32_t key = a->key[k][i];

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
align_begin(
    struct align *a, const struct calltree *const tree[2], const struct align_names *const names[2])
{
	*a = (struct align){.tree = {tree[0], tree[1]}};
	rank_names(a, names);
	a->plain = names[0]->bare == NULL && names[1]->bare == NULL;
	if (!a->plain)
		find_ambiguous(a, names);
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
