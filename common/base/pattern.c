/*
 * pattern: regcomp(3) and regexec(3) on strings with a length: with REG_STARTEND in glibc and
 * the BSDs, else on a NUL-terminated copy.
 */
#include "base/pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cli.h"

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

/* True if text contains a reference to a group, such as (.)\1. */
static bool
has_reference(const char *text)
{
	for (const char *c = text; *c != '\0'; c++)
		if (*c == '[') {
			c = bracket_end(c);
		} else if (*c == '\\') {
			if (*++c == '\0')
				break;
			if (*c >= '1' && *c <= '9')
				return true;
		}
	return false;
}

int
pattern_try(struct pattern *p)
{
	int flags = REG_EXTENDED | (p->ignore_case ? REG_ICASE : 0), error;

	p->can_scan = false;
	if (p->fixed)
		return 0;
	/* References to groups are an extension of glibc; matching them can take exponential time.
	 */
	if (has_reference(p->text))
		return REG_ESUBREG;
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
	char why[256];

	if (error == 0)
		return;
	if (has_reference(p->text))
		cli_usage(
		    "--%s: %s: a pattern cannot refer to its groups (\\1 to \\9)", option, p->text);
	regerror(error, &p->re, why, sizeof why);
	cli_usage("--%s: %s: %s", option, p->text, why);
}

void
pattern_free(struct pattern *p)
{
	if (p->text != NULL && !p->fixed)
		regfree(&p->re);
	if (p->can_scan)
		regfree(&p->anywhere);
	p->can_scan = false;
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

	if (p->fixed) {
		size_t width = strlen(p->text);
		const char *at = find_fixed(s + from, len - from, p->text, width, p->ignore_case);

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
