/*
 * pattern: regcomp(3) and regexec(3) on strings with a length: with REG_STARTEND in glibc and
 * the BSDs, else on a NUL-terminated copy.
 */
#include "base/pattern.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cli.h"
#include "base/vec.h"

#define LONG 1024 /* bytes; a longer string is scanned first */

/* The last byte of the bracket expression at c, or of the string if the expression has no end. */
static const char *
bracket_end(const char *c)
{
	c += c[1] == '^' ? 2 : 1;
	c += *c == ']';
	for (; *c != '\0' && *c != ']'; c++) {
		const char end[] = {c[1], ']', '\0'};
		const char *close;

		if (*c == '[' && c[1] != '\0' && strchr(":.=", c[1]) != NULL &&
		    (close = strstr(c + 2, end)) != NULL)
			c = close + 1;
	}
	return *c == '\0' ? c - 1 : c;
}

/* True if all parentheses of text are in pairs, so that it means the same within a further one. */
static bool
is_closed(const char *text)
{
	size_t open = 0;

	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '\\') {
			if (*++c == '\0')
				return false;
		} else if (*c == '[') {
			c = bracket_end(c);
		} else if (*c == '(') {
			open++;
		} else if (*c == ')' && open-- == 0) {
			return false;
		}
	}
	return open == 0;
}

/* Letters after a backslash that other kinds of expressions know, and how to write them here. */
static const struct {
	char letter;
	const char *write;
} letters[] = {
    {'d', "[0-9]"},
    {'D', "[^0-9]"},
    {'h', "[[:blank:]]"},
    {'A', "^"},
    {'z', "$"},
    {'Z', "$"},
    {'Q', "no \\Q: -F reads patterns as fixed strings"},
    {'t', "[[:space:]]"},
    {'n', "[[:space:]]"},
    {'r', "[[:space:]]"},
};

static void
escape_mistake(char c, bool in_brackets, struct text *why)
{
	if (in_brackets) {
		text_printf(why, "within brackets \\ is a character of its own; write %s",
		    c == 'w'   ? "[:alnum:]_"
		    : c == 's' ? "[:space:]"
		    : c == 'd' ? "0-9"
			       : "the characters themselves");
		return;
	}
	text_printf(why, "\\%c is not in extended regular expressions", c);
	for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
		if (letters[i].letter == c) {
			text_printf(why, "; write %s", letters[i].write);
			return;
		}
	text_printf(why, "; for the character write %c", c);
}

static bool
is_repetition(char c)
{
	return c == '*' || c == '+' || c == '?';
}

/* What follows a repetition: `.*?`, `a++` and the like. */
static void
repetition_mistake(const char *c, struct text *why)
{
	if (*c == '?')
		text_printf(why,
		    "%c? is not in extended regular expressions, whose matches are the longest; "
		    "write what does not match, as in [^<]*<",
		    c[-1]);
	else
		text_printf(why, "%c after %c has no meaning; for the characters write \\%c\\%c",
		    *c, c[-1], c[-1], *c);
}

/* Mistake in the bracket expression from c to its last byte, as in [\w.]. */
static bool
bracket_mistake(const char *c, const char *last, struct text *why)
{
	for (; c < last; c++) {
		if (*c != '\\')
			continue;
		if (*++c != '\0' && strchr("dDwWsSbBnt", *c) != NULL) {
			escape_mistake(*c, true, why);
			return true;
		}
	}
	return false;
}

bool
pattern_mistake(const char *text, struct text *why)
{
	for (const char *c = text; *c != '\0'; c++) {
		text_cut(why, 0);
		text_printf(why, "character %zu: ", (size_t)(c - text) + 1);
		if (*c == '[') {
			const char *last = bracket_end(c);

			if (bracket_mistake(c, last, why))
				return true;
			c = last;
		} else if (*c == '\\') {
			if (*++c == '\0')
				break;
			if (*c >= '0' && *c <= '9') {
				text_puts(why, "a pattern cannot refer to its groups (\\1 to \\9)");
				return true;
			}
			if (isalpha((unsigned char)*c) && strchr("wWsSbB", *c) == NULL) {
				escape_mistake(*c, false, why);
				return true;
			}
		} else if (c[0] == '(' && c[1] == '?') {
			text_puts(why,
			    c[2] == ':'
				? "(?: is not in extended regular expressions; write ("
				: "(? is not in extended regular expressions; write a group as "
				  "(...), and both cases as [Aa]");
			return true;
		} else if ((is_repetition(*c) || *c == '}') && is_repetition(c[1])) {
			if (*c == '}' && memrchr(text, '{', (size_t)(c - text)) == NULL)
				continue;
			repetition_mistake(c + 1, why);
			return true;
		}
	}
	text_cut(why, 0);
	return false;
}

