/*
 * dropped: matches the names of all functions against two regular expressions, one for
 * functions to drop and one for exceptions.
 */
#include "fg-collapse/pprof/dropped.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/pattern.h"

/*
 * Compiles an expression of the profile, which is untrusted input. False for those for
 * which regcomp(3) may need much time or memory.
 */
static bool
compile(const struct reader *r, struct str s, struct pattern *pattern, struct text *text)
{
	unsigned depth = 0, deepest = 0;
	bool plain = s.len > 0 && s.len <= 4096;

	for (size_t i = 0; plain && i < s.len; i++) {
		unsigned char c = (unsigned char)s.s[i],
			      next = i + 1 < s.len ? (unsigned char)s.s[i + 1] : 0;

		if (c == '(' && ++depth > deepest)
			deepest = depth;
		if (c == ')' && depth > 0)
			depth--;
		if (c < ' ' || c == '{' || (c == '(' && next == '?') ||
		    (c == '\\' &&
			(next < ' ' || (next | 0x20) >= 'a' || (next >= '0' && next <= '9'))))
			plain = false;
		if (c == '\\')
			i++;
	}
	if (s.len == 0)
		return false;
	text_puts(text, "^(");
	text_str(text, s);
	text_puts(text, ")$");
	pattern->text = text->s;
	if (plain && deepest < 16 && regcomp(&pattern->re, text->s, REG_EXTENDED) == 0)
		return true;
	cli_note("%s: the profile's drop_frames pattern cannot be used, so these frames are "
		 "kept: %.*s",
	    lines_name(r->lines), (int)(s.len < 80 ? s.len : 80), s.s);
	return false;
}

/* Matches a name as pprof does: without arguments, C++ names also without template arguments. */
static bool
matches(const struct pattern *pattern, struct str name)
{
	regmatch_t group[1];

	return pattern_find(
	    pattern, name.s, 0, frame_without_arguments(name.s, name.len), group, 1);
}

enum dropped *
dropped_find(const struct reader *r, struct tables *t, struct str drops, struct str keeps)
{
	struct pattern drop = {0}, keep = {0};
	struct text drop_text = {0}, keep_text = {0};
	uint8_t *known = cli_alloc(t->nfunction + 1, 1); /* by function: 1 keep, 2 drop, 0 ? */
	enum dropped *dropped;
	bool any_kept;

	if (!compile(r, drops, &drop, &drop_text)) {
		free(known);
		text_free(&drop_text);
		return NULL;
	}
	any_kept = compile(r, keeps, &keep, &keep_text);
	dropped = cli_alloc(t->nlocation + 1, sizeof *dropped);
	for (size_t i = 0; i < t->nlocation; i++) {
		struct tables_location *l = &t->location[i];

		for (uint32_t k = l->lines; k-- > 0;) {
			uint32_t fn = t->line[l->line + k].function;
			struct str name;

			if (fn >= t->nfunction)
				continue;
			name = tables_text(t, t->function[fn].name);
			if (name.len > 0 && known[fn] == 0) {
				bool goes =
				    matches(&drop, name) && !(any_kept && matches(&keep, name));

				known[fn] = goes ? 2 : 1;
			}
			if (known[fn] != 2)
				continue;
			dropped[i] = k + 1 == l->lines ? DROPPED_ALL : DROPPED_BENEATH;
			if (k + 1 < l->lines) {
				l->line += k + 1;
				l->lines -= k + 1;
			}
			break;
		}
	}
	pattern_free(&drop);
	if (any_kept)
		pattern_free(&keep);
	text_free(&drop_text);
	text_free(&keep_text);
	free(known);
	return dropped;
}
