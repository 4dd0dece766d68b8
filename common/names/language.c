/*
 * language: names/languages.def as a table; a function by language for names without a file.
 */
#include "names/language.h"

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "base/cli.h"
#include "names/canonical.h"

static bool
begins(struct str s, const char *with)
{
	return text_starts(s.s, s.len, with);
}

/* Readers of runtimes write `name (file)` without a line where the first line is unknown. */
static void
read_file(struct frame *f)
{
	size_t n = f->function.len;

	if (f->file.len > 0 || (f->kind != FRAME_JIT && f->kind != FRAME_SCRIPT) || n == 0 ||
	    f->function.s[n - 1] != ')')
		return;
	while (n > 1 && f->function.s[n - 1] != '(')
		n--;
	if (n < 3 || f->function.s[n - 2] != ' ')
		return;
	f->file = (struct str){f->function.s + n, f->function.len - n - 1};
	f->function.len = n - 2;
}

static bool
is_python(const struct frame *f)
{
	return begins(f->function, "py::") || begins(f->file, "<frozen ") ||
	       (f->kind == FRAME_SCRIPT &&
		   (begins(f->file, "<string>") || begins(f->file, "<stdin>")));
}

static bool
is_php(const struct frame *f)
{
	return text_ends(f->file.s, f->file.len, "eval()'d code");
}

static bool
is_node(const struct frame *f)
{
	return begins(f->file, "node:");
}

static bool
is_erlang(const struct frame *f)
{
	return f->kind == FRAME_JIT && f->file.len == 0 &&
	       (begins(f->function, "global::") || begins(f->function, "$global::") ||
		   canonical_is_erlang(f->function));
}

/* pkg.Class.method, pkg/Class.method, Lpkg/Class;::method */
static bool
is_java(const struct frame *f)
{
	const struct str s = f->function;

	return f->kind == FRAME_JIT && f->file.len == 0 && s.len > 0 && !is_erlang(f) &&
	       (memchr(s.s, '.', s.len) != NULL || text_has(s.s, s.len, ";::") ||
		   text_has(s.s, s.len, ":::"));
}

/*
 * A symbol of GHC, Main_zdwloop_info or base_GHCziList_filter_info: a module that begins with a
 * capital and a small letter, perhaps after its package. Those of its runtime begin with stg_.
 * Other characters than letters, digits and _ are encoded.
 */
static bool
is_haskell(const struct frame *f)
{
	const char *s = f->function.s;
	size_t len = f->function.len;

	if (f->kind == FRAME_JIT || f->kind == FRAME_SCRIPT || !text_ends(s, len, "_info"))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	for (int i = 0; i < 2; i++) {
		const char *end = memchr(s, '_', len);
		bool small = false;

		if (end + 5 >= s + len)
			return false;
		for (const char *c = s + 1; c < end; c++)
			small |= islower((unsigned char)*c) != 0;
		if (isupper((unsigned char)*s) && small)
			return true;
		len -= (size_t)(end + 1 - s);
		s = end + 1;
	}
	return false;
}

