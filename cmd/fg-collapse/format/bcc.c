/*
 * bcc: output of profile, offcputime, offwaketime, wakeuptime, stackcount and similar
 * tools: a stack, leaf first, the task, and a number on a line of its own:
 *
 *	    vfs_read
 *	    sys_read
 *	    --
 *	    read
 *	    -                dd (25036)
 *	        3
 *
 * stackcount writes the task as `dd [25036]`. Of `target: sshd` and `waker: kworker/u16:2`
 * the last becomes the root, the other a frame; frames before a -- are the waker's.
 * memleak writes the bytes first; each of its reports lists all memory in use at that
 * time, so only the last one counts. That of libbpf-tools has other frames:
 *
 *	0 [<00007f12ab34cd56>] mk+0x1a5 /src/al.c:5
 *	1 [<00007f12ab34ce01>] <null sym>
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"
#include "sample/sample.h"

/* Values of a stack in memleak's report. */
struct leak {
	value bytes, allocations;
	size_t frames; /* end of its frames in names */
};

struct tool {
	struct reader *reader;
	struct stack stack;
	uint32_t event; /* UINT32_MAX until known */
	struct text comm, pid;
	size_t column; /* column where frames start */
	bool tasked; /* the task is known; the number has to follow */
	bool waker; /* the current frames belong to a waker, until the line `--` */
	bool offset;

	bool leaks; /* the tool is memleak; the next fields are of the last report: */
	uint64_t top; /* most stacks that it has */
	uint32_t bytes, allocations;
	struct leak *leak;
	size_t nleak, capleak;
	uint32_t *name;
	size_t nname, capname;
};

static void
forget(struct tool *t)
{
	t->stack.n = 0;
	t->tasked = t->waker = false;
	text_cut(&t->comm, 0);
	text_cut(&t->pid, 0);
}

static void
set_task(struct tool *t, struct str comm, struct str pid)
{
	text_cut(&t->comm, 0);
	text_str(&t->comm, comm);
	text_cut(&t->pid, 0);
	text_str(&t->pid, pid);
	t->tasked = true;
}

/* Reads `name (12)` or `name [12]`; without a number, all of s is the name. */
static bool
read_task(struct tool *t, struct str s, char open, char close)
{
	const char opening[] = {' ', open, '\0'};
	size_t at = str_find_last(s, opening);
	struct str digits;
	uint64_t n;

	if (at == s.len || s.s[s.len - 1] != close)
		return false;
	digits = (struct str){s.s + at + 2, s.len - at - 3};
	if (!scan_number(&digits, &n) || digits.len > 0)
		return false;
	set_task(t, str_trim((struct str){s.s, at}), (struct str){s.s + at + 2, s.len - at - 3});
	return true;
}

/* Strips b'...', which tools in Python 3 print around bytes. */
static struct str
unquoted(struct str s)
{
	if (str_starts(s, "b'") && str_ends(s, "'") && s.len > 3)
		return (struct str){s.s + 2, s.len - 3};
	return s;
}

/* Index of the blank after a name with an offset, else of the last one; s.len if there is none. */
static size_t
end_of_name(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.s[i] == ' ' && plainname_without_offset((struct str){s.s, i}) < i)
			return i;
	return str_find_last(s, " ");
}

/* Reads `0 [<00007f12ab34cd56>] mk+0x1a5 /a dir/al.c:5`, with the source in brackets, too. */
static bool
add_indexed(struct tool *t, struct str s)
{
	struct frame f = {.has_address = true};
	struct str source;
	size_t blank, colon;
	uint64_t n;

	if (!scan_number(&s, &n) || !scan_word(&s, " [<"))
		return false;
	text_hex(s.s, s.len, &f.address);
	scan_until(&s, ']');
	scan_blanks(&s);
	blank = end_of_name(s);
	source = str_from(s, blank + 1);
	if (str_starts(source, "[") && str_ends(source, "]"))
		source = (struct str){source.s + 1, source.len - 2};
	colon = str_find_last(source, ":");
	f.file = (struct str){source.s, colon};
	source = str_from(source, colon + 1);
	if (f.file.len > 0 && scan_number(&source, &n) && source.len == 0) {
		f.line = n <= UINT32_MAX ? (unsigned)n : 0;
		s.len = blank;
	} else {
		f.file.len = 0;
	}
	if (!str_starts(s, "<null sym>"))
		f.function = s;
	if (!t->reader->options->offsets)
		f.function.len = plainname_without_offset(f.function);
	stack_function(&t->stack, f);
	return true;
}