int
pattern_try(struct pattern *p)
{
	int flags = REG_EXTENDED | (p->ignore_case ? REG_ICASE : 0), error = 0;
	struct text why = {0};

	p->can_scan = false;
	p->plain = NULL;
	if (p->fixed)
		return 0;
	if (strpbrk(p->text, "\\^$.[]()|*+?{}") == NULL) {
		p->plain = cli_strdup(p->text);
		p->re.re_nsub = 0;
		return 0;
	}
	/*
	 * References to groups are an extension of glibc, and matching them can take exponential
	 * time. What else is refused would have another meaning than in other programs.
	 */
	if (pattern_mistake(p->text, &why))
		error = REG_BADPAT;
	text_free(&why);
	if (error == 0)
		error = regcomp(&p->re, p->text, flags);
	if (error != 0)
		return error;
	/*
	 * regexec tries each start of a match in turn, in quadratic time if there is none. With
	 * any text before it, a match starts with the string: one pass.
	 */
	if (is_closed(p->text)) {
		char *all;

		if (asprintf(&all, "^.*(%s)", p->text) < 0)
			cli_die("out of memory");
		p->can_scan = regcomp(&p->anywhere, all, flags | REG_NOSUB) == 0;
		free(all);
	}
	return 0;
}

void
pattern_compile(struct pattern *p, const char *option)
{
	int error = pattern_try(p);
	struct text mistake = {0};
	char why[256];

	if (error == 0)
		return;
	if (pattern_mistake(p->text, &mistake))
		cli_usage("--%s: %s: %s", option, p->text, mistake.s);
	regerror(error, &p->re, why, sizeof why);
	cli_usage("--%s: %s: %s", option, p->text, why);
}

void
pattern_free(struct pattern *p)
{
	if (p->text != NULL && !p->fixed && p->plain == NULL)
		regfree(&p->re);
	if (p->can_scan)
		regfree(&p->anywhere);
	free(p->plain);
	p->plain = NULL;
	p->can_scan = false;
}

const char *
pattern_word(const struct pattern *p)
{
	return p->ignore_case ? NULL : p->fixed ? p->text : p->plain;
}

/* Ignores case of ASCII only, like REG_ICASE in the C locale. */
static const char *
find_fixed(const char *s, size_t len, const char *what, size_t n, bool ignore_case)
{
	if (!ignore_case)
		return memmem(s, len, what, n);
	for (size_t i = 0; i + n <= len; i++)
		if (strncasecmp(s + i, what, n) == 0)
			return s + i;
	return NULL;
}

/* regexec; glibc's returns REG_NOMATCH without memory too, which only errno tells. */
static bool
is_match(const regex_t *re, const char *s, size_t n, regmatch_t *group, int flags)
{
	int result;

	errno = 0;
	result = regexec(re, s, n, group, flags);
	if (result == 0)
		return true;
	if (result != REG_NOMATCH || errno == ENOMEM)
		cli_die("out of memory");
	return false;
}

#ifdef REG_STARTEND
static bool
find_regex(const regex_t *re, const char *s, size_t from, size_t len, regmatch_t *group, size_t n)
{
	group[0].rm_so = (regoff_t)from;
	group[0].rm_eo = (regoff_t)len;
	return is_match(re, s, n, group, REG_STARTEND);
}
#else
/* Bytes before s[from] are hidden from the pattern; a NUL is a byte that no pattern can name. */
static bool
find_regex(const regex_t *re, const char *s, size_t from, size_t len, regmatch_t *group, size_t n)
{
	char *copy = cli_alloc(len - from + 1, 1);
	bool found;

	memcpy(copy, s + from, len - from);
	for (char *c = copy; (c = memchr(c, '\0', len - from - (size_t)(c - copy))) != NULL;)
		*c = '\1';
	found = is_match(re, copy, n, group, from > 0 ? REG_NOTBOL : 0);
	for (size_t i = 0; found && i < n; i++)
		if (group[i].rm_so >= 0) {
			group[i].rm_so += (regoff_t)from;
			group[i].rm_eo += (regoff_t)from;
		}
	free(copy);
	return found;
}
#endif

bool
pattern_find(
    const struct pattern *p, const char *s, size_t from, size_t len, regmatch_t *group, size_t n)
{
	regmatch_t whole;

	if (p->fixed || p->plain != NULL) {
		const char *what = p->fixed ? p->text : p->plain;
		size_t width = strlen(what);
		const char *at = find_fixed(s + from, len - from, what, width, p->ignore_case);

		if (at == NULL)
			return false;
		whole.rm_so = (regoff_t)(at - s);
		whole.rm_eo = whole.rm_so + (regoff_t)width;
		for (size_t i = 0; i < n; i++)
			group[i] = i == 0 ? whole : (regmatch_t){-1, -1};
		return true;
	}
	if (p->can_scan && from == 0 && len > LONG) {
		if (!find_regex(&p->anywhere, s, 0, len, &whole, 0))
			return false;
		if (n == 0)
			return true;
	}
	return find_regex(&p->re, s, from, len, n > 0 ? group : &whole, n);
}
