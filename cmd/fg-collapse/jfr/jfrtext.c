/*
 * jfrtext: a flight recording as printed by `jfr print`,
 *
 *	jdk.ExecutionSample {
 *	  startTime = 11:33:06.016 (2026-11-20)
 *	  sampledThread = "pool-1-thread-1" (javaThreadId = 12)
 *	  state = "STATE_RUNNABLE"
 *	  stackTrace = [
 *	    Busy.work(int) line: 6
 *	    java.lang.Thread.run() line: 840
 *	  ]
 *	}
 *
 * Events are selected by their names without `jdk.` or `profiler.`. The weight of an
 * allocation is its bytes, that of a wait its time, if the event has them; --samples
 * counts events.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/jfr/jfrevent.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/account.h"
#include "sample/events.h"

struct recording {
	struct reader *reader;
	struct stack stack;
	struct text event, thread, tid, name; /* name: of the current frame */
	bool open, frames, list; /* in an event; in its stack; in another list of it */
	value weight;
	const char *unit; /* unit of the weight; NULL if the event has none */
	uint64_t time;
};

static uint64_t
clock_time(struct str s)
{
	uint64_t part[3] = {0}, ns = 0, scale = 100000000;

	for (int i = 0; i < 3; i++) {
		if (!scan_number(&s, &part[i]) || (i < 2 && !scan_word(&s, ":")))
			return SAMPLE_NO_TIME;
	}
	if (scan_word(&s, "."))
		for (; s.len > 0 && s.s[0] >= '0' && s.s[0] <= '9'; s = str_from(s, 1), scale /= 10)
			ns += (uint64_t)(s.s[0] - '0') * scale;
	if (part[0] > 100 || part[1] > 60 || part[2] > 60)
		return SAMPLE_NO_TIME;
	return ((part[0] * 60 + part[1]) * 60 + part[2]) * 1000000000 + ns;
}

/* Reads `"pool-1-thread-1" (javaThreadId = 12)`. */
static void
read_thread(struct recording *j, struct str s)
{
	size_t id = str_find_last(s, "javaThreadId = "), quote;
	struct str digits;
	uint64_t n;

	if (id < s.len) {
		struct str rest = digits = str_from(s, id + strlen("javaThreadId = "));

		text_cut(&j->tid, 0);
		if (scan_number(&rest, &n))
			text_add(&j->tid, digits.s, digits.len - rest.len);
	}
	if (!scan_word(&s, "\""))
		return;
	quote = str_find_last(s, "\"");
	text_cut(&j->thread, 0);
	text_add(&j->thread, s.s, quote);
	if (j->thread.len == 0 && str_ends(s, ", virtual)"))
		text_puts(&j->thread, JFREVENT_VIRTUAL);
}

/*
 * Adds `Busy.work(int) line: 6` without the argument list, which every frame has. It has no
 * parentheses of its own, but the names of async-profiler's C++ functions may have some.
 */
static void
add_frame(struct recording *j, struct str s)
{
	struct frame f = {0};
	size_t open = str_find_last(s, "("), at = str_find_last(s, " line: ");
	uint64_t line;

	if (str_is(s, "...")) { /* truncated at --stack-depth */
		f.function = s;
	} else {
		f.function = (struct str){s.s, open};
		/* A native frame of async-profiler has a class without a name. */
		if (f.function.len > 1 && f.function.s[0] == '.')
			f.function = str_from(f.function, 1);
		if (str_find(f.function, "(") < f.function.len) {
			text_cut(&j->name, 0);
			plainname_add(&j->name, f.function, false);
			f.function = text_as_str(&j->name);
		}
		if (at < s.len) {
			struct str number = str_from(s, at + strlen(" line: "));

			if (scan_number(&number, &line))
				f.line = (unsigned)line;
		}
	}
	stack_frame(&j->stack, &f);
}

