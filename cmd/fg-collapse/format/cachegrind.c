/*
 * cachegrind: costs of functions without callers, so a stack is file;function. Each of its
 * events is an event; the first, instructions, is the default.
 *
 *	desc: I1 cache:         32768 B, 64 B, 8-way associative
 *	cmd: ./alloc
 *	events: Ir I1mr ILmr
 *	fl=./csu/libc-start.c
 *	fn=__libc_start_main
 *	128 2 1 1
 *	summary: 27449567 1667 1606
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

#define EVENTS CALLTREE_COLUMNS

struct costs {
	struct reader *reader;
	uint32_t event[EVENTS];
	unsigned events;
	struct text file, function;
	uint64_t sum[EVENTS]; /* cost of the current function */
	bool any;
};

static void
take(struct costs *c)
{
	static const struct sample_task nobody;
	struct sampler *s = c->reader->sampler;
	struct sample_weight w[EVENTS];
	struct text name = {0};

	for (unsigned i = 0; i < c->events; i++)
		w[i] = (struct sample_weight){c->event[i], value_of(c->sum[i])};
	if (c->any && sample_begin_all(s, &nobody, w, c->events, SAMPLE_NO_TIME)) {
		sample_frame(s, &(struct frame){.function = text_as_str(&c->file)});
		plainname_add(&name, text_as_str(&c->function), false);
		sample_frame(s, &(struct frame){.function = text_as_str(&name)});
		sample_end(s);
	}
	text_free(&name);
	memset(c->sum, 0, sizeof c->sum);
	c->any = false;
}

static void
read_events(struct costs *c, struct str s)
{
	for (scan_blanks(&s); s.len > 0 && c->events < EVENTS; scan_blanks(&s))
		c->event[c->events++] =
		    sampler_event(c->reader->sampler, scan_until(&s, ' '), (struct str){0});
	if (c->events > 0)
		sampler_default(c->reader->sampler, c->event[0]);
}

/* Reads `128 2 1 1`: the line number, then the costs; trailing zeros may be missing. */
static bool
read_costs(struct costs *c, struct str s)
{
	uint64_t line;

	if (!scan_number(&s, &line))
		return false;
	for (unsigned i = 0; i < c->events && scan_blanks(&s) > 0 && s.len > 0; i++) {
		uint64_t n = 0; /* also for "." */

		if (!scan_word(&s, ".") && !scan_number(&s, &n))
			return false;
		if (__builtin_add_overflow(c->sum[i], n, &c->sum[i]))
			return false;
		c->any = true;
	}
	return s.len == 0;
}

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, s);
}

static void
read_input(struct reader *r)
{
	struct costs c = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	cli_note("%s: cachegrind does not record callers: stacks are file;function; use "
		 "callgrind for callers",
	    lines_name(r->lines));
	while (reader_line(r, &line)) {
		if (scan_word(&line, "fl=") || scan_word(&line, "fi=") || scan_word(&line, "fe=")) {
			take(&c);
			set(&c.file, line);
		} else if (scan_word(&line, "fn=")) {
			take(&c);
			set(&c.function, line);
		} else if (scan_word(&line, "events:")) {
			take(&c);
			c.events = 0;
			read_events(&c, line);
		} else if (line.len > 0 && !str_starts(line, "desc:") &&
			   !str_starts(line, "cmd:") && !str_starts(line, "summary:") &&
			   line.s[0] != '#' && !read_costs(&c, line)) {
			reader_malformed(r, "not a line of cachegrind's format");
		}
	}
	take(&c);
	text_free(&c.file);
	text_free(&c.function);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const callgrind[] = {"version:", "creator:", "positions:", "part:",
	    "cfn=", "calls=", "# callgrind format", "cob=", "ob=", "totals:", "cfi=", "cfl="};
	struct str rest = {data, len}, line;
	bool events = false, function = false;

	while (scan_line(&rest, &line)) {
		for (size_t i = 0; i < sizeof callgrind / sizeof callgrind[0]; i++)
			if (str_starts(line, callgrind[i]))
				return 0;
		events |= str_starts(line, "events:");
		function |= events && str_starts(line, "fn=");
	}
	return function ? 90 : 0;
}

const struct format cachegrind_format = {
    .provides = DATA_EVENT,
    .flat = true,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
