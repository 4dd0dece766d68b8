/*
 * ftrace: stacks in the text of the kernel's trace file, each after an event:
 *
 *	# tracer: nop
 *	    bash-1234    [001] d..2.  1234.567890: kmem_cache_alloc: call_site=...
 *	    bash-1234    [001] d..2.  1234.567891: <stack trace>
 *	 => kmem_cache_alloc
 *	 => entry_SYSCALL_64_after_hwframe
 *	    bash-1234    [001] d..2.  1234.567892: <user stack trace>
 *	 => /usr/lib/libc.so.6[+0x10de2c]
 *
 * The stacks of an event are a sample of it. Events without a stack are left out.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/account.h"
#include "sample/events.h"

struct trace {
	struct reader *reader;
	struct stack stack;
	bool open; /* an event was read */
	bool stacked; /* and the line of its stack */
	bool user; /* of its user stack */
	struct text event, comm, pid;
	uint64_t time;
};

static void
end(struct trace *t)
{
	struct sampler *s = t->reader->sampler;
	const struct sample_task task = {.comm = text_as_str(&t->comm),
	    .pid = text_as_str(&t->pid),
	    .tid = text_as_str(&t->pid)};

	if (t->stacked && t->stack.n == 0)
		reader_broken(t->reader, &t->stack, "a stack trace without frames");
	if (t->stack.n == 0 && !t->stack.broken)
		sample_leave_out(s, t->open);
	else
		stack_sample(&t->stack, &task,
		    sampler_event(s, text_as_str(&t->event), str_of(FOLDED_SAMPLES)), t->time,
		    VALUE_ONE);
	t->stack.broken = t->open = t->stacked = t->user = false;
}

/* Reads a task, `bash-1234`. */
static bool
scan_task(struct str task, struct str *comm, struct str *pid)
{
	size_t dash = str_find_last(task, "-");
	struct str digits = str_from(task, dash + 1);
	uint64_t n;

	*pid = digits;
	*comm = (struct str){task.s, dash};
	return dash > 0 && scan_number(&digits, &n) && digits.len == 0;
}

/* scan_head for a latency tracer, `bash-1234  1dN.1 24683us+: `: its times are relative. */
static bool
scan_latency(struct str *s, struct str *comm, struct str *pid, uint64_t *time)
{
	struct str rest = *s, words;
	size_t us = str_find(rest, "us"), colon = str_find(rest, ": ");
	uint64_t n;

	if (us == rest.len || colon < us || colon > us + 4)
		return false;
	words = (struct str){rest.s, us};
	words.len = str_find_last(words, " "); /* without the time */
	rest = str_from((struct str){rest.s, us}, words.len + 1);
	words = str_trim(words);
	words.len = str_find_last(words, " "); /* without the CPU and flags */
	if (!scan_number(&rest, &n) || rest.len > 0 || !scan_task(str_trim(words), comm, pid))
		return false;
	*time = n <= UINT64_MAX / 1000 ? n * 1000 : SAMPLE_NO_TIME;
	*s = str_from(*s, colon + 2);
	return true;
}

/*
 * Reads the head of a line, `bash-1234    [001] d..2.  1234.567890: `; the comm may have blanks
 * and dashes. False if s is something else.
 */
static bool
scan_head(struct str *s, struct str *comm, struct str *pid, uint64_t *time)
{
	struct str rest = *s, task;
	size_t bracket = str_find(rest, " [");
	uint64_t n;
	value v;

	task = str_trim((struct str){rest.s, bracket});
	if (bracket == rest.len)
		return scan_latency(s, comm, pid, time);
	rest = str_from(rest, bracket + strlen(" ["));
	if (task.len > 0 && task.s[task.len - 1] == ')') /* the option record-tgid */
		task = str_trim((struct str){task.s, str_find_last(task, "(")});
	if (!scan_task(task, comm, pid) || !scan_number(&rest, &n) || !scan_word(&rest, "]"))
		return false;
	for (int word = 0; word < 2; word++) { /* flags, if there are any, then the time */
		scan_blanks(&rest);
		if (scan_decimal(&rest, &v) && scan_word(&rest, ": ")) {
			*time = sample_ns(v, 1000000000);
			*s = rest;
			return true;
		}
		scan_until(&rest, ' ');
	}
	return false;
}

