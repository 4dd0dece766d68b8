/*
 * sourcefile: sorts the reversed components of paths, so that paths with a common suffix are
 * neighbours, and pairs the only two paths of a suffix, the longest suffixes first. Versions in
 * components do not count: x@1.2 of npm and Go, rack-2.2.3 of RubyGems, python3.11.
 */
#include "names/sourcefile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/vec.h"

#define COMPONENTS_MAX 64 /* of a suffix */
#define SEPARATOR '\1' /* sorts before all bytes of a component */
#define HASH_DIGITS 8 /* minimum of hexadecimal digits that are a hash */

static bool
is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* True if s begins with a version: 1, v2.3, 3.11-rc1. */
static bool
is_version(const char *s, size_t len)
{
	size_t i = len > 0 && s[0] == 'v' ? 1 : 0;

	if (i == len || !isdigit((unsigned char)s[i]))
		return false;
	for (; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && strchr(".-+_", s[i]) == NULL)
			return false;
	return true;
}

static bool
is_hash(const char *s, size_t len)
{
	return len >= HASH_DIGITS && text_hex(s, len, NULL) == len;
}

/* Appends a component without its version; one that is only a version becomes `#`. */
static void
add_component(struct text *t, const char *s, size_t len, bool last)
{
	size_t end = len;

	if (last) {
		text_add(t, s, len);
		return;
	}
	if (is_version(s, len) || is_hash(s, len)) {
		text_char(t, '#');
		return;
	}
	for (size_t i = 1; i + 1 < len && end == len; i++)
		if ((s[i] == '@' || s[i] == '-') &&
		    (is_version(s + i + 1, len - i - 1) || is_hash(s + i + 1, len - i - 1)))
			end = i;
	if (end == len) /* python3.11 */
		while (end > 1 && (isdigit((unsigned char)s[end - 1]) || s[end - 1] == '.'))
			end--;
	text_add(t, s, end);
}

/* Replaces t by the reversed components of a path, each followed by a separator. */
static void
reverse(struct text *t, const char *s, size_t len)
{
	unsigned n = 0;

	text_cut(t, 0);
	while (len > 0 && n < COMPONENTS_MAX) {
		size_t from = len;

		while (from > 0 && !is_separator(s[from - 1]))
			from--;
		if (from < len && !text_is(s + from, len - from, ".")) {
			add_component(t, s + from, len - from, n++ == 0);
			text_char(t, SEPARATOR);
		}
		len = from > 0 ? from - 1 : 0;
	}
}

struct item {
	const char *s; /* reversed components */
	size_t len;
	uint32_t path;
	bool fresh; /* of the new side */
};

struct candidate {
	uint32_t old, fresh; /* paths */
	size_t shared; /* bytes of the common suffix */
	const char *above[2]; /* reversed components before it, of old and fresh */
	bool accepted;
};

struct matching {
	struct item *item;
	struct candidate *candidate;
	size_t n, cap;
};

static int
compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);

	if (order == 0)
		order = (x->len > y->len) - (x->len < y->len);
	return order != 0 ? order : (x->path > y->path) - (x->path < y->path);
}

static int
compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->shared != y->shared)
		return x->shared > y->shared ? -1 : 1;
	return (x->fresh > y->fresh) - (x->fresh < y->fresh);
}

/*
 * Pairs items [from, end), which share `off` bytes, and moves those that have no partner to the
 * front. Returns their number.
 */
static size_t
pair_items(struct matching *m, size_t from, size_t end, size_t off)
{
	struct item *item = m->item;
	size_t left = from, count[2] = {0, 0}, last[2] = {0, 0};

	for (size_t i = from, next; i < end; i = next) {
		const char *stop = item[i].len > off
				       ? memchr(item[i].s + off, SEPARATOR, item[i].len - off)
				       : NULL;
		size_t to = stop != NULL ? (size_t)(stop + 1 - item[i].s) : off, n;

		for (next = i + 1; next < end && to > off && item[next].len >= to &&
				   memcmp(item[next].s + off, item[i].s + off, to - off) == 0;)
			next++;
		n = next - i > 1 ? pair_items(m, i, next, to) : 1;
		memmove(item + left, item + i, n * sizeof *item);
		left += n;
	}
	for (size_t i = from; i < left; i++) {
		count[item[i].fresh]++;
		last[item[i].fresh] = i;
	}
	if (off == 0 || count[0] != 1 || count[1] != 1)
		return left - from;
	vec_fit(m->candidate, m->cap, m->n + 1);
	m->candidate[m->n++] = (struct candidate){item[last[0]].path, item[last[1]].path, off,
	    {item[last[0]].s + off, item[last[1]].s + off}, false};
	return 0;
}

