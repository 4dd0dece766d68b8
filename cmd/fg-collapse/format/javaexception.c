/*
 * javaexception: stack traces of exceptions in a log,
 *
 *	java.lang.IllegalStateException: no
 *		at com.app.Shop.sell(Shop.java:12)
 *		at com.app.Main.main(Main.java:3)
 *	Caused by: java.io.IOException: gone
 *		at com.app.Disk.read(Disk.java:7)
 *		... 2 more
 *
 * Each counts 1. The frames that a cause shares with the preceding stack (`... 2 more`)
 * are copied from that.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

#define COMMON_MAX 2048 /* limit of shared frames; Java itself stores 1024 frames of a stack */

struct log {
	struct reader *reader;
	struct stack stack;
	uint32_t event;
	uint32_t *last; /* frames of the previous stack */
	size_t nlast, caplast;
	bool last_broken; /* the previous stack is malformed */
	bool enclosed; /* the current stack has a cause or suppressed exception, with a stack before
			*/
	bool odd; /* the line before is indented like a frame, but is none */
};

static void
take(struct log *l)
{
	static const struct sample_task nobody;

	l->odd = false;
	if (l->stack.n == 0 && !l->stack.broken)
		return;
	vec_fit(l->last, l->caplast, l->stack.n);
	if (l->stack.n > 0)
		memcpy(l->last, l->stack.name, l->stack.n * sizeof *l->last);
	l->nlast = l->stack.n;
	l->last_broken = l->stack.broken;
	l->enclosed = false;
	stack_sample(&l->stack, &nobody, l->event, SAMPLE_NO_TIME, VALUE_ONE);
}

/* Reads `... 23 more` or `... 23 common frames omitted`. */
static bool
read_common(struct log *l, struct str s)
{
	uint64_t n;

	if (!scan_word(&s, "... ") || !scan_number(&s, &n) ||
	    (!str_is(s, " more") && !str_is(s, " common frames omitted")))
		return false;
	if (!l->enclosed) {
		reader_broken(l->reader, &l->stack, "frames in common with no stack before it");
		return true;
	}
	if (l->last_broken)
		reader_broken(l->reader, &l->stack, "frames in common with a malformed stack");
	if (n > l->nlast)
		n = l->nlast;
	if (n > COMMON_MAX)
		n = COMMON_MAX;
	if (n == 0)
		return true;
	vec_fit(l->stack.name, l->stack.cap, l->stack.n + n);
	memcpy(l->stack.name + l->stack.n, l->last + l->nlast - n, n * sizeof *l->last);
	l->stack.n += n;
	return true;
}

/* Reads `at com.app.Shop.sell(Shop.java:12) ~[shop.jar:1.2]`, without the suffix that loggers
 * add. */
static bool
read_frame(struct log *l, struct str s)
{
	if (!scan_word(&s, "at "))
		return false;
	if (str_ends(s, "]"))
		s.len = str_find_last(s, ") ") + 1;
	return javaframe_add(&l->stack, l->reader->options, s);
}

/* True for a line as `at Main.main(Main.java:3)` or `... 2 more`, with damage. */
static bool
resembles_frame(struct str s)
{
	size_t open;

	if (str_starts(s, "... "))
		return true;
	if (str_ends(s, "]"))
		s.len = str_find_last(s, ") ") + 1;
	open = str_find(s, "(");
	return str_ends(s, ")") && str_find(s, " ") + 1 < open && s.s[open - 1] != ' ' &&
	       memchr(s.s, '.', open) != NULL;
}

/* True for the head of an exception that shares frames with the one before it. */
static bool
is_enclosed(struct str s)
{
	static const char *const head[] = {"Caused by: ", "Suppressed: ", "Wrapped by: "};

	for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
		if (str_find(s, head[i]) < s.len)
			return true;
	return false;
}

static void
read_input(struct reader *r)
{
	struct log l = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&l.stack, r->sampler);
	l.event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
	while (reader_line(r, &line)) {
		const bool tabbed = line.len > 0 && line.s[0] == '\t';

		if (scan_blanks(&line) > 0 && (read_frame(&l, line) || read_common(&l, line))) {
			if (l.odd)
				reader_broken(r, &l.stack, "a line before it is not a frame");
			l.odd = false;
			continue;
		}
		if (tabbed && resembles_frame(line)) {
			reader_broken(r, &l.stack, "not a frame of Java");
			continue;
		}
		/* A suppressed exception has a head that is indented. */
		if (tabbed && !l.odd && !str_starts(line, "Suppressed: ") &&
		    !str_starts(line, "Caused by: ") && !str_starts(line, "- "))
			l.odd = true;
		else if (!tabbed || !str_starts(line, "- ")) {
			take(&l);
			l.enclosed |= is_enclosed(line);
		}
	}
	take(&l);
	stack_free(&l.stack);
	free(l.last);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const source[] = {
	    ".java:", ".kt:", ".scala:", ".groovy:", "(Native Method)", "(Unknown Source)"};
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		if (scan_blanks(&line) == 0 || !scan_word(&line, "at "))
			continue;
		for (size_t i = 0; i < sizeof source / sizeof source[0]; i++)
			if (str_find(line, source[i]) < line.len)
				return 60;
	}
	return 0;
}

const struct format javaexception_format = {
    .provides = DATA_MODULE | DATA_SOURCE | DATA_ORDER | DATA_PACKAGES,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
