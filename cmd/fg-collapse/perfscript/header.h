/*
 * header: the first line of a sample of perf script,
 * `comm pid/tid [cpu] time: period event: ...`, nearly every part of it optional.
 */
#ifndef HEADER_H
#define HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pointers go into the line. */
struct header {
	const char *comm; /* len 0 when the line has none */
	size_t comm_len;
	const char *pid, *tid; /* perf script prints the thread alone by default */
	size_t pid_len, tid_len; /* 0 when not there */
	bool has_time;
	uint64_t time; /* ns */
	uint64_t period; /* 0 when not there */
	const char *event;
	size_t event_len;
	const char *rest; /* after the event's colon: a frame where there is no call graph, or a
			     tracepoint's text */
};

enum header_kind {
	HEADER_NONE, /* not a header line */
	HEADER_SAMPLE,
	HEADER_RECORD, /* an mmap, comm, fork... event, no sample */
};

enum header_kind header_parse(const char *line, const char *end, struct header *h);

#endif
