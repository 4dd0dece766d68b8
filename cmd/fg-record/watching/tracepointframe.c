/*
 * tracepointframe: functions of the kernel at addresses that the kernel does not have: the ID of a
 * tracepoint, and after these the number of a system call.
 */
#include "fg-record/watching/tracepointframe.h"

#include <inttypes.h>
#include <stdio.h>

#include "elf/module.h"

#define CALLS UINT64_C(0x10000) /* after the IDs of all tracepoints, which have 16 bits */
#define CALLS_MAX UINT64_C(4096)

static const char *const call_names[] = {
#include "fg-record/syscalls.h"
};

uint64_t
tracepointframe_call(struct modules *ms, uint64_t number)
{
	const bool known = number < sizeof call_names / sizeof *call_names;
	const uint64_t at = CALLS + (number < CALLS_MAX ? number : CALLS_MAX);
	char name[64];

	if (module_kernel_at(ms, at)->function)
		return at;
	if (known && call_names[number] != NULL)
		snprintf(name, sizeof name, "syscall:%s", call_names[number]);
	else
		snprintf(name, sizeof name, "syscall:%" PRIu64, number);
	module_kernel_symbol(ms, at, at + 1, number < CALLS_MAX ? name : "syscall:invalid");
	return at;
}

const struct recording_event *
tracepointframe_event(struct tracepoints *ts, struct modules *ms, const struct perfevent *e)
{
	const size_t i = e->type == PERF_RECORD_SAMPLE ? tracepoints_index(ts, e) : ts->n;
	struct tracepoint *it;
	uint64_t number;

	if (i >= ts->n)
		return NULL;
	it = &ts->list[i];
	if (ts->number.size == 0) {
		it->event.frame = it->id;
		if (!module_kernel_at(ms, it->id)->function)
			module_kernel_symbol(ms, it->id, it->id + 1, it->name);
	} else {
		it->event.frame = 0;
		if (tracepoint_value(&ts->number, e->sample.raw, e->sample.nraw, false, &number))
			it->event.frame = tracepointframe_call(ms, number);
	}
	return &it->event;
}
