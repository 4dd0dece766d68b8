/*
 * dropped: matches the names of all functions against two regular expressions, one for
 * functions to drop and one for exceptions.
 */
#include "fg-collapse/pprof/dropped.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/pattern.h"

/*
 * Limits for expressions with which regexec(3) needs much time and memory: bytes of a name, as a
 * longer one is not matched; bytes of names times bytes of the expression, after which regexec's
 * memory is freed, and in all, which are some seconds.
 */
#define NAME_MATCHED 1024
#define WORK_KEPT (4 << 20)
#define WORK_MAX (512 << 20)

struct expression {
	struct pattern pattern;
	struct text text;
	size_t kept, work; /* see the limits */
	bool unmatched; /* they were reached */
};

/*
 * Compiles an expression of the profile, which is untrusted input. False for those for
 * which regcomp(3) may need much time or memory.
 */
static bool
compile(const struct reader *r, struct str s, struct expression *e)
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
	text_puts(&e->text, "^(");
	text_str(&e->text, s);
	text_puts(&e->text, ")$");
	e->pattern.text = e->text.s;
	if (plain && deepest < 16 && pattern_try(&e->pattern) == 0)
		return true;
	cli_note("%s: the profile's drop_frames pattern cannot be used, so these frames are "
		 "kept: %.*s",
	    lines_name(r->lines), (int)(s.len < 80 ? s.len : 80), s.s);
	return false;
}

/* Matches a name as pprof does: without arguments, C++ names also without template arguments. */
static bool
matches(struct expression *e, struct str name)
{
	const size_t n = frame_without_arguments(name.s, name.len), work = n * e->text.len;

	if (n > NAME_MATCHED || work > WORK_MAX - e->work) {
		e->unmatched = true;
		return false;
	}
	e->work += work;
	e->kept += work;
	if (e->kept > WORK_KEPT) {
		e->kept = 0;
		pattern_free(&e->pattern);
		if (pattern_try(&e->pattern) != 0)
			cli_die("out of memory");
	}
	return pattern_find(&e->pattern, name.s, 0, n, NULL, 0);
}

enum dropped *
dropped_find(const struct reader *r, struct tables *t, struct str drops, struct str keeps)
{
	struct expression drop = {0}, keep = {0};
	uint8_t *known = cli_alloc(t->nfunction + 1, 1); /* by function: 1 keep, 2 drop, 0 ? */
	enum dropped *dropped;
	bool any_kept;

	if (!compile(r, drops, &drop)) {
		free(known);
		text_free(&drop.text);
		return NULL;
	}
	any_kept = compile(r, keeps, &keep);
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
	if (drop.unmatched || keep.unmatched)
		cli_note("%s: names that are too many or too long for the profile's drop_frames "
			 "pattern are not matched",
		    lines_name(r->lines));
	pattern_free(&drop.pattern);
	if (any_kept)
		pattern_free(&keep.pattern);
	text_free(&drop.text);
	text_free(&keep.text);
	free(known);
	return dropped;
}
