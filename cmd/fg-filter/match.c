/*
 * match: matches patterns against frames. A frame matches if its text does, with its annotations
 * or without; each pattern runs once per distinct name.
 */
#include <string.h>

#include "base/cli.h"
#include "fg-filter/match.h"
#include "names/frame.h"

bool
match_name(const struct pattern *p, const char *s, size_t len)
{
	struct text bare = {0};
	bool matches = pattern_find(p, s, 0, len, NULL, 0);

	if (!matches && len > 0 && frame_body(s, len) != len) {
		text_add(&bare, s, len);
		text_cut(&bare, frame_drop_annotations(bare.s, len));
		if (bare.len != len)
			matches = pattern_find(p, bare.s, 0, bare.len, NULL, 0);
		text_free(&bare);
	}
	return matches;
}

uint8_t *
match_names(const struct pattern *p, const struct calltree *t)
{
	uint8_t *hit = cli_alloc(t->nname, 1);

	for (uint32_t i = 1; i < t->nname; i++)
		hit[i] = match_name(p, t->name[i].s, t->name[i].len);
	return hit;
}

uint8_t *
match_kernel(const struct calltree *t)
{
	uint8_t *hit = cli_alloc(t->nname, 1);

	for (uint32_t i = 1; i < t->nname; i++)
		hit[i] = frame_annotated(t->name[i].s, t->name[i].len, 'k');
	return hit;
}

/* Appends the replacement of a match: & and \0 are the match, \1 to \9 its groups, as in sed. */
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
		else if (group[n].rm_so >= 0)
			text_add(
			    out, s + group[n].rm_so, (size_t)(group[n].rm_eo - group[n].rm_so));
	}
}

static void
report_long(const struct pattern *p, size_t len)
{
	static bool reported;

	if (!reported)
		cli_note("--rename: %s: names above %d bytes, such as one of %zu, stay as they are",
		    p->text, PATTERN_LOCATED, len);
	reported = true;
}

/* Stores s with matches replaced in *out; false if nothing matches. */
static bool
replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out)
{
	regmatch_t group[10];
	size_t at = 0;
	bool any = false;

	text_cut(out, 0);
	if (!p->fixed && len > PATTERN_LOCATED) {
		report_long(p, len);
		text_add(out, s, len);
		return false;
	}
	while (at <= len && pattern_find(p, s, at, len, group, 10)) {
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

/* True if the frame has only annotations, and perhaps a source, but no name. */
static bool
is_nothing(const char *s, size_t len)
{
	return frame_body(s, len) == 4 && s[0] == '_' && s[1] == '[' && s[3] == ']' &&
	       frame_is_letter(s[2]);
}

/*
 * If only the name without annotations matches, these are appended again, wherever they were. A
 * name of which only annotations are left becomes empty.
 */
void
match_replace(const struct pattern *p, const struct replacement *r, const char *s, size_t len,
    struct text *out)
{
	struct text bare = {0};
	size_t body = frame_body(s, len);

	if (!replace(p, r, s, len, out) && body != len) {
		text_add(&bare, s, len);
		text_cut(&bare, frame_drop_annotations(bare.s, len));
		if (bare.len != len && replace(p, r, bare.s, bare.len, out)) {
			for (size_t at = body; at + 4 <= len; at++)
				if (s[at] == '_' && s[at + 1] == '[' && s[at + 3] == ']')
					text_add(out, s + at, 4);
		} else {
			text_cut(out, 0);
			text_add(out, s, len);
		}
		text_free(&bare);
	}
	if (is_nothing(out->s, out->len) && !is_nothing(s, len))
		text_cut(out, 0);
}
