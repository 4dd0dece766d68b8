/*
 * syms: symbols that samply found for addresses.
 */
#include "fg-collapse/firefox/syms.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
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

static void
read_frame(struct syms *s, struct json *j)
{
	struct syms_frame f = {JSON_NO_INDEX, JSON_NO_INDEX, 0};
	struct str key;
	uint32_t n;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "function"))
			f.function = json_index(j, &n) ? n : JSON_NO_INDEX;
		else if (str_is(key, "file"))
			f.file = json_index(j, &n) ? n : JSON_NO_INDEX;
		else if (str_is(key, "line"))
			f.line = json_index(j, &n) ? n : 0;
		else
			json_skip(j);
	vec_fit(s->frame, s->capframe, s->nframe + 1);
	s->frame[s->nframe++] = f;
}

static void
read_symbol(struct syms *s, struct json *j)
{
	struct syms_symbol x = {JSON_NO_INDEX, (uint32_t)s->nframe, 0};
	struct str key;
	uint32_t n;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "symbol"))
			x.name = json_index(j, &n) ? n : JSON_NO_INDEX;
		else if (str_is(key, "frames"))
			for (bool more = json_array(j); more && json_item(j);)
				read_frame(s, j);
		else
			json_skip(j);
	x.frames = (uint32_t)s->nframe - x.first;
	vec_fit(s->symbol, s->capsymbol, s->nsymbol + 1);
	s->symbol[s->nsymbol++] = x;
}

static void
read_module(struct syms *s, struct json *j)
{
	struct json_indices known = {0};
	size_t first = s->nsymbol;
	struct syms_module *m;
	struct str key;

	vec_fit(s->module, s->capmodule, s->nmodule + 1);
	m = &s->module[s->nmodule++];
	*m = (struct syms_module){0};
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "debug_name"))
			json_keep(j, &m->name);
		else if (str_is(key, "debug_id"))
			json_keep(j, &m->id);
		else if (str_is(key, "symbol_table"))
			for (bool more = json_array(j); more && json_item(j);)
				read_symbol(s, j);
		else if (str_is(key, "known_addresses"))
			for (bool more = json_array(j); more && json_item(j);) {
				json_indices(j, &known);
				while (known.n % 2 != 0)
					json_indices_add(&known, JSON_NO_INDEX);
			}
		else
			json_skip(j);
	for (size_t i = 0; i + 1 < known.n; i += 2)
		if (known.at[i + 1] < s->nsymbol - first)
			*intmap_at(&m->address, known.at[i]) =
			    (void *)((uintptr_t)first + known.at[i + 1] + 1);
	json_indices_free(&known);
}

bool
syms_read(struct syms *s, struct reader *r)
{
	struct reader side = *r;
	char *path = NULL;
	struct json *j;
	struct str key;

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
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "string_table"))
			json_strings(j, &s->strings);
		else if (str_is(key, "data"))
			for (bool more = json_array(j); more && json_item(j);)
				read_module(s, j);
		else
			json_skip(j);
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
