/*
 * file: structure of a trace.dat file, version 6 or 7 (trace-cmd, Documentation/trace-cmd):
 *
 *	magic, version, byte order, bytes of a long, bytes of a page
 *	formats of the events, kernel symbols, names of the tasks
 *	pages of the kernel's ring buffers, one area per buffer and CPU
 *
 * Version 6 has these in a row; version 7 in sections, which its options list and which may be
 * compressed. Pages are read one chunk at a time, so memory does not grow with the recording.
 */
#ifndef TRACEDAT_FILE_H
#define TRACEDAT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-collapse/reader.h"
#include "trace/tracepoint.h"

/* Pages of one CPU in one ring buffer. */
struct tracedat_area {
	uint64_t offset, size; /* bytes in the file; compressed: as they are there */
	uint32_t page; /* bytes of a page */
	bool compressed;
};

struct tracedat {
	struct reader *reader;
	struct source *source;
	uint64_t size; /* of the file */
	bool swapped; /* numbers are not in this machine's byte order */
	bool big; /* most significant byte first */
	bool zlib; /* chunks are zlib streams; else zstd frames */
	unsigned word; /* bytes of the kernel's long: 4 or 8 */
	uint32_t page;

	struct text formats; /* data for tracing_begin */
	struct tracing tracing; /* after tracing_begin */
	struct text symbols; /* /proc/kallsyms */
	struct text tasks; /* lines of "pid comm" */
	struct tracedat_area *area;
	size_t narea, caparea;

	/* Private. */
	struct text compressed, content; /* the current chunk */
	size_t at; /* area that tracedat_pages reads; and: */
	uint64_t next, end; /* unread range of the file */
	uint64_t page_at; /* offset of the next page in the current chunk */
	uint32_t chunks; /* compressed chunks left */
	bool open; /* next, end and chunks are set */
};

/* Reads everything but the pages. Exits with 2 if the input is not readable as trace.dat. */
void tracedat_open(struct tracedat *t, struct reader *r);
void tracedat_free(struct tracedat *t);

/*
 * The next page; false after the last. *first: it is the first of its area. *offset: its place in
 * the file, or that of its chunk, for messages. Valid until the next call.
 */
bool tracedat_page(struct tracedat *t, struct str *page, bool *first, uint64_t *offset);

#endif
