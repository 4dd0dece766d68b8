/*
 * names: the names of the picture as clean text, and what each says.
 */
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "fg-render/picture.h"
#include "fg-render/xml.h"
#include "profile/origin.h"

/* Append s as UTF-8; what cannot be converted becomes U+FFFD. */
static void
convert(struct text *b, iconv_t from, const char *s, size_t len)
{
	char *in = (char *)(uintptr_t)s;

	while (len > 0) {
		size_t room = 4 * len + 16;
		char *out;

		text_room(b, room);
		out = b->s + b->len;
		room = b->cap - b->len - 1;
		if (iconv(from, &in, &len, &out, &room) == (size_t)-1 && errno != E2BIG) {
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
	for (size_t i = 0; i < len; i++)
		if (s[i] < 0x20 || s[i] == 0x7f)
			return false;
	return true;
}

static bool
is_same_function(const struct frame_name *a, const struct frame_name *b)
{
	return a->bare == b->bare && memcmp(a->start, b->start, a->bare) == 0 &&
	       str_equal(a->file, b->file);
}

/* A function is its module, its text and its file; line and annotations are its facets. */
static void
find_functions(struct picture *p)
{
	struct hash_index index = {0};
	uint32_t n = p->tree->nname;
	uint32_t *by_rank = cli_alloc(n, sizeof *by_rank);

	p->function = cli_alloc(n, sizeof *p->function);
	for (uint32_t i = 0; i < n; i++)
		by_rank[p->rank[i]] = i;
	for (uint32_t r = 0; r < n; r++) {
		const struct frame_name *name = &p->name[by_rank[r]];
		uint64_t h =
		    hash_bytes(name->start, name->bare) ^
		    hash_number(name->file.len != 0 ? hash_bytes(name->file.s, name->file.len) : 0);
		uint32_t at = (uint32_t)h, k = 0;

		p->function[by_rank[r]] = by_rank[r];
		if (r == 0 || picture_is_gap(p, by_rank[r]))
			continue;
		while ((k = hash_index_next(&index, (uint32_t)h, &at)) != 0 &&
		       !is_same_function(name, &p->name[k]))
			continue;
		if (k == 0)
			hash_index_add(&index, (uint32_t)h, by_rank[r]);
		else
			p->function[by_rank[r]] = k;
	}
	hash_index_free(&index);
	free(by_rank);
}

void
names_clean(struct picture *p)
{
	const struct calltree *t = p->tree;
	iconv_t from = p->options->from;

	p->text = cli_alloc(t->nname, sizeof *p->text);
	p->name = cli_alloc(t->nname, sizeof *p->name);
	for (uint32_t i = 0; i < t->nname; i++) {
		struct text converted = {0}, clean = {0};
		struct calltree_name *text = &p->text[i];

		*text = t->name[i];
		if (picture_is_gap(p, i)) {
			text->len = 0;
		} else if (i == 0) {
			*text = (struct calltree_name){.s = "all", .len = 3};
		} else if (from != NULL || !is_plain(text->s, text->len)) {
			/* Kept to the end: few names are not plain ASCII, and all of them are
			 * drawn. */
			if (from != NULL)
				convert(&converted, from, text->s, text->len);
			else
				text_add(&converted, text->s, text->len);
			text->len = (uint32_t)xml_clean_name(&clean, converted.s, converted.len);
			text->s = clean.s != NULL ? clean.s : "";
			text_free(&converted);
		}
		p->name[i] = name_parse(text->s, text->len);
	}
	if (from != NULL)
		iconv_close(from);
	for (uint32_t i = 1; i < t->nname; i++)
		p->annotated |= p->name[i].kind == FRAME_KERNEL ||
				p->name[i].kind == FRAME_LIBRARY || p->name[i].kind == FRAME_JIT ||
				p->name[i].kind == FRAME_SCRIPT;
	for (uint32_t i = 0; i < t->nname; i++)
		p->name[i].origin =
		    i == 0 ? ORIGIN_UNKNOWN : name_origin(&p->name[i], p->annotated);
	find_functions(p);
}
