/*
 * roots: a prefix is one frame and a `;`, without the characters that would end a frame or start
 * a comment.
 */
#include "fg-merge/roots.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "names/frame.h"
#include "profile/labelroot.h"

static void
set_prefix(struct profile *s, const char *name, size_t len)
{
	free(s->prefix);
	s->prefix = cli_alloc(len + 1, 1);
	memcpy(s->prefix, name, len);
	frame_clean(s->prefix, len);
	if (len >= 2 && memcmp(s->prefix, "# ", 2) == 0) /* would start a comment */
		memmove(s->prefix + 1, s->prefix + 2, --len - 1);
	s->prefix[len] = ';';
	s->nprefix = len + 1;
}

/*
 * Sets *name to the base name. Returns its length without two suffixes, that of a compression and
 * one more: dir/host.folded.zst is host.
 */
static size_t
base_name(const char **name)
{
	static const char *const compressed[] = {".gz", ".zst", ".xz"};
	struct str base = str_base(str_of(*name));
	const char *dot;

	for (size_t i = 0; i < sizeof compressed / sizeof compressed[0]; i++)
		if (base.len > strlen(compressed[i]) &&
		    text_ends(base.s, base.len, compressed[i])) {
			base.len -= strlen(compressed[i]);
			break;
		}
	dot = memrchr(base.s, '.', base.len);
	if (dot != NULL && dot > base.s)
		base.len = (size_t)(dot - base.s);
	*name = base.s;
	return base.len;
}

/*
 * Parses an operand NAME=FILE: NAME has no slash and ends at the first `=`, as in awk's
 * assignments; ./a=b is a file.
 */
static void
name_source(struct profile *s, bool base)
{
	const char *equals = strchr(s->path, '='), *slash = strchr(s->path, '/');
	const char *name = strcmp(s->path, "-") == 0 ? "stdin" : s->path;
	size_t len = base && strcmp(s->path, "-") != 0 ? base_name(&name) : strlen(name);

	s->named = equals != NULL && equals > s->path && (slash == NULL || slash > equals);
	if (s->named) {
		name = s->path;
		len = (size_t)(equals - s->path);
		s->path = equals + 1;
	}
	set_prefix(s, name, len);
}

static int
compare_prefix(const void *a, const void *b)
{
	const struct profile *x = *(const struct profile *const *)a,
			     *y = *(const struct profile *const *)b;
	int order = memcmp(x->prefix, y->prefix, x->nprefix < y->nprefix ? x->nprefix : y->nprefix);

	return order != 0 ? order : strcmp(x->path, y->path);
}

/*
 * Exits with 2 if different files have the same root: they would be added up as one. Operands
 * NAME=FILE may share a NAME.
 */
static void
refuse_equal(const struct merge *m)
{
	const struct profile **by = cli_alloc(m->n + 1, sizeof *by);

	for (size_t i = 0; i < m->n; i++)
		by[i] = &m->source[i];
	sort_items(by, m->n, sizeof *by, compare_prefix);
	for (size_t i = 1; i < m->n; i++)
		if (!(by[i]->named && by[i - 1]->named) && by[i]->nprefix == by[i - 1]->nprefix &&
		    memcmp(by[i]->prefix, by[i - 1]->prefix, by[i]->nprefix) == 0 &&
		    strcmp(by[i]->path, by[i - 1]->path) != 0)
			cli_usage("--prefix: %s and %s would share the root %.*s; try NAME=FILE, "
				  "or --prefix=label:host",
			    by[i - 1]->path, by[i]->path, (int)by[i]->nprefix - 1, by[i]->prefix);
	free(by);
}

void
roots_by_name(struct merge *m, bool base)
{
	for (size_t i = 0; i < m->n; i++)
		name_source(&m->source[i], base);
	refuse_equal(m);
}

void
roots_by_label(struct merge *m, const char *key)
{
	for (size_t i = 0; i < m->n; i++) {
		struct labels *labels = labelroot_labels(m->source[i].path);
		struct text name = {0};

		labelroot_frame(&name, labels, key);
		set_prefix(&m->source[i], name.s, name.len);
		text_free(&name);
		labels_free(labels);
	}
}

void
roots_by_group(struct merge *m, struct labelroot_keys *keys)
{
	for (size_t i = 0; i < m->n; i++) {
		struct profile *s = &m->source[i];
		struct text frames = {0};

		labelroot_frames(&frames, keys, s->path);
		text_char(&frames, ';');
		free(s->prefix);
		s->prefix = frames.s;
		s->nprefix = frames.len;
	}
}

/* An input and its value, which members are sorted by. */
struct member {
	char *value;
	size_t place;
};

static int
compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->value, y->value);

	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Returns pattern with name for each %V. The caller frees it. */
static char *
group_path(const char *pattern, const char *name)
{
	struct text path = {0};

	for (const char *s = pattern; *s != '\0'; s++) {
		if (s[0] != '%' || s[1] != 'V') {
			text_char(&path, *s);
			continue;
		}
		s++;
		for (const char *v = name; *v != '\0'; v++)
			if (*v == '/' || (v == name && *v == '.'))
				text_printf(&path, "%%%02X", (unsigned char)*v);
			else
				text_char(&path, *v);
	}
	return path.s;
}

void
roots_write_groups(struct merge *m, struct labelroot_keys *keys, const char *pattern,
    const char *columns, bool sorted)
{
	struct member *member = cli_alloc(m->n, sizeof *member);
	struct profile *ordered = cli_alloc(m->n, sizeof *ordered);

	for (size_t i = 0; i < m->n; i++) {
		struct text values = {0};

		labelroot_values(&values, keys, m->source[i].path);
		member[i] = (struct member){values.s, i};
	}
	sort_items(member, m->n, sizeof *member, compare_members);
	for (size_t i = 0; i < m->n; i++)
		ordered[i] = m->source[member[i].place];
	for (size_t i = 0, n; i < m->n; i += n) {
		struct merge group = *m;
		char *path = group_path(pattern, member[i].value);

		for (n = 1; i + n < m->n && strcmp(member[i].value, member[i + n].value) == 0;)
			n++;
		group.source = ordered + i;
		group.n = n;
		group.folded.columns = (struct folded_columns){0};
		if (columns != NULL)
			folded_columns_option(&group.folded.columns, columns);
		(sorted ? merge_sorted : merge_plain)(&group, path);
		folded_columns_free(&group.folded.columns);
		free(path);
	}
	for (size_t i = 0; i < m->n; i++)
		free(member[i].value);
	free(member);
	free(ordered);
}
