/*
 * eustack: output of elfutils' eu-stack, with any of its options -m -i -s -a -b -r:
 *
 *	PID 9115 - process
 *	TID 9117:
 *	#0  0x00007fa54b283f16 __futex_abstimed_wait - /usr/lib/libc.so.6
 *	    ./nptl/futex-internal.c:57:12
 *	#1  0x00007fa54b288ce3
 *
 * Consecutive frames with one address and different names are inlined into the last of
 * them. Frames with the same name are a recursion.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/scan.h"

struct dump {
	struct backtrace threads;
	struct text function, module, file; /* of the current frame */
	struct frame frame;
	bool open; /* there is a current frame */
};

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, s);
}

/* Adds the current frame, which is complete. below: address and name of its caller, or NULL. */
static void
pass_frame(struct dump *d, const struct frame *below)
{
	struct frame f = d->frame;

	if (!d->open)
		return;
	d->open = false;
	f.function = text_as_str(&d->function);
	f.module = text_as_str(&d->module);
	f.file = text_as_str(&d->file);
	f.kind = frame_kind_of(f.module);
	f.inlined = below != NULL && below->address == f.address &&
		    !(below->function.len == f.function.len && f.function.len > 0 &&
			memcmp(below->function.s, f.function.s, f.function.len) == 0);
	stack_function(&d->threads.stack, f);
}

/* Reads `#0  0x00007f name - module`; false for any other line. */
static bool
read_frame(struct dump *d, struct str s)
{
	struct frame f = {.has_address = true};
	uint64_t number;
	size_t dash;

	if (!scan_word(&s, "#") || !scan_number(&s, &number) || scan_blanks(&s) == 0 ||
	    !scan_hex(&s, &f.address))
		return false;
	if (str_starts(s, " - 1 ") || str_is(s, " - 1")) /* -a: marks a call, not an interrupt */
		s = str_from(s, strlen(" - 1"));
	dash = str_find_last(s, " - ");
	f.function = str_trim((struct str){s.s, dash});
	if (dash < s.len)
		f.module = str_from(s, dash + strlen(" - "));
	pass_frame(d, &f);
	set(&d->function, f.function);
	set(&d->module, f.module);
	text_cut(&d->file, 0);
	d->frame = f;
	d->open = true;
	return true;
}

/* Reads `    file.c:57:12` under a frame, without the column. */
static void
read_source(struct dump *d, struct str s)
{
	size_t colon = str_find_last(s, ":");
	struct str number;
	uint64_t n;

	if (s.len == 0 || s.s[0] == '[') /* -b: a build ID */
		return;
	for (int part = 0; part < 2 && colon < s.len; part++) {
		number = str_from(s, colon + 1);
		if (!scan_number(&number, &n) || number.len > 0)
			break;
		s.len = colon;
		d->frame.line = (unsigned)n;
		colon = str_find_last(s, ":");
	}
	set(&d->file, s);
}

static void
read_input(struct reader *r)
{
	struct dump d = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.threads, r, false);
	while (reader_line(r, &line)) {
		if (line.len > 0 && line.s[0] == '#') {
			if (!read_frame(&d, line))
				reader_broken(r, &d.threads.stack, "not a frame of eu-stack");
		} else if (scan_word(&line, "PID ")) {
			pass_frame(&d, NULL);
			backtrace_end(&d.threads);
			backtrace_process(&d.threads, scan_until(&line, ' '));
		} else if (scan_word(&line, "TID ")) {
			pass_frame(&d, NULL);
			backtrace_thread(&d.threads, (struct str){0}, scan_until(&line, ':'));
		} else if (d.open && scan_blanks(&line) >= 4) {
			read_source(&d, line);
		} else if (line.len > 0 && !d.open) {
			backtrace_odd(&d.threads);
		}
	}
	pass_frame(&d, NULL);
	backtrace_end(&d.threads);
	backtrace_free(&d.threads);
	text_free(&d.function);
	text_free(&d.module);
	text_free(&d.file);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		if (scan_word(&line, "PID ") && scan_number(&line, &n) &&
		    (str_is(line, " - process") || str_is(line, " - core")))
			return 95;
		if (scan_word(&line, "TID ") && scan_number(&line, &n) && str_is(line, ":"))
			return 95;
	}
	return 0;
}

const struct format eustack_format = {
    .provides = DATA_PID | DATA_TID | DATA_CODE | DATA_ORDER,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
