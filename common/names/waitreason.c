/*
 * waitreason: tables of function names and prefixes, of names/waitreasons.def.
 */
#include "names/waitreason.h"

#include <string.h>

#include "base/text.h"

static const struct {
	const char *key, *words;
} reasons[WAIT_REASONS] = {
#define WAIT(id, key, words) [WAIT_##id] = {key, words},
#include "names/waitreasons.def"
};

static const struct row {
	const char *begin;
	enum wait_reason why;
	bool vague;
} kernel_rows[] = {
#define KERNEL_WAIT(begin, id, vague) {begin, WAIT_##id, vague},
#include "names/waitreasons.def"
};

static const struct row library_rows[] = {
#define LIBRARY_WAIT(name, id) {name, WAIT_##id, false},
#include "names/waitreasons.def"
};

const char *
wait_reason_words(enum wait_reason why)
{
	return reasons[why].words;
}

const char *
wait_reason_key(enum wait_reason why)
{
	return reasons[why].key;
}

/* Length of the prefix before a system call's name in its kernel function; 0: not a system call. */
static size_t
system_call(const char *function, size_t len)
{
	static const char *const begin[] = {"__x64_sys_", "__ia32_sys_", "__arm64_sys_",
	    "__se_sys_", "__do_sys_", "ksys_", "sys_", "SyS_", "syscall:"};

	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(function, len, begin[i]))
			return strlen(begin[i]);
	return 0;
}

enum wait_reason
wait_reason_of(const char *function, size_t len, bool kernel, bool *vague)
{
	size_t call = kernel ? system_call(function, len) : 0;

	*vague = false;
	if (kernel && call == 0) {
		for (size_t i = 0; i < sizeof kernel_rows / sizeof kernel_rows[0]; i++)
			if (text_starts(function, len, kernel_rows[i].begin)) {
				*vague = kernel_rows[i].vague;
				return kernel_rows[i].why;
			}
		return WAIT_UNKNOWN;
	}
	function += call;
	len -= call;
	if (memchr(function, '@', len) != NULL)
		len = (size_t)((const char *)memchr(function, '@', len) - function);
	for (;;) { /* glibc's own aliases: __GI___wait4 */
		size_t skip = text_starts(function, len, "_")	  ? 1
			      : text_starts(function, len, "GI_") ? 3
								  : 0;

		if (skip == 0)
			break;
		function += skip;
		len -= skip;
	}
	for (size_t i = 0; i < sizeof library_rows / sizeof library_rows[0]; i++)
		if (text_is(function, len, library_rows[i].begin))
			return library_rows[i].why;
	return WAIT_UNKNOWN;
}

bool
wait_reason_is_scheduler(const char *function, size_t len)
{
	static const char *const begin[] = {"schedule", "__schedule", "io_schedule",
	    "preempt_schedule", "finish_task_switch", "__switch_to"};

	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(function, len, begin[i]))
			return true;
	return false;
}
