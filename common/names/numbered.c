#include "names/numbered.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "names/canonical.h"
#include "names/funcname.h"

/* A function whose name has an arbitrary number, on a side. */
struct numbered {
	uint32_t of; /* its name without the number */
	uint32_t side, function;
};

/* Compares by name, side and number: of names that differ in a number, the longer one has more. */
static int
compare_numbered(const void *a, const void *b, void *functions)
{
	const struct numbered *x = a, *y = b;
	const struct calltree_name *name = ((const struct calltree *)functions)->name;
	const struct calltree_name *s = &name[x->function], *t = &name[y->function];

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (s->len != t->len)
		return s->len < t->len ? -1 : 1;
	return memcmp(s->s, t->s, s->len);
}

/*
 * Sets the later side's function of each of [from, end), which differ in their numbers: where two
 * sides have equally many, and no number is on both, all have new numbers in the order of their
 * definition.
 */
static void
join_group(const struct identity_side *side, struct calltree *functions, const struct numbered *all,
    size_t from, size_t end, uint32_t *to)
{
	size_t first[2] = {from, from}, n[2] = {0, 0}, sides = 0;

	for (size_t i = from, next; i < end; i = next) {
		for (next = i; next < end && all[next].side == all[i].side; next++)
			;
		if (side[all[i].side].past)
			continue;
		if (sides == 2)
			return;
		first[sides] = i;
		n[sides++] = next - i;
	}
	if (sides != 2 || n[0] != n[1])
		return;
	for (size_t i = first[0], k = first[1]; i < first[0] + n[0] && k < first[1] + n[1];) {
		struct numbered y = all[k];
		int order;

		y.side = all[i].side;
		order = compare_numbered(&all[i], &y, functions);
		if (order == 0)
			return;
		i += order < 0;
		k += order > 0;
	}
	for (size_t i = 0; i < n[0]; i++)
		to[all[first[0] + i].function] = all[first[1] + i].function;
}

/* True if a name has such a number; t is that without it. */
static bool
without_number(struct text *t, const struct calltree_name *name)
{
	size_t len = funcname_without_number(name->s, name->len);

	text_cut(t, 0);
	text_add(t, name->s, len);
	if (len == name->len && len > 0)
		text_cut(t, canonical_hidden(t->s, len, true));
	return t->len != name->len;
}

uint32_t *
numbered_find(const struct identity_side *side, size_t sides, struct calltree *functions)
{
	uint32_t n = functions->nname, *of = cli_alloc(n, sizeof *of), *count, *to;
	struct text t = {0};
	struct numbered *all = NULL;
	size_t found = 0, cap = 0, *seen; /* by function: side + 1 */
	bool *several, any = false;

	for (uint32_t i = 1; i < n; i++)
		if (without_number(&t, &functions->name[i])) {
			of[i] = calltree_intern(functions, t.s, t.len);
			any = true;
		}
	text_free(&t);
	if (!any) {
		free(of);
		return NULL;
	}
	seen = cli_alloc(functions->nname, sizeof *seen);
	several = cli_alloc(functions->nname, sizeof *several);
	to = cli_alloc(functions->nname, sizeof *to);
	count = cli_alloc(functions->nname, sizeof *count);
	for (size_t s = 0; s < sides; s++) {
		memset(count, 0, functions->nname * sizeof *count);
		for (uint32_t i = 1; i < side[s].n; i++) {
			uint32_t own = side[s].function[i];
			bool numbered = own < n && of[own] != 0;
			uint32_t name = numbered ? of[own] : own;

			if (seen[own] == s + 1)
				continue;
			seen[own] = s + 1;
			several[name] |= ++count[name] > 1;
			if (!numbered)
				continue;
			vec_fit(all, cap, found + 1);
			all[found++] = (struct numbered){name, (uint32_t)s, own};
		}
	}
	sort_items_of(all, found, sizeof *all, compare_numbered, functions);
	for (size_t i = 0, end; i < found; i = end) {
		for (end = i; end < found && all[end].of == all[i].of; end++)
			to[all[end].function] = several[all[i].of] ? 0 : all[i].of;
		if (several[all[i].of])
			join_group(side, functions, all, i, end, to);
	}
	free(all);
	free(of);
	free(seen);
	free(several);
	free(count);
	return to;
}