/* True if the name of a candidate tells files apart, or they are in directories of one name. */
static bool
is_distinct(const struct candidate *c)
{
	static const char *const common[] = {"__init__.py", "__main__.py", "index.js", "index.mjs",
	    "index.cjs", "index.ts", "index.tsx", "index.php", "init.lua", "mod.rs", "lib.rs"};
	const char *s = c->above[0] - c->shared, *end = memchr(s, SEPARATOR, c->shared);
	size_t len = (size_t)(end - s);

	if (len + 1 < c->shared)
		return true;
	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
		if (text_is(s, len, common[i]))
			return false;
	return true;
}

/* Accepts candidates as sourcefile_match states. */
static void
accept(struct matching *m, sourcefile_compare *compare, const void *data)
{
	bool *perhaps = cli_alloc(m->n + 1, sizeof *perhaps);

	if (m->n > 0)
		sort_items(m->candidate, m->n, sizeof *m->candidate, compare_candidates);
	for (size_t i = 0; i < m->n; i++) {
		struct candidate *c = &m->candidate[i];
		enum sourcefile_evidence evidence = compare(data, c->old, c->fresh);

		c->accepted = evidence == SOURCEFILE_SAME;
		perhaps[i] = evidence == SOURCEFILE_PERHAPS && is_distinct(c);
	}
	for (size_t i = 0, tried = 0; i < m->n; i++, tried = 0)
		for (size_t k = 0; k < m->n && !m->candidate[i].accepted && tried < 100; k++) {
			const struct candidate *x = &m->candidate[i], *y = &m->candidate[k];

			if (!y->accepted)
				continue;
			tried++;
			m->candidate[i].accepted = strcmp(x->above[0], y->above[0]) == 0 &&
						   strcmp(x->above[1], y->above[1]) == 0;
		}
	for (size_t i = 0; i < m->n; i++)
		m->candidate[i].accepted |= perhaps[i];
	free(perhaps);
}

/* Sets the files of a side's new paths, given the files of the sides before. */
static void
match_side(const struct calltree *paths, const uint32_t *fresh, uint32_t nfresh,
    const uint32_t *old, uint32_t nold, uint32_t *file, sourcefile_compare *compare,
    const void *data)
{
	struct matching m = {.item = cli_alloc(nfresh + nold, sizeof *m.item)};
	struct text *reversed = cli_alloc(nfresh + nold, sizeof *reversed);

	for (uint32_t i = 0; i < nfresh + nold; i++) {
		uint32_t path = i < nfresh ? fresh[i] : old[i - nfresh];

		reverse(&reversed[i], paths->name[path].s, paths->name[path].len);
		m.item[i] = (struct item){reversed[i].s, reversed[i].len, path, i < nfresh};
		if (m.item[i].s == NULL)
			m.item[i].s = "";
	}
	sort_items(m.item, nfresh + nold, sizeof *m.item, compare_items);
	pair_items(&m, 0, nfresh + nold, 0);
	accept(&m, compare, data);
	for (size_t i = 0; i < m.n; i++)
		if (m.candidate[i].accepted)
			file[m.candidate[i].fresh] = file[m.candidate[i].old];
	for (uint32_t i = 0; i < nfresh; i++)
		if (file[fresh[i]] == 0)
			file[fresh[i]] = fresh[i];
	for (uint32_t i = 0; i < nfresh + nold; i++)
		text_free(&reversed[i]);
	free(reversed);
	free(m.item);
	free(m.candidate);
}

