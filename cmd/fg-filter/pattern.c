/*
 * pattern: regular expressions and fixed strings over frame names, each run once
 * per distinct name. Bytes are characters, whatever the locale, so that a result
 * depends on the input alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "filter.h"
#include "profile/frame.h"

void
pattern_compile(struct pattern *p, const char *option)
{
	int flags = REG_EXTENDED | (p->ignore_case ? REG_ICASE : 0), error;
	char why[256];

	if (p->fixed)
		return;
	error = regcomp(&p->re, p->text, flags);
	if (error != 0) {
		regerror(error, &p->re, why, sizeof why);
		cli_usage("--%s: %s: %s", option, p->text, why);
	}
}

void
pattern_free(struct pattern *p)
{
	if (p->text != NULL && !p->fixed)
		regfree(&p->re);
}

/* ASCII only, as REG_ICASE is in the C locale. */
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

/* The first match at or after s[from], and so many of its groups; group has room for one at least.
 */
static bool
match(const struct pattern *p, const char *s, size_t from, size_t len, regmatch_t *group, size_t n)
{
	if (p->fixed) {
		size_t width = strlen(p->text);
		const char *at = find_fixed(s + from, len - from, p->text, width, p->ignore_case);

		if (at == NULL)
			return false;
		group[0].rm_so = (regoff_t)(at - s);
		group[0].rm_eo = group[0].rm_so + (regoff_t)width;
		return true;
	}
	group[0].rm_so = (regoff_t)from;
	group[0].rm_eo = (regoff_t)len;
	return regexec(&p->re, s, n, group, REG_STARTEND) == 0;
}

bool
pattern_matches(const struct pattern *p, const char *s, size_t len)
{
	regmatch_t group;
	struct text bare = {0};
	bool matches = match(p, s, 0, len, &group, 0);

	if (!matches && len > 0 && frame_body(s, len) != len) {
		text_add(&bare, s, len);
		bare.len = frame_drop_annotations(bare.s, len);
		if (bare.len != len)
			matches = match(p, bare.s, 0, bare.len, &group, 0);
		free(bare.s);
	}
	return matches;
}

uint8_t *
pattern_names(const struct pattern *p, const struct calltree *t)
{
	uint8_t *hit = cli_alloc(t->nname, 1);

	for (uint32_t i = 1; i < t->nname; i++)
		hit[i] = pattern_matches(p, t->name[i].s, t->name[i].len);
	return hit;
}

uint8_t *
kernel_names(const struct calltree *t)
{
	uint8_t *hit = cli_alloc(t->nname, 1);

	for (uint32_t i = 1; i < t->nname; i++)
		hit[i] = frame_annotated(t->name[i].s, t->name[i].len, 'k');
	return hit;
}

/* What takes a match's place: & and \0 are the match, \1 to \9 its groups, as in sed. */
static void
add_replacement(const struct pattern *p, const struct replacement *r, const char *s,
    const regmatch_t group[10], struct text *out)
{
	for (const char *c = r->text; *c != '\0'; c++) {
		int n = -1;

		if (p->fixed) {
			text_add(out, c, 1);
			continue;
		}
		if (*c == '&')
			n = 0;
		else if (*c == '\\' && c[1] >= '0' && c[1] <= '9')
			n = *++c - '0';
		else if (*c == '\\' && c[1] != '\0')
			c++;
		if (n < 0)
			text_add(out, c, 1);
		else if ((size_t)n <= p->re.re_nsub && group[n].rm_so >= 0)
			text_add(
			    out, s + group[n].rm_so, (size_t)(group[n].rm_eo - group[n].rm_so));
	}
}

/* False when nothing matches. */
static bool
replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out)
{
	regmatch_t group[10];
	size_t at = 0;
	bool any = false;

	out->len = 0;
	while (at <= len && match(p, s, at, len, group, 10)) {
		size_t start = (size_t)group[0].rm_so, end = (size_t)group[0].rm_eo;

		any = true;
		text_add(out, s + at, start - at);
		add_replacement(p, r, s, group, out);
		at = end;
		if (start == end && at < len)
			text_add(out, s + at, 1);
		if (start == end)
			at++;
		if (!r->all)
			break;
	}
	if (at < len)
		text_add(out, s + at, len - at);
	return any;
}

void
pattern_replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out)
{
	struct text bare = {0};
	size_t body = frame_body(s, len);

	if (replace(p, r, s, len, out) || body == len)
		return;
	text_add(&bare, s, len);
	bare.len = frame_drop_annotations(bare.s, len);
	if (bare.len != len && replace(p, r, bare.s, bare.len, out)) {
		/* The annotations, wherever they stood. */
		for (size_t at = body; at + 4 <= len; at++)
			if (s[at] == '_' && s[at + 1] == '[' && s[at + 3] == ']')
				text_add(out, s + at, 4);
	} else {
		out->len = 0;
		text_add(out, s, len);
	}
	free(bare.s);
}
