#include "fg-collapse/shape/kernelframe.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/scan.h"

bool
kernelframe_add(struct stack *stack, const struct options *o, struct str s)
{
	struct frame f = {.kind = FRAME_KERNEL};
	struct str name;
	size_t module;
	bool bracket = scan_word(&s, "[<");

	if (bracket) {
		scan_until(&s, ']');
		scan_blanks(&s);
	}
	module = str_find(s, " [");
	name = (struct str){s.s, module};
	if (module < s.len) {
		f.module = str_from(s, module + 1);
		f.module.len = str_find(f.module, "]") + 1;
		if (f.module.len > s.len - module - 1)
			return false;
	} else {
		f.module = str_of("[kernel]");
	}
	f.function = name;
	if (!o->offsets)
		f.function.len = funcname_without_offset(name);
	if (name.len == 0 || memchr(name.s, ' ', name.len) != NULL ||
	    (!bracket && funcname_without_offset(name) == name.len))
		return false;
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
