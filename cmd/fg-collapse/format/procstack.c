/*
 * procstack: output of AIX's procstack,
 *
 *	14680394: /usr/sbin/syncd 60
 *	---------- tid# 24576019 (pthread ID:      1) ----------
 *	0xd0119da4  __fd_select(??, ??, ??) + 0xe4
 *	0x10000a5c  main(??, ??) + 0x23c
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/scan.h"

struct dump {
	struct backtrace threads;
	struct text command;
	struct str none;
};

/* Reads `14680394: /usr/sbin/syncd 60`. */
static bool
read_process(struct dump *d, struct str s)
{
	struct str pid = scan_digits(&s);

	if (pid.len == 0 || !scan_word(&s, ":") || scan_blanks(&s) == 0 || s.len == 0)
		return false;
	backtrace_process(&d->threads, pid);
	text_cut(&d->command, 0);
	text_str(&d->command, scan_until(&s, ' '));
	backtrace_thread(&d->threads, text_as_str(&d->command), d->none);
	return true;
}

static bool
read_thread(struct dump *d, struct str s)
{
	struct str tid;

	if (!scan_word(&s, "---------- tid# "))
		return false;
	tid = scan_digits(&s);
	if (tid.len == 0)
		return false;
	backtrace_thread(&d->threads, text_as_str(&d->command), tid);
	return true;
}

static bool
read_frame(struct dump *d, struct str s)
{
	struct frame f = {.has_address = true};
	size_t at;

	if (!scan_hex(&s, &f.address) || scan_blanks(&s) == 0 || s.len == 0)
		return false;
	at = str_find_last(s, " + 0x");
	f.function = (struct str){s.s, at};
	if (str_starts(f.function, "?") ||
	    (str_starts(f.function, "[") && str_ends(f.function, "]")))
		f.function.len = 0;
	stack_function(&d->threads.stack, f);
	return true;
}

static void
read_input(struct reader *r)
{
	struct dump d = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.threads, r, true);
	while (reader_line(r, &line))
		if (line.len > 0 && !read_process(&d, line) && !read_thread(&d, line) &&
		    !read_frame(&d, line))
			reader_broken(r, &d.threads.stack, "not a line of procstack");
	backtrace_end(&d.threads);
	backtrace_free(&d.threads);
	text_free(&d.command);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool process = false;

	while (scan_line(&rest, &line)) {
		uint64_t n;
		struct str s = line;

		if (str_starts(line, "---------- tid# "))
			return 97;
		if (process && scan_hex(&s, &n) && str_find(s, ") + 0x") < s.len)
			return 90;
		s = line;
		if (scan_number(&s, &n))
			process = scan_word(&s, ": ");
	}
	return 0;
}

const struct format procstack_format = {
    .provides = DATA_TASK | DATA_ADDRESS | DATA_ORDER,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