/* Reads an event: its name is the first word, that of the function tracer has none. */
static void
begin(struct trace *t, struct str s, struct str comm, struct str pid, uint64_t time)
{
	size_t colon = str_find(s, ":");

	end(t);
	t->open = true;
	t->time = time;
	text_cut(&t->event, 0);
	text_cut(&t->comm, 0);
	text_cut(&t->pid, 0);
	text_str(
	    &t->event, str_find(s, " <-") < s.len ? str_of("function") : (struct str){s.s, colon});
	text_str(&t->comm, comm);
	text_str(&t->pid, pid);
}

/* Reads ` => vfs_read+0x1f5/0x290 <ffffffff8120>`, or ` => /lib/libc.so.6[+0x10de2c]`. */
static bool
read_frame(struct trace *t, struct str s)
{
	struct frame f = {.kind = FRAME_KERNEL, .module = str_of("[kernel]")};
	size_t at;

	s = str_trim(s);
	if (s.len == 0)
		return false;
	if (t->user) {
		f.kind = FRAME_USER;
		f.module = (struct str){s.s, str_find(s, "[+0x")};
		s = str_from(s, f.module.len);
		if (scan_word(&s, "[+"))
			f.has_address = scan_hex(&s, &f.address);
		if (str_starts(f.module, "<"))
			f.module.len = 0;
		f.kind = frame_kind_of(f.module);
		stack_frame(&t->stack, &f);
		return true;
	}
	at = str_find(s, " <");
	s.len = at;
	at = str_ends(s, "]") ? str_find_last(s, " [") : s.len;
	if (at < s.len) {
		f.module = str_from(s, at + 1);
		s.len = at;
	}
	if (str_find(s, " ") < s.len)
		return false;
	f.function = s;
	if (!t->reader->options->offsets)
		f.function.len = plainname_without_offset(s);
	if (str_starts(s, "<") || str_starts(s, "0x"))
		f.function.len = 0;
	stack_frame(&t->stack, &f);
	return true;
}

static void
read_line(struct trace *t, struct str s)
{
	struct str comm, pid, frame = s;
	uint64_t time;

	scan_blanks(&frame);
	if (scan_word(&frame, "=>")) {
		if (!t->stacked)
			reader_broken(
			    t->reader, &t->stack, "a frame without the line of its stack");
		else if (!read_frame(t, frame))
			reader_broken(t->reader, &t->stack, "not a frame of ftrace");
	} else if (!scan_head(&s, &comm, &pid, &time)) {
		/* The kernel reports the number of lost events: CPU:1 [LOST 12 EVENTS]. */
		if (t->stacked && frame.len > 0 && !str_starts(frame, "CPU:"))
			reader_broken(t->reader, &t->stack, "not a frame of ftrace");
		else if (frame.len > 0 && !str_starts(frame, "CPU:"))
			reader_malformed(t->reader, "not an event of ftrace");
	} else if (str_is(s, "<stack trace>") || str_is(s, "<user stack trace>")) {
		/* A stack without an event (trace_dump_stack), or another one of its kind. */
		if (!t->open || (t->stacked && t->user >= (s.s[1] == 'u')))
			begin(t, str_of("stack:"), comm, pid, time);
		t->stacked = true;
		t->user = s.s[1] == 'u';
	} else {
		begin(t, s, comm, pid, time);
	}
}

static void
read_input(struct reader *r)
{
	struct trace t = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&t.stack, r->sampler);
	while (reader_line(r, &line))
		if (line.len > 0 && line.s[0] != '#')
			read_line(&t, line);
	end(&t);
	stack_free(&t.stack);
	text_free(&t.event);
	text_free(&t.comm);
	text_free(&t.pid);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line, comm, pid;
	uint64_t time;

	if (str_find(rest, "stack trace>") == len) /* most input */
		return 0;
	while (scan_line(&rest, &line))
		if (scan_head(&line, &comm, &pid, &time) &&
		    (str_is(line, "<stack trace>") || str_is(line, "<user stack trace>")))
			return 97;
	return 0;
}

const struct format ftrace_format = {
    .provides =
	DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES | DATA_EVENT | DATA_OFFSET,
    .single = true,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