/* Reads `ffffffff810df082 name+0x1f [module]`. */
static void
add_frame(struct tool *t, struct str s)
{
	struct frame f = {.kind = t->waker ? FRAME_WAKER : FRAME_USER};
	size_t blank = str_find(s, " "), open;

	if (t->leaks && add_indexed(t, s))
		return;
	if (blank >= 8 && blank <= 18 && blank < s.len) {
		struct str address = {s.s, blank};
		size_t i = str_starts(address, "0x") ? 2 : 0;

		while (i < blank &&
		       ((s.s[i] >= '0' && s.s[i] <= '9') || (s.s[i] >= 'a' && s.s[i] <= 'f')))
			i++;
		if (i == blank)
			s = str_trim(str_from(s, blank));
	}
	s = unquoted(s);
	open = str_find_last(s, " [");
	if (open > 0 && open < s.len && str_ends(s, "]")) {
		f.module = (struct str){s.s + open + 1, s.len - open - 1};
		if (str_is(f.module, "[kernel]"))
			f.kind = FRAME_KERNEL;
		else
			f.module = (struct str){f.module.s + 1, f.module.len - 2};
		s.len = open;
		if (f.kind == FRAME_USER)
			f.kind = frame_kind_of(f.module);
	}
	f.function = s;
	if (!t->reader->options->offsets)
		f.function.len = plainname_without_offset(s);
	if (str_is(f.function, "[unknown]"))
		f.function.len = 0;
	stack_function(&t->stack, f);
}

/* Reads `target:          sshd 812` or `waker:           kworker/u16:2`. */
static bool
read_end(struct tool *t, struct str s)
{
	bool waker = scan_word(&s, "waker:");

	if (!waker && !scan_word(&s, "target:"))
		return false;
	s = str_trim(s);
	if (t->stack.n == 0) {
		t->waker = waker;
		stack_frame(&t->stack,
		    &(struct frame){.function = s, .kind = waker ? FRAME_WAKER : FRAME_USER});
		return true;
	}
	if (str_find_last(s, " ") < s.len) {
		size_t at = str_find_last(s, " ");
		struct str digits = str_from(s, at + 1);
		uint64_t n;

		if (scan_number(&digits, &n) && digits.len == 0) {
			set_task(t, str_trim((struct str){s.s, at}), str_from(s, at + 1));
			return true;
		}
	}
	set_task(t, s, (struct str){0});
	return true;
}

static void
take(struct tool *t, value v)
{
	struct sample_task task = {.comm = text_as_str(&t->comm), .pid = text_as_str(&t->pid)};

	if (t->event == UINT32_MAX)
		t->event = sampler_event(t->reader->sampler, (struct str){0}, str_of("samples"));
	stack_sample(&t->stack, &task, t->event, SAMPLE_NO_TIME, v);
	forget(t);
}

/* Stores memleak's current stack, which is complete. */
static void
keep_leak(struct tool *t)
{
	struct stack *s = &t->stack;

	if (!t->leaks || t->nleak == 0)
		return;
	vec_fit(t->name, t->capname, t->nname + s->n);
	if (s->n > 0)
		memcpy(t->name + t->nname, s->name, s->n * sizeof *s->name);
	t->nname += s->n;
	t->leak[t->nleak - 1].frames = t->nname;
	s->n = 0;
}

static void
pass_leaks(struct tool *t)
{
	static const struct sample_task nobody;
	size_t at = 0;

	keep_leak(t);
	for (size_t i = 0; i < t->nleak; i++) {
		struct sample_weight w[] = {
		    {t->bytes, t->leak[i].bytes}, {t->allocations, t->leak[i].allocations}};

		if (sample_begin_all(t->reader->sampler, &nobody, w, 2, SAMPLE_NO_TIME)) {
			for (size_t k = at; k < t->leak[i].frames; k++)
				sample_frame_named(t->reader->sampler, t->name[k]);
			sample_end(t->reader->sampler);
		}
		at = t->leak[i].frames;
	}
}

