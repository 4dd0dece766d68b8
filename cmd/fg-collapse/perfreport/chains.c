/*
 * chains: perf report does not state which end of a chain is the root. Each entry whose symbol is
 * at one end of a chain only is a vote: the symbol is the leaf. An inlined function at the leaf has
 * another name than the symbol, so its entry has no vote. Without any vote the root is at the end
 * with fewer distinct names.
 */
#include "fg-collapse/perfreport/chains.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

enum { FIRST, LAST };

/* The names at one end of all chains, each once. */
struct ends {
	struct hash_index names;
	struct str *name;
	size_t n, cap;
};

struct vote {
	const struct entries *p;
	struct ends ends[2];
	uint64_t for_end[2]; /* chains with the symbol of their entry at that end only */
	bool at[2]; /* of the current entry */
};

struct str
chains_name(struct str s)
{
	if (str_ends(s, " (inlined)"))
		s.len -= strlen(" (inlined)");
	return s;
}

static void
count_end(struct ends *e, struct str name)
{
	uint32_t hash = (uint32_t)hash_bytes(name.s, name.len);

	for (uint32_t at = hash, k; (k = hash_index_next(&e->names, hash, &at)) != 0;)
		if (str_equal(name, e->name[k - 1]))
			return;
	vec_fit(e->name, e->cap, e->n + 1);
	e->name[e->n++] = name;
	hash_index_add(&e->names, hash, (uint32_t)e->n);
}

static void
see_end(struct vote *v, const struct entry *e, int end, struct str name)
{
	name = chains_name(name);
	count_end(&v->ends[end], name);
	v->at[end] |= e->symbol.len > 0 && str_equal(name, entries_text(v->p, e->symbol));
}

static void
see_entry(struct vote *v, const struct entry *e)
{
	v->at[FIRST] = v->at[LAST] = false;
	for (size_t i = 0; i < e->nchain; i++) {
		struct str s = entries_text(v->p, v->p->chain[e->chain + i].frames), first = s;
		size_t last = str_find_last(s, ";");

		first.len = str_find(s, ";");
		see_end(v, e, FIRST, first);
		see_end(v, e, LAST, last < s.len ? str_from(s, last + 1) : s);
	}
	for (size_t i = 0; i < e->nnode; i++) {
		const struct node *n = &v->p->node[e->node + i];
		bool leaf = i + 1 == e->nnode || n[1].depth <= n->depth;

		if (n->depth == 0)
			see_end(v, e, FIRST, entries_text(v->p, n->name));
		if (leaf)
			see_end(v, e, LAST, entries_text(v->p, n->name));
	}
	for (int end = FIRST; end <= LAST; end++)
		v->for_end[end] += v->at[end] && !v->at[FIRST + LAST - end];
}

void
chains_find_order(struct entries *p)
{
	struct vote v = {.p = p};

	if (p->caller_known)
		return;
	for (size_t i = 0; i < p->nentry; i++)
		see_entry(&v, &p->entry[i]);
	p->caller = v.for_end[FIRST] != v.for_end[LAST] ? v.for_end[LAST] > v.for_end[FIRST]
							: v.ends[FIRST].n < v.ends[LAST].n;
	for (int end = FIRST; end <= LAST; end++) {
		free(v.ends[end].name);
		hash_index_free(&v.ends[end].names);
	}
}

/* Reads `7.61% mix;sorts;main` or `14 main;sorts;mix`. */
bool
chains_read(struct entries *p, struct str s)
{
	struct entry *e = entries_current(p);
	bool percent;
	value v;

	if (!p->open || !scan_decimal(&s, &v))
		return false;
	percent = scan_word(&s, "%");
	if (!scan_word(&s, " ") || s.len == 0)
		return false;
	entries_refuse_children(p);
	if (percent)
		entries_part(p)->percent = true;
	else
		entries_part(p)->counted = true;
	vec_fit(p->chain, p->capchain, p->nchain + 1);
	p->chain[p->nchain++] = (struct chain){entries_store(p, s), v};
	e->nchain++;
	return true;
}