static void
read_field(struct recording *j, struct str key, struct str s)
{
	const char *unit;
	value v;

	if (str_is(key, "startTime")) {
		j->time = clock_time(s);
	} else if (str_is(key, "sampledThread") || str_is(key, "eventThread")) {
		read_thread(j, s);
	} else if (jfrevent_leaf(text_as_str(&j->event), key)) {
		add_frame(j, s);
	} else if (str_is(key, "stackTrace")) {
		j->frames = str_is(s, "[");
	} else if (str_is(key, "duration")) {
		if (j->unit == NULL && jfrevent_lasts(text_as_str(&j->event)) &&
		    humannumber_scan(&s, &v, &unit) && strcmp(unit, "ns") == 0) {
			j->weight = v;
			j->unit = "ns";
		}
	} else if (jfrevent_size(text_as_str(&j->event), key) && humannumber_scan(&s, &v, &unit) &&
		   strcmp(unit, "bytes") == 0) {
		j->weight = v;
		j->unit = "bytes";
	} else {
		j->list = str_is(s, "[");
	}
}

static void
take(struct recording *j)
{
	struct sample_task task = {.tid = text_as_str(&j->tid)};
	struct sampler *s = j->reader->sampler;
	struct str name = text_as_str(&j->event);
	uint32_t event;

	if (j->reader->options->threads)
		task.comm = text_as_str(&j->thread);
	if (j->stack.n > 0 && j->unit == NULL && jfrevent_waits(name))
		reader_broken(j->reader, &j->stack, "an event of a wait without its duration");
	if (j->stack.n == 0 && !j->stack.broken) {
		sample_leave_out(s, 1);
	} else {
		name = jfrevent_name(name);
		event = sampler_event(s, name, str_of(j->unit != NULL ? j->unit : "samples"));
		if (j->unit == NULL || strcmp(j->unit, "bytes") == 0)
			sampler_values(s, event, FOLDED_SAMPLED);
		stack_sample(
		    &j->stack, &task, event, j->time, j->unit != NULL ? j->weight : VALUE_ONE);
	}
	j->open = false;
}

/* True for a line as `Busy.work(int) line: 6`. */
static bool
resembles_frame(struct str s)
{
	struct str number = str_from(s, str_find_last(s, ") line: "));
	uint64_t n;

	return str_ends(s, "()") ||
	       (scan_word(&number, ") line: ") && scan_number(&number, &n) && number.len == 0);
}

static void
read_line(struct recording *j, struct str s, size_t column)
{
	size_t equals = str_find(s, " = ");

	if (column == 0 && str_ends(s, " {")) {
		j->open = true;
		j->frames = j->list = false;
		j->unit = NULL;
		j->time = SAMPLE_NO_TIME;
		j->stack.n = 0;
		j->stack.broken = false;
		text_cut(&j->thread, 0);
		text_cut(&j->tid, 0);
		text_cut(&j->event, 0);
		text_add(&j->event, s.s, s.len - strlen(" {"));
	} else if (!j->open) {
		reader_malformed(j->reader, "outside of events");
	} else if (j->frames) {
		if (str_is(s, "]"))
			j->frames = false;
		else if (!str_is(s, "...") && str_find(s, "(") == s.len)
			reader_broken(j->reader, &j->stack, "a frame without its arguments");
		else
			add_frame(j, s);
	} else if (column == 0 && str_is(s, "}")) {
		take(j);
	} else if (j->list && column == 2) {
		j->list = false;
	} else if (j->list && resembles_frame(s)) {
		reader_broken(j->reader, &j->stack, "a frame outside of a stack");
	} else if (column == 2 && equals < s.len) {
		read_field(j, (struct str){s.s, equals}, str_from(s, equals + strlen(" = ")));
	}
}

static void
read_input(struct reader *r)
{
	struct recording j = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&j.stack, r->sampler);
	while (reader_line(r, &line)) {
		size_t column = scan_blanks(&line);

		if (line.len > 0)
			read_line(&j, line, column);
	}
	if (j.open)
		reader_malformed(r, "an event without an end");
	stack_free(&j.stack);
	text_free(&j.event);
	text_free(&j.thread);
	text_free(&j.tid);
	text_free(&j.name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool event = false;

	while (scan_line(&rest, &line)) {
		if (event && str_starts(line, "  startTime = "))
			return 97;
		event = line.len > 2 && line.s[0] != ' ' && str_ends(line, " {") &&
			memchr(line.s, ' ', line.len - 2) == NULL;
	}
	return 0;
}

const struct format jfrtext_format = {
    .provides = DATA_COMM | DATA_TID | DATA_TIMES | DATA_EVENT | DATA_COUNT | DATA_THREAD_NAMES,
    .sniff = sniff,
    .read = read_input,
};
