/*
 * kernelstack: the contents of /proc/PID/stack, of one thread or of several,
 *
 *	[<0>] do_sys_poll+0x4f5/0x590
 *	[<0>] do_syscall_64+0x73/0x130
 *	[<0>] entry_SYSCALL_64_after_hwframe+0x76/0x7e
 *
 * cat joins files without a separator, so a stack ends at a kernel entry point. head, tail
 * and grep print the path: `==> /proc/12/stack <==`, `/proc/12/stack:[<0>] ...`; the path
 * /proc/PID/task/TID/stack also contains the thread.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"

/* Takes `/proc/12/stack` or `/proc/12/task/13/stack` from the front of s. */
static bool
scan_file(struct str *s, struct str *pid, struct str *tid)
{
	struct str rest = *s;

	if (!scan_word(&rest, "/proc/"))
		return false;
	*pid = *tid = scan_digits(&rest);
	if (scan_word(&rest, "/task/"))
		*tid = scan_digits(&rest);
	if (!scan_word(&rest, "/stack"))
		return false;
	*s = rest;
	return true;
}

static void
begin(struct backtrace *b, struct str pid, struct str tid)
{
	if (b->open && str_equal(tid, text_as_str(&b->tid)))
		return;
	backtrace_end(b);
	backtrace_process(b, pid);
	backtrace_thread(b, (struct str){0}, tid);
}

static void
read_input(struct reader *r)
{
	struct backtrace b;
	struct str line;
	bool entered = false; /* the last frame read is a kernel entry point */

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, false);
	while (reader_line(r, &line)) {
		struct str pid = {0}, tid = {0}, s = line, function;

		if (s.len == 0) {
			backtrace_end(&b);
			continue;
		}
		if (scan_word(&s, "==> ")) {
			if (scan_file(&s, &pid, &tid))
				begin(&b, pid, tid);
			else
				reader_broken(r, &b.stack, "not the stack of a thread");
			continue;
		}
		if (scan_file(&s, &pid, &tid)) {
			scan_word(&s, ":");
			begin(&b, pid, tid);
		}
		function = s;
		scan_until(&function, ' ');
		if (entered && !b.open && !kernelframe_is_entry(function))
			backtrace_end(&b);
		entered = kernelframe_is_entry(function);
		if (!kernelframe_add(&b.stack, r->options, s)) {
			reader_broken(r, &b.stack, "not a frame of the kernel");
			continue;
		}
		if (str_starts(function, "0xffffffffffffffff")) { /* end of a stack before 5.0 */
			b.stack.n--;
			backtrace_end(&b);
		}
	}
	backtrace_end(&b);
	backtrace_free(&b);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	for (int i = 0; i < 100 && scan_line(&rest, &line); i++) {
		struct str pid, tid;

		if (scan_file(&line, &pid, &tid))
			scan_word(&line, ":");
		if (str_starts(line, "[<") && str_find(line, ">] ") < line.len)
			return 95;
	}
	return 0;
}

const struct format kernelstack_format = {
    .provides = DATA_PID | DATA_TID | DATA_MODULE | DATA_KIND | DATA_ORDER | DATA_OFFSET,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