static const struct language_row {
	const char *name;
	const char *processes, *place, *other; /* words */
	bool (*is)(const struct frame *f); /* by function, file and kind */
} rows[] = {
#define LANGUAGE(id, name, annotation, processes, place, other, is) \
	[LANGUAGE_##id] = {#name, processes, place, other, is},
#include "names/languages.def"
};

/* Calls of f for each word of a list that is separated by `between`, until one returns true. */
static bool
any_word(const char *list, char between, bool (*f)(struct str word, struct str s), struct str s)
{
	for (;; list++) {
		size_t len = 0;

		while (list[len] != '\0' && list[len] != between)
			len++;
		if (len > 0 && f((struct str){list, len}, s))
			return true;
		list += len;
		if (*list == '\0')
			return false;
	}
}

static bool
is_end(struct str word, struct str s)
{
	return s.len >= word.len && s.s[s.len - 1] == word.s[word.len - 1] &&
	       memcmp(s.s + s.len - word.len, word.s, word.len) == 0;
}

/* A process of an interpreter: python3.11, php-fpm8.2. */
static bool
is_process(struct str word, struct str s)
{
	size_t len = word.len;

	if (s.len < len || memcmp(s.s, word.s, len) != 0)
		return false;
	while (len < s.len && strchr("0123456789.", s.s[len]) != NULL)
		len++;
	return len == s.len || s.s[len] == '-';
}

static bool process_starts[UCHAR_MAX + 1]; /* first characters of all processes */

static void
find_process_starts(void)
{
	for (enum language l = LANGUAGE_UNKNOWN + 1; l < LANGUAGES; l++)
		for (const char *s = rows[l].processes; *s != '\0'; s++)
			if (s == rows[l].processes || s[-1] == ' ')
				process_starts[(unsigned char)*s] = true;
}

bool
language_has_process(struct str process)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_process_starts);
	if (process.len == 0 || !process_starts[(unsigned char)process.s[0]])
		return false;
	for (enum language l = LANGUAGE_UNKNOWN + 1; l < LANGUAGES; l++)
		if (any_word(rows[l].processes, ' ', is_process, process))
			return true;
	return false;
}

bool
language_needs_place(struct str file)
{
	for (enum language l = LANGUAGE_UNKNOWN + 1; l < LANGUAGES; l++)
		if (any_word(rows[l].place, ' ', is_end, file))
			return true;
	return false;
}

enum language
language_of_file(struct str file)
{
	for (enum language l = LANGUAGE_UNKNOWN + 1; l < LANGUAGES && file.len > 0; l++)
		if (any_word(rows[l].place, ' ', is_end, file) ||
		    any_word(rows[l].other, ' ', is_end, file))
			return l;
	return LANGUAGE_UNKNOWN;
}

unsigned
languages_of_names(const char *list)
{
	unsigned languages = 0;

	for (;; list++) {
		size_t len = strcspn(list, ",");
		enum language l = LANGUAGE_UNKNOWN + 1;

		while (l < LANGUAGES && !text_is(list, len, rows[l].name))
			l++;
		if (l == LANGUAGES)
			return 0;
		languages |= LANGUAGE_BIT(l);
		list += len;
		if (*list == '\0')
			return languages;
	}
}

void
languages_add_names(unsigned languages, const char *between, struct text *list)
{
	const char *comma = "";

	for (enum language l = LANGUAGE_UNKNOWN + 1; l < LANGUAGES; l++)
		if ((languages & LANGUAGE_BIT(l)) != 0) {
			text_printf(list, "%s%s", comma, rows[l].name);
			comma = between;
		}
}

static enum language
language_of_frame(const char *s, size_t len)
{
	struct frame f;
	enum language l;

	frame_read(&f, (struct str){s, len});
	read_file(&f);
	if ((l = language_of_file(f.file)) != LANGUAGE_UNKNOWN)
		return l;
	for (l++; l < LANGUAGES; l++)
		if (rows[l].is != NULL && rows[l].is(&f))
			return l;
	return LANGUAGE_UNKNOWN;
}

/*
 * Functions of an interpreter itself, and of scripts whose file name has no suffix, count as the
 * language of the other scripts, if these are all in one.
 */
uint8_t *
language_match(unsigned languages, const struct calltree *t, unsigned *found)
{
	uint8_t *hit = cli_alloc(t->nname, sizeof *hit);
	unsigned all = 0, scripts = 0;

	for (uint32_t i = 1; i < t->nname; i++) {
		unsigned is =
		    LANGUAGE_BIT(language_of_frame(t->name[i].s, t->name[i].len)) & LANGUAGES_ALL;

		hit[i] = (is & languages) != 0;
		all |= is;
		if (frame_annotated(t->name[i].s, t->name[i].len, 'p'))
			scripts |= is;
	}
	if ((scripts & languages) != 0 && (scripts & (scripts - 1)) == 0)
		for (uint32_t i = 1; i < t->nname; i++)
			hit[i] |= frame_annotated(t->name[i].s, t->name[i].len, 'p');
	if (found != NULL)
		*found = all;
	return hit;
}
