/*
 * waitreason: the reason why a thread is blocked, by the kernel functions of its stack, or, in
 * profiles without kernel frames, by those of the C library.
 */
#ifndef WAITREASON_H
#define WAITREASON_H

#include <stdbool.h>
#include <stddef.h>

enum wait_reason {
#define WAIT(id, key, words) WAIT_##id,
#include "names/waitreasons.def"
	WAIT_REASONS, /* number of reasons */
};

/* Words after "waits 44 % ": "for child processes", "on pipes". */
const char *wait_reason_words(enum wait_reason why);

/* Stable key for programs: "child", "pipe". */
const char *wait_reason_key(enum wait_reason why);

/*
 * The reason by one function, or WAIT_UNKNOWN. kernel: it is a kernel function. *vague: a
 * function nearer the root may be more specific (io_schedule below a page fault).
 */
enum wait_reason wait_reason_of(const char *function, size_t len, bool kernel, bool *vague);

/* True for scheduler functions: schedule, finish_task_switch, __switch_to. */
bool wait_reason_is_scheduler(const char *function, size_t len);

#endif
