/*
 * crash: stacks of tasks in a kernel's dump, by the commands bt of the program crash:
 *
 *	PID: 18       TASK: ffff88003d8d2080  CPU: 0   COMMAND: "kworker/0:1"
 *	 #0 [ffff88003d8d9d08] __schedule at ffffffff8151ac75
 *	    [exception RIP: native_safe_halt+11]
 *	 #1 [ffff88003d8d9d80] worker_thread at ffffffff81090a11 [xfs]
 *	    /usr/src/linux/kernel/workqueue.c: 2045
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

struct dump {
	struct backtrace tasks;
	struct frame frame; /* read last, until the line of its source */
	struct text function, module, file;
	bool held;
	uint64_t rip; /* where the frame read last was interrupted; 0: it was not */
};

/* Adds the frame that was read last. */
static void
add(struct dump *d)
{
	if (!d->held)
		return;
	d->held = false;
	d->frame.function = text_as_str(&d->function);
	d->frame.module = text_as_str(&d->module);
	d->frame.file = text_as_str(&d->file);
	stack_frame(&d->tasks.stack, &d->frame);
}

static void
hold(struct dump *d, struct str function, struct str module)
{
	add(d);
	d->held = true;
	d->rip = 0;
	d->frame = (struct frame){.kind = FRAME_KERNEL};
	text_cut(&d->function, 0);
	text_cut(&d->module, 0);
	text_cut(&d->file, 0);
	if (!d->tasks.reader->options->offsets)
		function.len = plainname_without_offset(function);
	text_str(&d->function, function);
	text_str(&d->module, module.len > 0 ? module : str_of("[kernel]"));
}

/* Reads `PID: 18  TASK: ffff  CPU: 0  COMMAND: "kworker/0:1"`. */
static bool
read_task(struct dump *d, struct str s)
{
	struct str pid, comm;
	size_t at = str_find(s, "COMMAND: \"");

	if (!scan_word(&s, "PID:") || at == s.len || str_find(s, "TASK:") == s.len)
		return false;
	scan_blanks(&s);
	pid = scan_digits(&s);
	add(d);
	comm = str_from(s, str_find(s, "COMMAND: \"") + strlen("COMMAND: \""));
	comm.len = str_find_last(comm, "\"");
	backtrace_end(&d->tasks);
	backtrace_process(&d->tasks, pid);
	backtrace_thread(&d->tasks, comm, pid);
	if (pid.len == 0)
		reader_broken(d->tasks.reader, &d->tasks.stack, "not the number of a task");
	return true;
}

/* Reads `#0 [ffff88003d8d9d08] __schedule+0x2e at ffffffff8151ac75 [xfs]`. */
static bool
read_frame(struct dump *d, struct str s)
{
	struct str function, address, module = {0};
	uint64_t n, place;
	size_t at;

	if (!scan_word(&s, "#") || !scan_number(&s, &n) || scan_blanks(&s) == 0 ||
	    !scan_word(&s, "["))
		return false;
	scan_until(&s, ']');
	scan_blanks(&s);
	at = str_find(s, " at ");
	function = (struct str){s.s, at};
	address = str_from(s, at + strlen(" at "));
	at = str_find(address, " [");
	if (at < address.len)
		module = str_from(address, at + 1);
	address.len = at;
	if (function.len == 0 || address.len == 0 ||
	    text_hex(address.s, address.len, &place) != address.len)
		return false;
	if (d->held && d->rip > 0 && place == d->rip) /* that of the exception once more */
		return true;
	at = str_find(function, " (via "); /* a return address that a tracer replaced */
	function.len = at;
	hold(d, function, module);
	d->frame.address = place;
	d->frame.has_address = true;
	return true;
}

/* Reads `/usr/src/linux/kernel/workqueue.c: 2045`, the source of the frame above. */
static bool
read_source(struct dump *d, struct str s)
{
	size_t colon = str_find_last(s, ": ");
	struct str number = str_from(s, colon + strlen(": "));
	uint64_t line;

	if (!d->held || colon == s.len || memchr(s.s, '/', colon) == NULL ||
	    !scan_number(&number, &line) || number.len > 0)
		return false;
	text_str(&d->file, (struct str){s.s, colon});
	d->frame.line = (unsigned)line;
	return true;
}

/* True for registers, marks of stacks, and `(active)` of a task in user mode. */
static bool
is_known(struct str s)
{
	size_t n = 0;

	while (n < s.len && ((s.s[n] >= 'A' && s.s[n] <= 'Z') || (s.s[n] >= '0' && s.s[n] <= '9') ||
				s.s[n] == '_'))
		n++;
	return (n > 0 && n < s.len && s.s[n] == ':') || str_starts(s, "---") ||
	       str_starts(s, "(active)") || str_starts(s, "bt: ");
}

static void
read_line(struct dump *d, struct str s)
{
	struct reader *r = d->tasks.reader;

	if (read_task(d, s))
		return;
	if (s.len == 0) {
		add(d);
		backtrace_end(&d->tasks);
		return;
	}
	scan_blanks(&s);
	if (str_starts(s, "#")) {
		if (!read_frame(d, s))
			reader_broken(r, &d->tasks.stack, "not a frame of crash");
		else if (!d->tasks.open)
			reader_broken(r, &d->tasks.stack, "a frame without the line of its task");
	} else if (scan_word(&s, "[exception RIP: ")) {
		s.len = str_find_last(s, "]");
		if (!str_starts(s, "unknown or invalid"))
			hold(d, s, (struct str){0});
	} else if (scan_word(&s, "RIP: ")) {
		text_hex(s.s, s.len, &d->rip);
	} else if (d->tasks.open && !read_source(d, s) && !is_known(s)) {
		reader_broken(r, &d->tasks.stack, "not a frame of crash");
	}
}

static void
read_input(struct reader *r)
{
	struct dump d = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.tasks, r, true);
	while (reader_line(r, &line))
		read_line(&d, line);
	add(&d);
	backtrace_end(&d.tasks);
	backtrace_free(&d.tasks);
	text_free(&d.function);
	text_free(&d.module);
	text_free(&d.file);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (str_starts(line, "PID: ") && str_find(line, "TASK: ") < line.len &&
		    str_find(line, "COMMAND: \"") < line.len)
			return 97;
	return 0;
}

const struct format crash_format = {
    .provides =
	DATA_TASK | DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ADDRESS | DATA_ORDER | DATA_OFFSET,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