/* Reads `64 bytes in 4 allocations from stack`, or the first line of a report. */
static bool
read_leak(struct tool *t, struct str s)
{
	struct leak l = {0};

	if (str_ends(s, "stacks with outstanding allocations:")) {
		t->stack.n = t->nleak = t->nname = 0;
		s = str_from(s, str_find(s, " Top ") + strlen(" Top "));
		if (!scan_number(&s, &t->top))
			t->top = UINT64_MAX;
		return true;
	}
	if (str_starts(s, "addr = "))
		return true;
	if (!scan_decimal(&s, &l.bytes) || !scan_word(&s, " bytes in ") ||
	    !scan_decimal(&s, &l.allocations) || !str_starts(s, " allocations from stack"))
		return false;
	if (!t->leaks) {
		t->leaks = true;
		t->bytes = sampler_event(t->reader->sampler, str_of("bytes"), str_of("bytes"));
		t->allocations =
		    sampler_event(t->reader->sampler, str_of("allocations"), (struct str){0});
		sampler_values(t->reader->sampler, t->bytes, FOLDED_EXACT);
		sampler_values(t->reader->sampler, t->allocations, FOLDED_EXACT);
		sampler_default(t->reader->sampler, t->bytes);
		t->stack.n = 0;
	}
	keep_leak(t);
	if (t->nleak == t->top)
		reader_refuse(t->reader, t->reader->number,
		    "more stacks than this report has: the first line of the next one is missing");
	vec_fit(t->leak, t->capleak, t->nleak + 1);
	t->leak[t->nleak++] = l;
	return true;
}

/*
 * Reads the tool's first line, `Tracing off-CPU time (us) of all threads by kernel
 * stack... Hit Ctrl-C to end.`, `Sampling at 49 Hertz of all threads by user + kernel
 * stack for 10 secs.`
 */
static void
read_head(struct tool *t, struct str s)
{
	struct sampler *sampler = t->reader->sampler;
	size_t unit = str_find(s, " time (");
	uint64_t n;

	if (str_starts(s, "Tracing ") && unit < s.len) {
		s = str_from(s, unit + strlen(" time ("));
		s.len = str_find(s, ")");
		if (str_is(s, "us") || str_is(s, "ns") || str_is(s, "ms")) {
			t->event = sampler_event(sampler, s, s);
		}
	} else if (scan_word(&s, "Sampling at ") && scan_number(&s, &n) && n > 0 &&
		   str_starts(s, " Hertz ")) {
		t->event = sampler_event(sampler, (struct str){0}, str_of("samples"));
		sampler_period(sampler, t->event, value_of((1000000000 + n / 2) / n), "ns");
		sampler_values(sampler, t->event, FOLDED_SAMPLED);
	} else if (scan_word(&s, "Tracing ") && scan_number(&s, &n) &&
		   (str_starts(s, " function") || str_starts(s, " event"))) {
		/* stackcount */
		t->event = sampler_event(sampler, (struct str){0}, str_of("samples"));
		sampler_values(sampler, t->event, FOLDED_EXACT);
	}
}

static void
read_line(struct tool *t, struct str s, size_t column)
{
	value v;

	if (read_leak(t, s) || str_is(s, "[...]"))
		return;
	if (column == 0) { /* a message by the tool */
		read_head(t, s);
		if (t->leaks) {
			keep_leak(t);
			return;
		}
		if (t->stack.n > 0)
			reader_malformed(t->reader, "a stack without a number before it");
		forget(t);
		return;
	}
	if (!t->leaks && s.s[0] >= '0' && s.s[0] <= '9' && scan_value(s, &v)) {
		if (t->stack.n == 0 && !t->tasked)
			reader_malformed(t->reader, "a number without a stack");
		else
			take(t, v);
		return;
	}
	if (t->tasked) {
		reader_malformed(t->reader, "a stack without a number");
		forget(t);
	}
	if (t->stack.n == 0)
		t->column = column;
	if (s.s[0] == '-' && s.len > 2 && s.s[1] == ' ') {
		s = str_trim(str_from(s, 1));
		if (!read_task(t, s, '(', ')'))
			set_task(t, s, (struct str){0});
		return;
	}
	if (str_starts(s, "-- ") && str_ends(s, " --"))
		s.len = 2;
	if (str_is(s, "--"))
		t->waker = false;
	if ((column > t->column && read_task(t, s, '[', ']')) || read_end(t, s))
		return;
	add_frame(t, s);
}