uint32_t *
sourcefile_match(const struct calltree *paths, const struct sourcefile_side *side, size_t sides,
    sourcefile_compare *compare, const void *data)
{
	uint32_t *file = cli_alloc(paths->nname, sizeof *file);
	uint32_t *last = cli_alloc(paths->nname, sizeof *last); /* by file: its newest path */
	uint32_t *old = cli_alloc(paths->nname, sizeof *old);
	uint32_t *fresh = cli_alloc(paths->nname, sizeof *fresh);
	uint32_t *known = cli_alloc(paths->nname, sizeof *known); /* all files so far */
	bool *here = cli_alloc(paths->nname, sizeof *here); /* by file: the side has it */
	uint32_t nknown = 0;

	for (size_t s = 0; s < sides; s++) {
		uint32_t nfresh = 0, nold = 0;

		for (uint32_t i = 0; i < side[s].n; i++) {
			uint32_t path = side[s].path[i];

			if (file[path] != 0)
				last[file[path]] = path;
			else
				fresh[nfresh++] = path;
			here[file[path]] = true;
		}
		for (uint32_t i = 0; i < nknown && nfresh > 0; i++)
			if (!here[known[i]])
				old[nold++] = last[known[i]];
		for (uint32_t i = 0; i < side[s].n; i++)
			here[file[side[s].path[i]]] = false;
		if (nfresh > 0)
			match_side(paths, fresh, nfresh, old, nold, file, compare, data);
		for (uint32_t i = 0; i < nfresh; i++) {
			if (file[fresh[i]] == fresh[i])
				known[nknown++] = fresh[i];
			last[file[fresh[i]]] = fresh[i];
		}
	}
	free(last);
	free(old);
	free(fresh);
	free(known);
	free(here);
	return file;
}

bool
sourcefile_is_version(const struct calltree_name *a, const struct calltree_name *b)
{
	struct text x = {0}, y = {0};
	bool same;

	reverse(&x, a->s, a->len);
	reverse(&y, b->s, b->len);
	same = str_equal(text_as_str(&x), text_as_str(&y));
	text_free(&x);
	text_free(&y);
	return same;
}

/* A path from its end: paths that share their last bytes are neighbours in sorted order. */
struct reversed {
	const struct calltree_name *name;
	uint32_t path, file;
	uint32_t common; /* bytes at the end that the previous path has, too */
	uint32_t other; /* the most bytes at the end that a path of another file has */
};

static uint32_t
common_end(const struct calltree_name *a, const struct calltree_name *b)
{
	uint32_t n = 0;

	while (n < a->len && n < b->len && a->s[a->len - 1 - n] == b->s[b->len - 1 - n])
		n++;
	return n;
}

static int
compare_reversed(const void *a, const void *b)
{
	const struct calltree_name *x = ((const struct reversed *)a)->name;
	const struct calltree_name *y = ((const struct reversed *)b)->name;
	uint32_t n = common_end(x, y);

	if (n == x->len || n == y->len)
		return (x->len > y->len) - (x->len < y->len);
	return (unsigned char)x->s[x->len - 1 - n] < (unsigned char)y->s[y->len - 1 - n] ? -1 : 1;
}

/* Sets `common` and `other`: the nearest path of another file, before or after, has the most. */
static void
find_others(struct reversed *item, uint32_t n)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < n; i++) {
		item[i].common = common_end(item[i - 1].name, item[i].name);
		if (item[i - 1].file != item[i].file || item[i].common < most)
			most = item[i].common;
		item[i].other = most;
	}
	most = 0;
	for (uint32_t i = n - 1; i-- > 0;) {
		uint32_t common = item[i + 1].common;

		if (item[i + 1].file != item[i].file || common < most)
			most = common;
		item[i].other = most > item[i].other ? most : item[i].other;
	}
}

void
sourcefile_shared(const struct calltree *paths, const uint32_t *path, const uint32_t *file,
    uint32_t n, uint32_t *shared)
{
	struct reversed *item = cli_alloc(n, sizeof *item);

	for (uint32_t i = 0; i < n; i++)
		item[i] = (struct reversed){
		    .name = &paths->name[path[i]], .path = path[i], .file = file[i]};
	sort_items(item, n, sizeof *item, compare_reversed);
	find_others(item, n);
	for (uint32_t i = 0; i < n; i++)
		shared[item[i].path] = item[i].other;
	free(item);
}

bool
sourcefile_is_common(const struct calltree_name *name)
{
	static const char *const common[] = {"<module>", "<main>", "main", "__init__", "__call__",
	    "constructor", "initialize", "require", "BEGIN", "{main}", "(root)", "run"};
	const char *s = name->s;
	size_t len = name->len;

	for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
		if (text_is(s, len, common[i]))
			return true;
	return len == 0 || s[0] == '(' || s[0] == '<' || s[len - 1] == '}' ||
	       (s[len - 1] == '>' && memmem(s, len, ".<", 2) != NULL);
}
