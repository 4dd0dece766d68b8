/*
 * sysrq: stacks of tasks in the kernel's log, from SysRq-T, -W and -L, and from reports of
 * hung tasks and lockups:
 *
 *	[  12.5] task:kworker/0:1     state:D stack:0     pid:18    ppid:2      flags:0x4000
 *	[  12.5] Call Trace:
 *	[  12.5]  <TASK>
 *	[  12.5]  __schedule+0x2e3/0x740
 *	[  12.5]  ? preempt_count_add+0x6a/0xa0
 *
 * and older, `kworker/0:1     D    0    18      2 0x00004000`, ` [<ffffffff81060ad0>]
 * schedule+0x29/0x70`. Frames with ? are addresses on the stack that the kernel's unwinder
 * does not consider reliable. The function that ran is at `RIP: 0010:`, above the trace; inside of
 * it, this is the function that an interrupt or an exception interrupted.
 */
#include "fg-collapse/format.h"

#include "base/text.h"
#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"

struct log {
	struct backtrace b;
	uint64_t trace; /* line of the current `Call Trace:`; 0: none */
	uint64_t odd; /* its first line that is neither a frame nor known; 0: none */
	bool damaged; /* a line since the last stack or task is damaged */
	bool frames; /* in the trace */
	bool entered; /* the last frame is an entry point of the kernel, or the trace has ended */
};

/* The text after a time as `[   12.500002] `, whose digits may be damaged; else empty. */
static struct str
after_time(struct str s)
{
	size_t open = str_find(s, "["), end = str_find(s, "] ");

	if (end == s.len || end < open + 9 || end > open + 14 || s.s[end - 7] != '.')
		return (struct str){0};
	return str_from(s, end + 2);
}

/*
 * The kernel's message in s, without the time and the prefixes of syslog and journalctl; *damaged:
 * the time is not a number.
 */
static struct str
message(struct str s, bool *damaged)
{
	const struct str line = s;
	size_t at = str_find(s, "kernel: ");
	struct str rest;
	value v;

	if (at < s.len && at < 100)
		s = str_from(s, at + strlen("kernel: "));
	at = str_find(s, ">");
	if (str_starts(s, "<") && at <= 4 && at < s.len) /* log level */
		s = str_from(s, at + 1);
	rest = s;
	if (scan_word(&rest, "[") && str_find(rest, "] ") < 40) {
		struct str time = scan_until(&rest, ']'), digits = str_trim(time);

		if (digits.len > 0 && ((scan_decimal(&digits, &v) && digits.len == 0) ||
					  str_find(time, ":") < time.len)) {
			scan_word(&rest, " ");
			/* The thread or CPU that logged it. */
			at = str_find(rest, "] ");
			if (str_starts(rest, "[") && at < 14 && at < rest.len &&
			    !str_starts(rest, "[<"))
				rest = str_from(rest, at + 2);
			return rest;
		}
	}
	rest = after_time(line);
	*damaged |= rest.len > 0;
	return rest.len > 0 ? rest : s;
}

static struct str
number_after(struct str s, const char *after)
{
	size_t at = str_find(s, after);

	if (at == s.len)
		return (struct str){0};
	s = str_from(s, at + strlen(after));
	scan_blanks(&s);
	return scan_digits(&s);
}

/* Completes the stack of the current task. */
static void
end(struct log *l)
{
	if (l->odd > 0 && l->b.stack.n == 0 && !l->b.stack.broken)
		reader_refuse(
		    l->b.reader, l->odd, "not a frame of the kernel, after a line Call Trace:");
	backtrace_end(&l->b);
	l->trace = l->odd = 0;
	l->frames = l->entered = false;
}

static void
begin(struct log *l, struct str comm, struct str pid, struct str state)
{
	end(l);
	l->damaged &= comm.len == 0;
	backtrace_process(&l->b, pid);
	backtrace_thread(&l->b, str_trim(comm), pid);
	backtrace_state(&l->b, state);
}

/* Reads `task:name   state:D stack:0 pid:18 ...`. */
static bool
read_task(struct log *l, struct str s)
{
	struct str comm, state;
	size_t at;

	if (!scan_word(&s, "task:"))
		return false;
	at = str_find(s, " state:");
	comm = (struct str){s.s, at};
	state = str_from(s, at < s.len ? at + strlen(" state:") : at);
	state.len = str_find(state, " ");
	begin(l, comm, number_after(s, " pid:"), state);
	return true;
}

/* Reads `name      D    0    18      2 0x00004000`, also with an address after the state. */
static bool
read_old_task(struct log *l, struct str s)
{
	struct str comm = {s.s, s.len < 15 ? s.len : 15}, state, rest, pid;
	uint64_t n;

	if (s.len < 30 || s.s[0] == ' ' || !str_starts(str_from(s, 15), " "))
		return false;
	rest = str_from(s, 15);
	scan_blanks(&rest);
	state = scan_until(&rest, ' ');
	if (state.len != 1 || strchr("RSDTtXZPIK", state.s[0]) == NULL)
		return false;
	scan_blanks(&rest);
	if (!scan_word(&rest, "running task") && str_find(rest, " ") > 7)
		scan_until(&rest, ' '); /* skip an address */
	scan_blanks(&rest);
	if (!scan_number(&rest, &n) || scan_blanks(&rest) == 0) /* free stack */
		return false;
	pid = rest;
	if (!scan_number(&rest, &n))
		return false;
	pid.len -= rest.len;
	begin(l, comm, pid, state);
	return true;
}