static void
read_input(struct reader *r)
{
	struct tool t = {.reader = r, .event = UINT32_MAX, .top = UINT64_MAX};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&t.stack, r->sampler);
	while (reader_line(r, &line)) {
		size_t column = scan_blanks(&line);

		if (line.len > 0) {
			read_line(&t, line, column);
		} else if (!t.leaks && t.stack.n > 0) {
			reader_malformed(r, "a stack without a number before it");
			forget(&t);
		}
	}
	if (t.leaks)
		pass_leaks(&t);
	else if (t.stack.n > 0)
		reader_malformed(r, "a stack without a number");
	stack_free(&t.stack);
	text_free(&t.comm);
	text_free(&t.pid);
	free(t.leak);
	free(t.name);
}

/*
 * True if a line may be a frame or a task: a name as of C or C++, to reject numbers below the
 * examples of documents.
 */
static bool
is_plausible(struct str s)
{
	static const char odd[] = "'\"=;\\?#{}|%";
	const bool nested = memchr(s.s, '<', s.len) != NULL || memchr(s.s, '(', s.len) != NULL;
	const char c = s.s[0];
	value v;

	if (scan_value(s, &v) ||
	    !(c == '_' || c == '[' || c == '-' || c == '~' || (c >= '0' && c <= '9') ||
		((c | 32) >= 'a' && (c | 32) <= 'z')))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (strchr(odd, s.s[i]) != NULL)
			return false;
	return nested || (str_find(s, ",") == s.len && str_find(s, "> ") == s.len);
}

/* Whether a line is a frame, and whether a whole stack may be one of bcc; by lines in order. */
struct guess {
	bool frame, plausible;
};

static void
judge(struct guess *g, struct str lines)
{
	struct str s;
	uint64_t n;

	while (scan_line(&lines, &s)) {
		scan_blanks(&s);
		if (s.len == 0)
			continue;
		if (g->frame) /* an address may begin with digits only */
			scan_number(&s, &n);
		g->plausible = g->plausible && is_plausible(s);
		g->frame = (g->frame || memchr(s.s, ' ', s.len) == NULL || s.s[0] == '-' ||
			       str_starts(s, "ffffffff")) &&
			   s.s[0] != '@' && memchr(s.s, '`', s.len) == NULL &&
			   memchr(s.s, '"', s.len) == NULL && str_find(s, " : ") == s.len;
	}
}

/* Lines are judged when a line with a number follows. */
static int
sniff(const char *data, size_t len)
{
	static const char *const endings[] = {
	    "Hit Ctrl-C to end", "Ctrl+C to quit.", " for 1 secs."};
	struct str rest = {data, len}, line;
	const struct guess none = {.plausible = true};
	struct guess guess = none;
	const char *unjudged = data;
	bool head = false;

	if (len > 0 && data[0] == '{') /* JSON also has names and numbers on lines of their own */
		return 0;
	while (scan_line(&rest, &line)) {
		struct str s = line, next;
		uint64_t n;
		size_t column = scan_blanks(&s);

		if (s.len == 0)
			continue;
		if (str_ends(s, " allocations from stack") || str_starts(s, "waker:  "))
			return 95;
		if (column == 0) {
			if (!head &&
			    strchr("AST", s.s[0]) != NULL) /* Attaching, Sampling, Tracing */
				for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
					head |= str_find(s, endings[i]) < s.len;
			guess = none;
			unjudged = rest.s;
			continue;
		}
		if (!scan_number(&s, &n) || s.len > 0)
			continue;
		judge(&guess, (struct str){unjudged, (size_t)(line.s - unjudged)});
		unjudged = line.s;
		if (!guess.frame)
			continue;
		if (head)
			return 90;
		if ((!scan_line(&rest, &next) || next.len == 0) && guess.plausible)
			return 60;
		guess = none;
		unjudged = rest.s;
	}
	return 0;
}

const struct format bcc_format = {
    .provides = DATA_COMM | DATA_PID | DATA_CODE | DATA_EVENT | DATA_OFFSET,
    .sniff = sniff,
    .read = read_input,
};
