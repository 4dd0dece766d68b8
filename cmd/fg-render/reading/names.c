/*
 * names: the names of the picture as clean UTF-8, their parts, and the origin of their frames.
 * An inlined frame has its caller's origin, so one name may have several. Such a name is given
 * a number per origin, so that data indexed by name number is always correct.
 */
#include "fg-render/reading/names.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/xml.h"
#include "names/language.h"
#include "names/library.h"
#include "names/origin.h"
#include "names/origins.h"
#include "names/own.h"

/* Appends s converted to UTF-8; bytes that cannot be converted become U+FFFD. */
static void
convert(struct text *b, iconv_t from, const char *s, size_t len)
{
	char *in = (char *)(uintptr_t)s;

	while (len > 0) {
		size_t space = 4 * len + 16;
		char *out;

		text_reserve(b, space);
		out = b->s + b->len;
		space = b->cap - b->len - 1;
		if (iconv(from, &in, &len, &out, &space) == (size_t)-1 && errno != E2BIG) {
			b->len = (size_t)(out - b->s);
			text_puts(b, "\xef\xbf\xbd");
			in++;
			len--;
		} else {
			b->len = (size_t)(out - b->s);
		}
	}
}

static bool
is_plain(const char *s, size_t len)
{
	const uint64_t each = UINT64_C(0x0101010101010101), top = 0x80 * each;
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		uint64_t c;

		memcpy(&c, s + i, 8);
		/* 0x7f + 1, or a byte above it, has the top bit; so has 0x20 or more + 0x60 */
		if (((c | (c + each)) & top) != 0 || ((c + 0x60 * each) & top) != top)
			return false;
	}
	for (; i < len; i++)
		if (s[i] < 0x20 || s[i] == 0x7f)
			return false;
	return true;
}

/* Groups the names into functions. */
static void
find_functions(struct picture *p)
{
	struct hash_index index = {0};
	uint32_t n = p->tree->nname;
	uint32_t *by_rank = cli_alloc(n, sizeof *by_rank);

	p->names.function = cli_alloc_ready(n, sizeof *p->names.function);
	for (uint32_t i = 0; i < n; i++)
		by_rank[p->names.rank[i]] = i;
	for (uint32_t r = 0; r < n; r++) {
		const struct frame_name *name = &p->names.name[by_rank[r]];
		uint64_t h = name_hash_function(name);
		uint32_t at = (uint32_t)h, k = 0;

		p->names.function[by_rank[r]] = by_rank[r];
		if (r == 0 || picture_is_gap(p, by_rank[r]))
			continue;
		while ((k = hash_index_next(&index, (uint32_t)h, &at)) != 0 &&
		       !name_same_function(name, &p->names.name[k]))
			continue;
		if (k == 0)
			hash_index_add(&index, (uint32_t)h, by_rank[r]);
		else
			p->names.function[by_rank[r]] = k;
	}
	hash_index_free(&index);
	free(by_rank);
}

/* Name numbers of one name by origin, 0 for none. */
struct facets {
	uint32_t number[ORIGIN_UNKNOWN + 1];
};

/*
 * Returns the number of a name for an origin. The first origin of a name keeps the number of
 * the name; others add one.
 */
static uint32_t
facet(struct picture *p, struct facets *f, uint32_t name, enum origin origin, uint32_t *cap)
{
	bool first = true;
	uint32_t number;

	for (unsigned i = 0; i <= ORIGIN_UNKNOWN; i++)
		first &= f->number[i] == 0;
	if (f->number[origin] != 0)
		return f->number[origin];
	number = name;
	if (!first) {
		uint32_t captext = *cap;

		number = calltree_alias(p->tree, name);
		vec_fit(p->names.text, captext, number + 1);
		vec_fit(p->names.name, *cap, number + 1);
		p->names.text[number] = p->names.text[name];
		p->names.name[number] = p->names.name[name];
	}
	p->names.name[number].origin = origin;
	return f->number[origin] = number;
}

/*
 * Ranks names of equal text by origin, so that ranks do not depend on the line order of the
 * input.
 */
static void
rank_facets(struct picture *p, const struct facets *f, uint32_t names)
{
	uint32_t *by_rank = cli_alloc(names, sizeof *by_rank), next = 0;
	uint32_t *rank = cli_alloc(p->tree->nname, sizeof *rank);

	for (uint32_t i = 0; i < names; i++)
		by_rank[p->names.rank[i]] = i;
	for (uint32_t r = 0; r < names; r++) {
		const uint32_t *number = f[by_rank[r]].number;
		bool any = false;

		for (unsigned i = 0; i <= ORIGIN_UNKNOWN; i++)
			if (number[i] != 0) {
				rank[number[i]] = next++;
				any = true;
			}
		if (!any)
			rank[by_rank[r]] = next++;
	}
	free(by_rank);
	free(p->names.rank);
	p->names.rank = rank;
}

