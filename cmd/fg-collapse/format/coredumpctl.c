/*
 * coredumpctl: the stacks in the output of systemd's coredumpctl info, and in its journal:
 *
 *	           PID: 635109 (java)
 *	       Message: Process 635109 (java) of user 1000 dumped core.
 *
 *	                Stack trace of thread 635167:
 *	                #0  0x00007237452cb3f4 n/a (libc.so.6 + 0x963f4)
 *	                #1  0x0000723745272120 raise (libc.so.6 + 0x3d120)
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

static const char heading[] = "Stack trace of thread ";

struct dump {
	struct backtrace threads;
	struct text comm; /* of the current process */
	struct text function;
};

/* Reads `635109 (java)`. */
static bool
read_process(struct dump *d, struct str s)
{
	struct str pid = scan_digits(&s);

	if (pid.len == 0 || !str_starts(s, " ("))
		return false;
	s = str_from(s, strlen(" ("));
	s.len = str_find(s, ")");
	backtrace_end(&d->threads);
	backtrace_process(&d->threads, pid);
	text_cut(&d->comm, 0);
	text_str(&d->comm, s);
	return true;
}

/* Reads `#0  0x00007237452cb3f4 raise (libc.so.6 + 0x3d120)`. */
static bool
read_frame(struct dump *d, struct str s)
{
	struct frame f = {.has_address = true};
	size_t open, plus;
	uint64_t n;

	if (!scan_word(&s, "#") || !scan_number(&s, &n) || scan_blanks(&s) == 0 ||
	    !scan_hex(&s, &f.address) || scan_blanks(&s) == 0)
		return false;
	open = str_ends(s, ")") ? str_find_last(s, " (") : s.len;
	if (open == s.len)
		return false;
	f.function = (struct str){s.s, open};
	f.module = str_from(s, open + strlen(" ("));
	plus = str_find_last(f.module, " + 0x");
	f.module.len = plus < f.module.len ? plus : f.module.len - 1;
	if (str_is(f.function, "n/a"))
		f.function.len = 0;
	if (str_is(f.module, "n/a"))
		f.module.len = 0;
	f.kind = frame_kind_of(f.module);
	text_cut(&d->function, 0);
	plainname_demangle(&d->function, f.function);
	f.function = text_as_str(&d->function);
	stack_frame(&d->threads.stack, &f);
	return true;
}

static void
read_line(struct dump *d, struct str s)
{
	struct reader *r = d->threads.reader;

	scan_blanks(&s);
	if (scan_word(&s, "PID: ")) {
		read_process(d, s);
	} else if (scan_word(&s, "Message: ") || str_starts(s, "Process ")) {
		if (scan_word(&s, "Process "))
			read_process(d, s);
	} else if (scan_word(&s, heading)) {
		struct str tid = scan_until(&s, ':');
		uint64_t n;

		backtrace_thread(&d->threads, text_as_str(&d->comm), tid);
		if (!scan_number(&tid, &n) || tid.len > 0)
			reader_broken(r, &d->threads.stack, "not the number of a thread");
	} else if (str_starts(s, "#")) {
		if (!read_frame(d, s))
			reader_broken(r, &d->threads.stack, "not a frame of coredumpctl");
		else if (!d->threads.open)
			reader_broken(
			    r, &d->threads.stack, "a frame without the line of its thread");
	} else if (d->threads.open) {
		if (s.len == 0 || str_starts(s, "ELF object binary"))
			backtrace_end(&d->threads);
		else
			reader_broken(r, &d->threads.stack, "not a frame of coredumpctl");
	}
}

static void
read_input(struct reader *r)
{
	struct dump d = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.threads, r, true);
	while (reader_line(r, &line))
		read_line(&d, line);
	backtrace_end(&d.threads);
	backtrace_free(&d.threads);
	text_free(&d.comm);
	text_free(&d.function);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool heads = false;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		scan_blanks(&line);
		if (heads && scan_word(&line, "#") && scan_number(&line, &n) &&
		    scan_blanks(&line) > 0 && scan_hex(&line, &n))
			return 97;
		heads = scan_word(&line, heading) && scan_number(&line, &n) && str_is(line, ":");
	}
	return 0;
}

const struct format coredumpctl_format = {
    .provides = DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_ORDER,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
