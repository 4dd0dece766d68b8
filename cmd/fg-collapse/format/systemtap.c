/*
 * systemtap: stacks printed by print_backtrace, print_stack and print_ubacktrace, each
 * followed by a number:
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0x00007f5a3b1c : __read+0x7/0x57 [/usr/lib64/libc-2.17.so] (inexact)
 *		2404
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

/* Adds the frame in s; false if s is not a frame. */
static bool
read_frame(struct stack *stack, const struct options *o, struct str s)
{
	struct frame f = {.has_address = true};
	size_t open;

	if (!scan_hex(&s, &f.address))
		return false;
	if (s.len > 0 && !scan_word(&s, " : ") && !str_starts(s, " (inexact)"))
		return false;
	if (str_ends(s, "(inexact)"))
		s = str_trim((struct str){s.s, s.len - strlen("(inexact)")});
	if (str_ends(s, "]") && (open = str_find_last(s, " [")) < s.len) {
		f.module = (struct str){s.s + open + 1, s.len - open - 1};
		if (f.module.len > 2 && f.module.s[1] == '/')
			f.module = (struct str){f.module.s + 1, f.module.len - 2};
		f.kind = frame_kind_of(f.module);
		s.len = open;
	}
	f.function = s;
	if (!o->offsets)
		f.function.len = plainname_without_offset(s);
	if (str_starts(s, "0x"))
		f.function.len = 0;
	stack_function(stack, f);
	return true;
}

static void
read_input(struct reader *r)
{
	static const struct sample_task nobody;
	struct stack stack;
	struct str line;
	uint32_t event;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&stack, r->sampler);
	event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
	while (reader_line(r, &line)) {
		value v;

		size_t blanks = scan_blanks(&line);

		if (line.len == 0 || read_frame(&stack, r->options, line))
			continue;
		if (!scan_value(line, &v)) {
			if (blanks > 0) /* else a message by the script */
				reader_broken(r, &stack, "not a frame of SystemTap");
			continue;
		}
		if (stack.n == 0 && !stack.broken)
			reader_malformed(r, "a number without a stack");
		else
			stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, v);
	}
	if (stack.n > 0)
		reader_malformed(r, "a stack without a number");
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool frame = false;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		scan_blanks(&line);
		if (frame && scan_number(&line, &n) && line.len == 0)
			return 95;
		if (line.len > 0)
			frame = scan_hex(&line, &n) && str_starts(line, " : ");
	}
	return 0;
}

const struct format systemtap_format = {
    .provides = DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_OFFSET,
    .sniff = sniff,
    .read = read_input,
};