/*
 * With --reverse callers are children: a node takes the origin of its children unless they
 * differ.
 */
static void
inherit_from_children(struct picture *p, uint8_t *origin)
{
	const struct calltree_node *node = p->tree->node;
	uint8_t *seen = layout_by_node(p->tree, sizeof *seen);
	bool *known = cli_alloc(p->tree->nname, sizeof *known);

	for (uint32_t i = p->tree->nnode; i-- > 1;) {
		struct frame_name *n = &p->names.name[node[i].name];

		if (!name_inherits(n) || !seen[i])
			origin[i] = (uint8_t)n->origin;
		if (seen[node[i].parent] && origin[node[i].parent] != origin[i])
			origin[node[i].parent] = ORIGIN_UNKNOWN;
		else
			origin[node[i].parent] = origin[i];
		seen[node[i].parent] = 1;
	}
	for (uint32_t i = 1; i < p->tree->nnode; i++) {
		struct frame_name *n = &p->names.name[node[i].name];

		if (!name_inherits(n))
			continue;
		if (known[node[i].name] && n->origin != origin[i])
			n->origin = ORIGIN_UNKNOWN;
		else
			n->origin = origin[i];
		known[node[i].name] = true;
	}
	free(known);
	free(seen);
}

/* Gives inlined frames the origin of the function that they are a part of. */
static void
inherit_origins(struct picture *p)
{
	struct calltree *t = p->tree;
	uint32_t names = t->nname, cap = t->nname;
	struct facets *f;
	uint8_t *origin;
	bool any = false;

	for (uint32_t i = 1; i < names && !any; i++)
		any = name_inherits(&p->names.name[i]);
	if (!any)
		return;
	if (p->options->reverse) {
		origin = layout_by_node(t, sizeof *origin);
		inherit_from_children(p, origin);
		free(origin);
		return;
	}
	f = cli_alloc(names, sizeof *f);
	origin = origins_of_nodes(t, p->names.name);
	for (uint32_t i = 1; i < t->nnode; i++) {
		uint32_t name = t->node[i].name;

		if (name_inherits(&p->names.name[name]))
			t->node[i].name = facet(p, &f[name], name, origin[i], &cap);
	}
	if (t->nname > names)
		rank_facets(p, f, names);
	free(f);
	free(origin);
}

/* Finds own code, unless the profile cannot separate it from other code. */
static void
find_own(struct picture *p)
{
	uint8_t *own;
	bool others = false;

	if (!p->names.annotated && p->names.languages == 0)
		return;
	own = own_match(p->tree, NULL, own_has_scripts(p->tree, NULL));
	for (uint32_t i = 1; i < p->tree->nname; i++)
		others |= !own[i] && !name_is_missing(&p->names.name[i]);
	if (others)
		p->names.own = own;
	else
		free(own);
}

void
names_clean(struct picture *p)
{
	const struct calltree *t = p->tree;
	iconv_t from = p->options->from;
	uint8_t *in_language = language_match(LANGUAGES_ALL, t, &p->names.languages);

	p->names.nplain = t->nname;
	p->names.text = cli_alloc_ready(t->nname, sizeof *p->names.text);
	p->names.name = cli_alloc_ready(t->nname, sizeof *p->names.name);
	for (uint32_t i = 0; i < t->nname; i++) {
		struct text converted = {0}, clean = {0};
		struct calltree_name *text = &p->names.text[i];

		*text = t->name[i];
		if (picture_is_gap(p, i)) {
			text->len = 0;
		} else if (i == 0) {
			*text = (struct calltree_name){.s = "all", .len = 3};
		} else if (from != NULL || !is_plain(text->s, text->len)) {
			/* never freed: few names are not plain ASCII, and all of them are drawn */
			if (from != NULL)
				convert(&converted, from, text->s, text->len);
			else
				text_add(&converted, text->s, text->len);
			text->len = (uint32_t)xml_clean_name(&clean, converted.s, converted.len);
			text->s = clean.s != NULL ? clean.s : "";
			text_free(&converted);
		}
		p->names.name[i] = name_parse(text->s, text->len);
		p->names.name[i].in_language = in_language[i];
		name_find_build(&p->names.name[i], p->columns.labels);
	}
	free(in_language);
	if (from != NULL)
		iconv_close(from);
	p->names.annotated = origins_of_names(t, p->names.name, p->options->reverse);
	inherit_origins(p);
	find_functions(p);
	find_own(p);
}
