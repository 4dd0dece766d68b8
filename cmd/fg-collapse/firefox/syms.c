/*
 * syms: symbols that samply found for addresses.
 */
#include "fg-collapse/firefox/syms.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/scan.h"

#define NAMES 2 /* possible names of a symbol file */

/* Allocates the which-th name of the symbol file for a profile; NULL if the profile's name
 * does not end in .json or .json.gz. */
static char *
beside(const char *path, unsigned which)
{
	struct text t = {0};

	text_puts(&t, path);
	if (str_ends(text_as_str(&t), ".gz"))
		text_cut(&t, t.len - 3);
	if (!str_ends(text_as_str(&t), ".json")) {
		text_free(&t);
		return NULL;
	}
	if (which == 0)
		text_cut(&t, t.len - strlen(".json"));
	text_puts(&t, ".syms.json");
	return t.s;
}

void
syms_sandbox(struct sandbox *s, const char *input)
{
	for (unsigned i = 0; i < NAMES; i++) {
		char *path = beside(input, i);

		if (path != NULL)
			sandbox_take(s, SANDBOX_READ, path);
	}
}

void
syms_free(struct syms *s)
{
	for (size_t i = 0; i < s->nmodule; i++) {
		text_free(&s->module[i].name);
		text_free(&s->module[i].id);
		free(s->module[i].address.slot);
	}
	json_strings_free(&s->strings);
	free(s->symbol);
	free(s->frame);
	free(s->module);
}

/* The module that is read, and its current symbol. */
struct module {
	struct syms *syms;
	struct syms_module is;
	struct json_indices known; /* address and symbol in turn */
	uint32_t name;
};

static void
read_frame(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("function", REFERENCE, struct syms_frame, function),
	    JSON_FIELD("file", REFERENCE, struct syms_frame, file),
	    JSON_FIELD("line", INDEX, struct syms_frame, line),
	};
	struct syms *s = ((struct module *)to)->syms;
	struct syms_frame f = {JSON_NO_INDEX, JSON_NO_INDEX, 0};

	json_fields(j, fields, &f);
	vec_fit(s->frame, s->capframe, s->nframe + 1);
	s->frame[s->nframe++] = f;
}

static void
read_symbol(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("symbol", REFERENCE, struct module, name),
	    JSON_EACH("frames", read_frame),
	};
	struct module *m = to;
	struct syms *s = m->syms;
	const uint32_t first = (uint32_t)s->nframe;

	m->name = JSON_NO_INDEX;
	json_fields(j, fields, m);
	vec_fit(s->symbol, s->capsymbol, s->nsymbol + 1);
	s->symbol[s->nsymbol++] = (struct syms_symbol){m->name, first, (uint32_t)s->nframe - first};
}

static void
read_known(struct json *j, void *to)
{
	struct module *m = to;

	json_indices(j, &m->known);
	while (m->known.n % 2 != 0)
		json_indices_add(&m->known, JSON_NO_INDEX);
}

static void
read_module(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("debug_name", TEXT, struct module, is.name),
	    JSON_FIELD("debug_id", TEXT, struct module, is.id),
	    JSON_EACH("symbol_table", read_symbol),
	    JSON_EACH("known_addresses", read_known),
	};
	struct syms *s = to;
	struct module m = {.syms = s};
	const size_t first = s->nsymbol;

	json_fields(j, fields, &m);
	for (size_t i = 0; i + 1 < m.known.n; i += 2)
		if (m.known.at[i + 1] < s->nsymbol - first)
			*intmap_at(&m.is.address, m.known.at[i]) =
			    (void *)((uintptr_t)first + m.known.at[i + 1] + 1);
	json_indices_free(&m.known);
	vec_fit(s->module, s->capmodule, s->nmodule + 1);
	s->module[s->nmodule++] = m.is;
}

bool
syms_read(struct syms *s, struct reader *r)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("string_table", STRINGS, struct syms, strings),
	    JSON_EACH("data", read_module),
	};
	struct reader side = *r;
	char *path = NULL;
	struct json *j;

	*s = (struct syms){0};
	for (unsigned k = 0; k < NAMES && path == NULL; k++) {
		path = beside(lines_name(r->lines), k);
		if (path != NULL && access(path, R_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	if (path == NULL)
		return false;
	side.lines = lines_open(path, lines_cut_line);
	j = json_open(&side);
	json_fields(j, fields, s);
	json_close(j);
	lines_close(side.lines);
	free(path);
	return true;
}

/* True if the first 32 digits of two ids are equal, ignoring case and hyphens. */
static bool
same_id(struct str a, struct str b)
{
	size_t n = 0;

	for (size_t i = 0, k = 0; n < 32; i++, k++, n++) {
		while (i < a.len && a.s[i] == '-')
			i++;
		while (k < b.len && b.s[k] == '-')
			k++;
		if (i >= a.len || k >= b.len || (a.s[i] | 0x20) != (b.s[k] | 0x20))
			return false;
	}
	return true;
}

const struct syms_module *
syms_module(const struct syms *s, struct str name, struct str id)
{
	for (size_t i = 0; i < s->nmodule; i++)
		if (str_equal(text_as_str(&s->module[i].name), name) &&
		    same_id(text_as_str(&s->module[i].id), id))
			return &s->module[i];
	return NULL;
}

const struct syms_symbol *
syms_find(const struct syms *s, const struct syms_module *m, uint64_t address)
{
	uintptr_t n = m != NULL ? (uintptr_t)intmap_get(&m->address, address) : 0;

	return n > 0 ? &s->symbol[n - 1] : NULL;
}