/* Reads `CPU: 11 PID: 1505 Comm: cloudflared Not tainted 5.4.0`. */
static bool
read_processor(struct log *l, struct str s)
{
	struct str comm;
	size_t at;

	if (!scan_word(&s, "CPU: "))
		return false;
	at = str_find(s, " Comm: ");
	if (at == s.len)
		return false;
	comm = str_from(s, at + strlen(" Comm: "));
	comm.len = str_find(comm, " Kdump: loaded");
	at = str_find(comm, " Not tainted");
	if (at == comm.len)
		at = str_find(comm, " Tainted:");
	comm.len = at;
	begin(l, comm, number_after(s, " PID: "), str_of("R"));
	return true;
}

/* True for a register of arm, arm64 or riscv, whose function is also the first of the trace. */
static bool
is_register(struct str s)
{
	static const char *const word[] = {
	    "pc : ", "lr : ", "epc : ", "ra : ", "PC is at ", "LR is at "};

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		if (str_starts(s, word[i]))
			return true;
	return false;
}

/* True for the line before an older stack in a report: of an allocation, of the page's owner. */
static bool
is_older(struct str s)
{
	return str_ends(s, ":") &&
	       (str_find(s, "llocated by task ") < 2 || str_find(s, "reed by task ") < 2 ||
		   str_ends(s, "work creation:") ||
		   (str_starts(s, "page last free ") && str_ends(s, " stack trace:")));
}

/* True for a line of a trace without a frame: a mark of the stack, registers. */
static bool
is_known(struct str s)
{
	static const char *const word[] = {"Code: ", "RSP: ", "RAX: ", "RDX: ", "RBP: ", "R10: ",
	    "R13: ", "FS: ", "CS: ", "CR2: ", "DR0: ", "DR3: ", "PKRU: ", "EFLAGS: ", "ORIG_RAX: ",
	    "RIP: 0033:", "RIP: 0023:", "EIP: 0x",
	    "EAX: ", "ESI: ", "DS: ", "CR0: ", "Modules linked", "=", "---", "? "};

	for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
		if (str_starts(s, word[i]))
			return true;
	return s.len == 0 || s.s[0] == '<' || is_register(s) || str_find(s, "] ? ") < s.len;
}

/* True for a line whose last word is like `name+0x1f/0x30`, behind damage. */
static bool
resembles_frame(struct str s)
{
	size_t blank = str_find_last(s, " ");
	struct str word = str_from(s, blank < s.len ? blank + 1 : 0);
	const char *plus = memchr(word.s, '+', word.len);

	return plus != NULL && plus > word.s &&
	       memchr(plus, '/', (size_t)(word.s + word.len - plus)) != NULL;
}

/* Reads a line after `Call Trace:`; blanks: its number before the text. */
static void
read_frame(struct log *l, struct str s, size_t blanks)
{
	struct stack *stack = &l->b.stack;
	struct str function = s;

	if (is_known(s)) {
		l->entered |= str_is(s, "</TASK>");
		return;
	}
	if (kernelframe_add(stack, l->b.reader->options, s)) {
		/* A frame after the end: the lines between were not of another message. */
		if ((!l->frames || l->odd > 0) && !l->entered)
			reader_broken(
			    l->b.reader, stack, "a stack with a line that is not a frame");
		else if (!l->frames)
			stack->n--;
		scan_until(&function, ']');
		l->entered |= kernelframe_is_entry(s) ||
			      (str_starts(s, "[<") && kernelframe_is_entry(str_trim(function)));
		return;
	}
	if (!l->frames || l->entered)
		return;
	if (resembles_frame(s))
		reader_broken(l->b.reader, stack, "not a frame of the kernel");
	else if (blanks == 0)
		l->frames = false; /* another message */
	else if (l->odd == 0)
		l->odd = l->b.reader->number;
}

static void
read_line(struct log *l, struct str s)
{
	struct reader *r = l->b.reader;
	size_t blanks;

	if (read_task(l, s) || read_processor(l, s) || read_old_task(l, s))
		return;
	blanks = scan_blanks(&s);
	if (str_starts(s, "Call Trace:") || str_starts(s, "Call trace:") ||
	    str_starts(s, "Backtrace:") || (blanks == 0 && is_older(s))) {
		if (!l->b.open || l->trace > 0)
			begin(l, (struct str){0}, (struct str){0}, (struct str){0});
		if (l->damaged)
			reader_broken(r, &l->b.stack, "a stack after a line that is damaged");
		l->damaged = false;
		l->trace = r->number;
		l->frames = true;
	} else if (l->b.open && (scan_word(&s, "RIP: 0010:") || scan_word(&s, "RIP: e030:") ||
				    scan_word(&s, "EIP: "))) {
		if (kernelframe_add(&l->b.stack, r->options, s))
			l->entered = false;
	} else if (l->trace > 0) {
		read_frame(l, s, blanks);
	} else if (l->b.open && !is_register(s) && resembles_frame(s)) {
		reader_broken(r, &l->b.stack, "a frame without a line Call Trace: before it");
	}
}

static void
read_input(struct reader *r)
{
	struct log l = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&l.b, r, true);
	while (reader_line(r, &line)) {
		line = message(line, &l.damaged);
		read_line(&l, line);
	}
	end(&l);
	backtrace_free(&l.b);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool damaged = false;
	int sure = 0;

	if (str_find(rest, "task:") == len && str_find(rest, "all Trace:") == len &&
	    str_find(rest, "all trace:") == len) /* most input */
		return 0;
	while (scan_line(&rest, &line)) {
		struct str s = message(line, &damaged);

		if (str_starts(s, "task:") && str_find(s, " state:") < s.len)
			return 95;
		scan_blanks(&s);
		if (str_is(s, "Call Trace:") || str_is(s, "Call trace:"))
			sure = 80;
	}
	return sure;
}

const struct format sysrq_format = {
    .provides =
	DATA_TASK | DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ORDER | DATA_STATE | DATA_OFFSET,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
