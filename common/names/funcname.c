#include "names/funcname.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "names/canonical.h"
#include "names/frame.h"

/* True for a name with addresses of Java's hidden classes. */
static bool
is_hidden(const char *s, size_t len)
{
	/* nearly no name has a dollar sign; s may be NULL */
	return len > 0 && memchr(s, '$', len) != NULL && memmem(s, len, "$$Lambda", 8) != NULL;
}

/*
 * Replaces t by a name in canonical form and without addresses of Java's hidden classes; false, and
 * t is empty, if that is the name itself.
 */
static bool
canonical_form(struct text *t, const char *s, size_t len)
{
	bool hidden = is_hidden(s, len);

	text_cut(t, 0);
	if (!canonical_generated(t, (struct str){s, len}, false) &&
	    !canonical_xdebug(t, (struct str){s, len})) {
		if (!hidden && !canonical_changes(s, len))
			return false;
		canonical_add(t, (struct str){s, len});
	}
	if (hidden)
		text_cut(t, canonical_hidden(t->s, t->len, false));
	return true;
}

uint32_t
funcname_intern(struct calltree *names, const char *s, size_t len)
{
	struct text t = {0};
	uint32_t number;

	len = frame_without_clones(s, frame_body(s, len));
	number = canonical_form(&t, s, len) ? calltree_intern(names, t.s, t.len)
					    : calltree_intern(names, s, len);
	text_free(&t);
	return number;
}

size_t
funcname_without_number(const char *s, size_t len)
{
	size_t n = len;

	while (n > 0 && isdigit((unsigned char)s[n - 1]))
		n--;
	if (n <= 1 || n == len)
		return len;
	/* Java's A.lambda$run$0 */
	return s[n - 1] == '.' || (s[n - 1] == '$' && memmem(s, n, "lambda$", 7) != NULL) ? n - 1
											  : len;
}

uint32_t
funcname_intern_module(struct calltree *names, const char *s, size_t len)
{
	static const struct {
		char annotation;
		const char *name;
	} known[] = {{'k', "[kernel]"}, {'j', "[jit]"}, {'l', "[library]"}};
	size_t n;
	const char *module = frame_module(s, len, &n);

	if (module != NULL)
		return calltree_intern(names, module, n);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (frame_annotated(s, len, known[i].annotation))
			return calltree_intern(names, known[i].name, strlen(known[i].name));
	return calltree_intern(names, "[no module]", 11);
}

struct funcrows
funcrows_number(struct calltree *names, const struct calltree *const side[2], bool functions)
{
	uint32_t plain = names->nname, *of; /* by name: without its number */
	struct funcrows rows = {0};
	unsigned *count[2];

	of = cli_alloc(plain, sizeof *of);
	for (uint32_t i = 1; i < plain; i++) {
		const struct calltree_name *name = &names->name[i];

		of[i] = i;
		if (functions)
			of[i] = calltree_intern(
			    names, name->s, funcname_without_number(name->s, name->len));
	}
	for (int k = 0; k < 2; k++) {
		count[k] = cli_alloc(names->nname, sizeof *count[k]);
		for (uint32_t i = 1; i < side[k]->nname; i++)
			count[k][of[calltree_intern(
			    names, side[k]->name[i].s, side[k]->name[i].len)]]++;
	}
	rows.known = names->nname;
	rows.row = cli_alloc(rows.known, sizeof *rows.row);
	rows.name = cli_alloc(plain, sizeof *rows.name);
	memset(rows.row, 0xff, rows.known * sizeof *rows.row);
	for (uint32_t i = 1; i < plain; i++) {
		uint32_t to = count[0][of[i]] <= 1 && count[1][of[i]] <= 1 ? of[i] : i;

		if (rows.row[to] == FUNCROWS_NONE) {
			rows.row[to] = rows.n;
			rows.name[rows.n++] = to;
		}
		rows.row[i] = rows.row[to];
	}
	free(of);
	free(count[0]);
	free(count[1]);
	return rows;
}

void
funcrows_free(struct funcrows *rows)
{
	free(rows->row);
	free(rows->name);
}
