/*
 * gdb: output of `thread apply all bt`, `bt full` and pstack:
 *
 *	Thread 2 (Thread 0x7f5 (LWP 9119) "worker"):
 *	#0  0x00005598 in (anonymous namespace)::mix (x=1) at work.cpp:14
 *	#1  std::function<int (int)>::operator() (this=0x1, __args#0=2) at /usr/include/f.h:9
 *	#2  0x00007fa5 in ?? () from /lib/libstdc++.so.6
 *
 * The local variables of `bt full` are in between. A frame is inlined into its caller if
 * the caller has no address: gdb omits an address that is the same. With `set print address off`
 * no frame has an address, and inlined frames are not marked.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

#define JOINED_LINE_MAX 100000 /* limit of bytes of a frame that spans several lines */

struct dump {
	struct backtrace threads;
	struct text line; /* the current frame, with its continuation lines */
	bool open; /* there is a current frame */
	bool addresses; /* the input has addresses */
	int number; /* of the last frame of the stack; -1: none */
};

/* Reads `at FILE:LINE` or `from LIBRARY` after the arguments. */
static void
read_place(struct frame *f, struct str s)
{
	size_t at = str_find_last(s, ") at "), from = str_find_last(s, ") from ");

	if (from < s.len) {
		f->module = str_from(s, from + strlen(") from "));
		f->kind = frame_kind_of(f->module);
	}
	if (at < s.len) {
		struct str source = str_from(s, at + strlen(") at "));
		size_t colon = str_find_last(source, ":");
		uint64_t line;

		f->file = source;
		if (colon < source.len) {
			struct str number = str_from(source, colon + 1);

			if (scan_number(&number, &line) && number.len == 0) {
				f->file.len = colon;
				f->line = (unsigned)line;
			}
		}
	}
}

/* True if a frame's line is complete: gdb wraps lines at the width of a terminal. */
static bool
is_complete(struct str s)
{
	struct frame f = {0};

	if (s.len > 0 && (s.s[s.len - 1] == ')' || s.s[s.len - 1] == '>'))
		return true;
	read_place(&f, s);
	return f.line != 0 || f.module.len != 0;
}

/* Adds the current frame. below: its caller has no address. */
static void
pass_frame(struct dump *d, bool below)
{
	struct str s = text_as_str(&d->line);
	struct frame f = {0};
	uint64_t number;

	if (!d->open)
		return;
	d->open = false;
	scan_word(&s, "#");
	scan_number(&s, &number);
	scan_blanks(&s);
	if (scan_hex(&s, &f.address)) {
		f.has_address = true;
		scan_word(&s, " in ");
	}
	f.inlined = below && !str_starts(s, "<signal handler called>");
	f.function = s;
	f.function.len = plainname_before_arguments(s);
	read_place(&f, s);
	if (str_is(f.function, "??"))
		f.function.len = 0;
	stack_function(&d->threads.stack, f);
}

/* Reads `Thread 4 (Thread 0x7fa (LWP 9119) "wk er/2"):` or `Thread 1 (process 12):`. */
static bool
read_thread(struct dump *d, struct str s)
{
	struct str name = {0}, tid = {0}, number;
	uint64_t n;
	size_t lwp;

	if (!scan_word(&s, "Thread ") || !scan_number(&s, &n) || !scan_word(&s, " (") ||
	    !str_ends(s, "):"))
		return false;
	pass_frame(d, false);
	d->number = -1;
	lwp = str_find(s, "LWP ");
	if (lwp < s.len)
		number = str_from(s, lwp + strlen("LWP "));
	else if (!str_starts(s, "process "))
		number = (struct str){0};
	else
		number = str_from(s, strlen("process "));
	tid = number;
	if (scan_number(&number, &n))
		tid.len -= number.len;
	else
		tid.len = 0;
	if (str_ends(s, "\"):")) {
		name = str_from(s, str_find(s, "\"") + 1);
		name.len = name.len > 3 ? name.len - 3 : 0;
	}
	backtrace_thread(&d->threads, name, tid);
	return true;
}

/* Number of a line that begins with `#12 `, or -1. */
static int
frame_number(struct str s)
{
	uint64_t n;

	return scan_word(&s, "#") && scan_number(&s, &n) && scan_blanks(&s) > 0 && s.len > 0
		   ? (int)(n & 0xffffff)
		   : -1;
}

static bool
has_address(struct str s)
{
	uint64_t n;

	scan_word(&s, "#");
	scan_number(&s, &n);
	scan_blanks(&s);
	return scan_hex(&s, &n) || str_starts(s, "<signal handler");
}

/* True if a frame in the first bytes of the input has an address. */
static bool
has_addresses(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (frame_number(line) >= 0 && has_address(line))
			return true;
	return false;
}

static void
read_input(struct reader *r)
{
	struct dump d = {.number = -1};
	struct str line;
	size_t len;
	const char *data = lines_peek(r->lines, &len);

	d.addresses = has_addresses(data, len);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.threads, r, false);
	while (reader_line(r, &line)) {
		int number = frame_number(line);

		if (number >= 0) {
			pass_frame(&d, number > 0 && d.addresses && !has_address(line));
			if (number == 0 && (d.threads.stack.n > 0 || d.threads.stack.broken))
				backtrace_end(&d.threads);
			/* bt -5 begins with another number than 0. */
			if (number != d.number + 1 && number > 0 &&
			    (d.threads.stack.n > 0 || d.threads.open))
				reader_broken(r, &d.threads.stack, "a frame before it is missing");
			d.number = number;
			text_cut(&d.line, 0);
			text_str(&d.line, line);
			d.open = true;
		} else if (d.open && str_starts(line, "    ") && d.line.len < JOINED_LINE_MAX &&
			   !is_complete(text_as_str(&d.line))) {
			text_char(&d.line, ' ');
			text_str(&d.line, str_trim(line));
		} else if (read_thread(&d, line)) {
			continue;
		} else if (str_starts(line, "#")) {
			reader_broken(r, &d.threads.stack, "not a frame of gdb");
		} else if (line.len > 0 && !d.open) {
			backtrace_odd(&d.threads);
		}
	}
	pass_frame(&d, false);
	backtrace_end(&d.threads);
	backtrace_free(&d.threads);
	text_free(&d.line);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	int sure = 0;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		if (str_starts(line, "Thread ") && str_ends(line, "):") &&
		    (str_find(line, "LWP ") < line.len || str_find(line, "(process ") < line.len))
			return 95;
		if (frame_number(line) < 0)
			continue;
		scan_until(&line, ' ');
		scan_blanks(&line);
		if (scan_hex(&line, &n) && scan_word(&line, " in ") &&
		    plainname_before_arguments(line) < line.len)
			return 95;
		if (plainname_before_arguments(line) < line.len &&
		    str_find(line, ") at ") < line.len)
			sure = 80;
	}
	return sure;
}

const struct format gdb_format = {
    .provides = DATA_COMM | DATA_TID | DATA_CODE | DATA_ORDER | DATA_THREAD_NAMES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
