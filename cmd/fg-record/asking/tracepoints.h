/*
 * tracepoints: the tracepoints that an event name selects, from tracefs, and the fields that weigh
 * their samples.
 */
#ifndef TRACEPOINTS_H
#define TRACEPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/recording.h"

#define TRACEPOINTS_MAX 64 /* the kernel takes about 20 ms to register each one */

struct tracepoints {
	struct tracepoint {
		uint64_t id; /* perf_event_attr.config, first in its raw data */
		/*
		 * The kernel counts each sample, and nothing else. It counts some of sched for the
		 * woken thread too, whose samples it does not write, and even while disabled.
		 */
		bool countable;
		struct tracepoint_field weight;
		struct recording_event event; /* description for the engine */
		char *name; /* "SYSTEM:NAME" */
	} list[TRACEPOINTS_MAX];
	size_t n;
	struct tracepoint_field number; /* of the system call, in raw_syscalls; size 0: none */
	bool stop; /* none of them occurs because a thread is stopped by ptrace(2) */
};

/*
 * Finds the tracepoints SYSTEM:PATTERN; with a weight field, those that have it. False if the name
 * does not have this form, or has no pattern and does not exist. Exits 125, after a message with
 * the remedy, if a pattern matches none or too many, if none has the field, or without permission.
 */
bool tracepoints_find(struct tracepoints *ts, const char *name, const char *weight_field);

/* True if the raw data of samples name their frame: of several tracepoints, or of system calls. */
bool tracepoints_need_data(const struct tracepoints *ts);

/*
 * Index of the tracepoint of a sample: 0 if there is only one, whose samples need no raw data; n if
 * it is not among them.
 */
size_t tracepoints_index(const struct tracepoints *ts, const struct perfevent *e);

/* ID of the tracepoint of a sample with raw data; 0 if e is not one. */
uint64_t tracepoints_id(const struct perfevent *e);

/* The event of a sample with raw data, or NULL. */
const struct recording_event *tracepoints_event(
    const struct tracepoints *ts, const struct perfevent *e);

/* The unit of a field's values: bytes if the name suggests it. */
const char *tracepoints_unit(const char *field);

#endif
