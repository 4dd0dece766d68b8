/*
 * language: a table of file name extensions.
 */
#include "names/language.h"

#include <string.h>

#include "base/cli.h"

static const struct {
	const char *name;
	enum language language;
} names[] = {
    {"python", LANGUAGE_PYTHON},
    {"ruby", LANGUAGE_RUBY},
    {"php", LANGUAGE_PHP},
    {"perl", LANGUAGE_PERL},
    {"lua", LANGUAGE_LUA},
    {"java", LANGUAGE_JAVA},
    {"node", LANGUAGE_NODE},
    {"erlang", LANGUAGE_ERLANG},
};

static const struct {
	const char *end;
	enum language language;
} ends[] = {
    {".py", LANGUAGE_PYTHON},
    {".pyx", LANGUAGE_PYTHON},
    {".rb", LANGUAGE_RUBY},
    {".rake", LANGUAGE_RUBY},
    {".ru", LANGUAGE_RUBY},
    {".php", LANGUAGE_PHP},
    {".phtml", LANGUAGE_PHP},
    {"eval()'d code", LANGUAGE_PHP},
    {".pl", LANGUAGE_PERL},
    {".pm", LANGUAGE_PERL},
    {".lua", LANGUAGE_LUA},
    {".java", LANGUAGE_JAVA},
    {".kt", LANGUAGE_JAVA},
    {".scala", LANGUAGE_JAVA},
    {".js", LANGUAGE_NODE},
    {".mjs", LANGUAGE_NODE},
    {".cjs", LANGUAGE_NODE},
    {".ts", LANGUAGE_NODE},
    {".erl", LANGUAGE_ERLANG},
    {".ex", LANGUAGE_ERLANG},
};

unsigned
languages_of_names(const char *list)
{
	unsigned languages = 0;

	for (;; list++) {
		size_t len = strcspn(list, ","), i = 0;

		while (i < sizeof names / sizeof *names &&
		       (strlen(names[i].name) != len || memcmp(names[i].name, list, len) != 0))
			i++;
		if (i == sizeof names / sizeof *names)
			return 0;
		languages |= LANGUAGE_BIT(names[i].language);
		list += len;
		if (*list == '\0')
			return languages;
	}
}

void
languages_add_names(unsigned languages, struct text *list)
{
	const char *comma = "";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((languages & LANGUAGE_BIT(names[i].language)) != 0) {
			text_printf(list, "%s%s", comma, names[i].name);
			comma = ",";
		}
}

static bool
begins(struct str s, const char *with)
{
	return text_starts(s.s, s.len, with);
}

bool
language_is_erlang(struct str s)
{
	size_t n = s.len;

	while (n > 0 && s.s[n - 1] >= '0' && s.s[n - 1] <= '9')
		n--;
	return n > 3 && n < s.len && s.s[n - 1] == '/' && memchr(s.s, ':', n - 2) != NULL;
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

static enum language
language_of_frame(const char *s, size_t len)
{
	struct frame f;

	frame_read(&f, (struct str){s, len});
	read_file(&f);
	for (size_t i = 0; i < sizeof ends / sizeof *ends && f.file.len > 0; i++)
		if (text_ends(f.file.s, f.file.len, ends[i].end))
			return ends[i].language;
	if (begins(f.function, "py::") || begins(f.file, "<frozen ") ||
	    (f.kind == FRAME_SCRIPT && (begins(f.file, "<string>") || begins(f.file, "<stdin>"))))
		return LANGUAGE_PYTHON;
	if (begins(f.file, "node:"))
		return LANGUAGE_NODE;
	if (f.kind == FRAME_JIT && f.file.len == 0) {
		if (begins(f.function, "global::") || begins(f.function, "$global::") ||
		    language_is_erlang(f.function))
			return LANGUAGE_ERLANG;
		/* pkg.Class.method, pkg/Class.method, Lpkg/Class;::method */
		if (f.function.len == 0)
			return LANGUAGE_UNKNOWN;
		if (memchr(f.function.s, '.', f.function.len) != NULL ||
		    text_has(f.function.s, f.function.len, ";::") ||
		    text_has(f.function.s, f.function.len, ":::"))
			return LANGUAGE_JAVA;
	}
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
