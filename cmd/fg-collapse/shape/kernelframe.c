#include "fg-collapse/shape/kernelframe.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

/* Reads `kernel/sched/core.c:6767`; false if s is something else. */
static bool
read_source(struct frame *f, struct str s)
{
	size_t colon = str_find_last(s, ":");
	struct str number = str_from(s, colon + 1);
	uint64_t line;

	if (colon == 0 || !scan_number(&number, &line) || number.len > 0)
		return false;
	f->file = (struct str){s.s, colon};
	f->line = line <= UINT32_MAX ? (unsigned)line : 0;
	return true;
}

/* Reads `fs/a.h:12 (discriminator 2) fs/b.c:34`, of which the last is the function's own. */
static bool
read_sources(struct frame *f, struct str s)
{
	bool any = false;

	while (s.len > 0)
		any |= read_source(f, scan_until(&s, ' '));
	return any;
}

/*
 * Reads the text after a function's name: a module, a source, [inline].
 * scripts/decode_stacktrace.sh writes the source in parentheses: those of inlined functions, then
 * that of the function.
 */
static bool
read_rest(struct frame *f, struct str s)
{
	while (s.len > 0) {
		size_t blank;

		scan_blanks(&s);
		if (scan_word(&s, "[inline]")) {
			f->inlined = true;
		} else if (s.s[0] == '[') {
			blank = str_find(s, "]");
			if (blank == s.len)
				return false;
			f->module = (struct str){s.s, blank + 1};
			s = str_from(s, blank + 1);
		} else if (s.s[0] == '(') {
			size_t close = str_find_last(s, ")");

			if (close == s.len || !read_sources(f, (struct str){s.s + 1, close - 1}))
				return false;
			s = str_from(s, close + 1);
		} else {
			blank = str_find(s, " ");
			if (!read_source(f, (struct str){s.s, blank})) {
				if (blank < s.len || f->line == 0)
					return false;
				f->module = s; /* decode_stacktrace.sh: without brackets */
			}
			s = str_from(s, blank);
		}
	}
	return true;
}

bool
kernelframe_add(struct stack *stack, const struct options *o, struct str s)
{
	struct frame f = {.kind = FRAME_KERNEL, .module = str_of("[kernel]")};
	bool bracket = false, offset;
	struct str name;

	while (scan_word(&s, "[<")) {
		bracket = true;
		scan_until(&s, ']');
		scan_blanks(&s);
	}
	name = (struct str){s.s, str_find(s, " ")};
	offset = plainname_without_offset(name) < name.len;
	if (name.len == 0 || !read_rest(&f, str_from(s, name.len)) ||
	    !(bracket || offset || f.file.len > 0))
		return false;
	f.function = name;
	if (!o->offsets)
		f.function.len = plainname_without_offset(name);
	if (str_starts(name, "0x"))
		f.function.len = 0;
	stack_frame(stack, &f);
	return true;
}

bool
kernelframe_is_entry(struct str function)
{
	static const char *const entry[] = {"entry_SYSCALL_64", "entry_SYSENTER", "entry_INT80",
	    "entry_SYSRETQ", "ret_from_fork", "ret_fast_syscall", "el0t_64_sync", "el0_svc_naked",
	    "el0_svc+", "system_call_fastpath", "system_call_common", "common_startup",
	    "secondary_startup", "start_secondary", "ret_from_exception", "tracesys"};

	for (size_t i = 0; i < sizeof entry / sizeof entry[0]; i++)
		if (str_starts(function, entry[i]))
			return true;
	return false;
}
