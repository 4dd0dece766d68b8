/*
 * xdebug: function traces by PHP's Xdebug. trace_format=1 has columns separated by tabs:
 * level, number, 0 for an entry or 1 for an exit, time, memory, and for an entry the name:
 *
 *	2	1	0	0.000318	399064	App\Util\Parser::build	1
 *	/srv/busy.php	5 2	1	1	0.000536	399544
 *
 * The time, in us, and the growth of memory between two lines are charged to the function
 * that runs then. trace_format=0, for people, has no exits, so only calls count.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"

enum { TIME, MEMORY, CALLS, EVENTS };

struct trace {
	struct reader *reader;
	struct stack stack; /* used only for its names */
	uint32_t event[EVENTS];
	struct {
		uint64_t level;
		uint32_t node;
	} * call; /* open calls; node SAMPLE_MISSING: a caller is not known */
	size_t ncall, capcall;
	uint64_t outermost; /* level of the first call; 0: none yet */
	bool lost; /* a line before is malformed: the time until the next one has no stack */
	value time; /* time of the previous line, s; in ns as a number of billionths */
	uint64_t memory;
	bool running;
};

/* Adds v to an event of the current call. */
static void
add(struct trace *t, int event, value v)
{
	struct sampler *s = t->reader->sampler;

	uint64_t time = t->time < SAMPLE_NO_TIME ? (uint64_t)t->time : SAMPLE_NO_TIME;
	uint32_t node = t->ncall > 0 ? t->call[t->ncall - 1].node : CALLTREE_ROOT;

	if (v == 0)
		return;
	if (t->lost || node == SAMPLE_MISSING)
		sample_malformed(s, 1, sampler_has_column(s, t->event[event]) ? v : 0);
	else if (sample_wanted(s, t->event[event], time, v))
		sample_add(s, node, time, &v);
}

static void
pass(struct trace *t, value time, uint64_t memory)
{
	if (t->running && t->ncall > 0) {
		add(t, TIME, time > t->time ? humannumber_scale(time - t->time, 1000000, 1) : 0);
		add(t, MEMORY, memory > t->memory ? value_of(memory - t->memory) : 0);
	}
	t->lost = false;
	t->running = true;
	t->time = time;
	t->memory = memory;
}

/* Begins a call; step: difference of its level to its caller's. */
static void
enter(struct trace *t, uint64_t level, uint64_t step, struct str function)
{
	struct sampler *s = t->reader->sampler;
	uint32_t name = sample_name(s, &(struct frame){.function = function}), above;

	while (t->ncall > 0 && t->call[t->ncall - 1].level >= level)
		t->ncall--;
	if (t->outermost == 0)
		t->outermost = level;
	if (t->ncall > 0)
		above = level == t->call[t->ncall - 1].level + step ? t->call[t->ncall - 1].node
								    : SAMPLE_MISSING;
	else
		above = level <= t->outermost ? CALLTREE_ROOT : SAMPLE_MISSING;
	vec_fit(t->call, t->capcall, t->ncall + 1);
	t->call[t->ncall].level = level;
	t->call[t->ncall++].node = sample_child_known(s, above, name);
	add(t, CALLS, VALUE_ONE);
}

/* Reads a line of columns separated by tabs. */
static bool
read_columns(struct trace *t, struct str s)
{
	struct str level = scan_until(&s, '\t'), what, time, memory;
	uint64_t depth = 0, bytes;
	value v;

	scan_until(&s, '\t');
	what = scan_until(&s, '\t');
	time = scan_until(&s, '\t');
	memory = scan_until(&s, '\t');
	if (str_is(what, "R")) /* skip a return value */
		return true;
	if (!scan_value(time, &v) || !scan_number(&memory, &bytes))
		return false;
	if (level.len == 0) { /* end of the trace */
		pass(t, v, bytes);
		t->ncall = 0;
		t->running = false;
		return true;
	}
	if (!scan_number(&level, &depth))
		return false;
	if (str_is(what, "0")) {
		struct str function = scan_until(&s, '\t');

		if (function.len == 0)
			return false;
		pass(t, v, bytes);
		enter(t, depth, 1, function);
	} else if (str_is(what, "1")) {
		pass(t, v, bytes);
		while (t->ncall > 0 && t->call[t->ncall - 1].level >= depth)
			t->ncall--;
	} else {
		return false;
	}
	return true;
}

/* Reads `    0.0022     399064     -> App\Util\Parser::build($n = 100) /srv/busy.php:5`. */
static bool
read_words(struct trace *t, struct str s)
{
	struct str function;
	uint64_t memory;
	size_t arrow = str_find(s, "-> "), open;
	value time;

	scan_blanks(&s);
	if (!scan_decimal(&s, &time))
		return false;
	if (scan_blanks(&s) == 0 || !scan_number(&s, &memory))
		return false;
	scan_blanks(&s);
	if (s.len == 0) /* end of the trace */
		return true;
	if (str_starts(s, ">=> ") || str_starts(s, "=> "))
		return true;
	if (!scan_word(&s, "-> "))
		return false;
	open = str_find(s, "(");
	/* Included files are shown as calls of include(file). */
	function = (struct str){s.s, open};
	t->time = time;
	enter(t, arrow, strlen("  "), function);
	return true;
}

static void
read_input(struct reader *r)
{
	static const char *const name[EVENTS] = {"time", "memory", "calls"};
	static const char *const unit[EVENTS] = {"us", "bytes", "calls"};
	struct trace t = {.reader = r};
	struct str line;
	bool columns = false, begun = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	stack_init(&t.stack, r->sampler);
	for (int i = 0; i < EVENTS; i++)
		t.event[i] = sampler_event(r->sampler, str_of(name[i]), str_of(unit[i]));
	for (int i = 1; i < EVENTS; i++) /* but times are measured */
		sampler_values(r->sampler, t.event[i], FOLDED_EXACT);
	while (reader_line(r, &line)) {
		if (scan_word(&line, "File format:")) {
			reader_version_text(r, VERSION_XDEBUG, str_trim(line));
			columns = true;
		} else if (str_starts(line, "TRACE START")) {
			begun = true;
			t.running = t.lost = false;
			t.ncall = 0;
			t.outermost = 0;
			sampler_default(r->sampler, t.event[columns ? TIME : CALLS]);
			if (!columns && r->options->sample.event == NULL)
				cli_note("%s: the trace lacks the returns of functions, so values "
					 "are call counts; xdebug.trace_format=1 records "
					 "times",
				    lines_name(r->lines));
		} else if (str_starts(line, "TRACE END")) {
			begun = false;
		} else if (begun && line.len > 0 &&
			   !(columns ? read_columns(&t, line) : read_words(&t, line))) {
			reader_malformed(r, "not a line of an Xdebug trace");
			t.lost = true;
			if (t.outermost == 0) /* it may have been the first call */
				t.outermost = 1;
		}
	}
	stack_free(&t.stack);
	free(t.call);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	for (int i = 0; i < 10 && scan_line(&rest, &line); i++)
		if (str_starts(line, "TRACE START ["))
			return 97;
	return 0;
}

const struct format xdebug_format = {
    .provides = DATA_TIMES | DATA_EVENT,
    .single = true,
    .sniff = sniff,
    .read = read_input,
};
