/*
 * waitreason: why a thread is off its CPU, from the functions of the kernel on its stack,
 * or, where a profile has no kernel frames, from the C library's.
 */
#ifndef WAITREASON_H
#define WAITREASON_H

#include <stdbool.h>
#include <stddef.h>

enum wait_reason {
	WAIT_UNKNOWN,
	WAIT_CHILD,
	WAIT_PIPE,
	WAIT_SOCKET,
	WAIT_EVENT,
	WAIT_DISK,
	WAIT_LOCK,
	WAIT_TIMER,
	WAIT_FAULT,
	WAIT_THROTTLE,
	WAIT_CPU,
	WAIT_TERMINAL,
	WAIT_SIGNAL,
	WAIT_WORK,
	WAIT_REASONS, /* how many there are */
};

/* As in "waits 44 % ": "for child processes", "on pipes". */
const char *wait_reason_words(enum wait_reason why);

/* A stable key for programs: "child", "pipe". */
const char *wait_reason_key(enum wait_reason why);

/*
 * The reason that one function tells, or WAIT_UNKNOWN. kernel: it is of the kernel.
 * *vague: a function nearer the root may know better (io_schedule below a page fault).
 */
enum wait_reason wait_reason_of(const char *function, size_t len, bool kernel, bool *vague);

/* Whether it takes a thread off its CPU: schedule, finish_task_switch, __switch_to. */
bool wait_reason_is_scheduler(const char *function, size_t len);

#endif
