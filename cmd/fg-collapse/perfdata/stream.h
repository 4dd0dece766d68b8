/*
 * stream: a recording's bytes in, its records out in the order in which they were
 * written, those that perf record -z packed among them.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "base/decompress.h"
#include "fg-collapse/reader.h"
#include "recordsplit.h"
#include "recordqueue.h"

/* Types of perf's own records, tools/lib/perf/include/perf/event.h. */
enum {
	RECORD_USER = 64, /* the first of them */
	RECORD_ATTR = 64,
	RECORD_EVENT_TYPE,
	RECORD_TRACING_DATA,
	RECORD_BUILD_ID,
	RECORD_FINISHED_ROUND,
	RECORD_ID_INDEX,
	RECORD_AUXTRACE_INFO,
	RECORD_AUXTRACE,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED,
	RECORD_COMPRESSED2 = 83,
};

struct stream {
	struct reader *reader;
	struct recordqueue *relay; /* who is told what is malformed */
	struct source *source;
	bool placed; /* read at `at` up to `limit`; else in order, to the end */
	uint64_t at, limit;
	bool ended; /* no more bytes come from the source */
	struct recordsplit outer, inner; /* as they lie in the file; what was packed */
	struct decompress *unpack; /* one packed stream runs over all records */
	struct block *packed; /* holds what is to be unpacked next: */
	const unsigned char *in;
	size_t nin;
	bool astray; /* no record begins where the inner one is */
	bool pending; /* there may be more than was unpacked */
	uint64_t push; /* bytes that are left of several packed records with one length */
	uint64_t skip; /* bytes to leave */
	uint64_t in_all, out_all; /* packed and unpacked bytes so far */
	uint64_t lost; /* packed records that could not be undone */
};

/* Over a source of which the header was taken; at and limit are its data section, or 0 and 0. */
void stream_init(struct stream *s, struct reader *r, struct recordqueue *relay, bool swapped,
    uint64_t at, uint64_t limit);
void stream_free(struct stream *s);

/* The next record; false at the end. The header is in our byte order. */
bool stream_next(struct stream *s, struct record *r);

/* Leave n bytes that follow the record, and are none. */
void stream_skip(struct stream *s, uint64_t n);

/* At most n bytes that follow the record; returns how many there are. */
size_t stream_take(struct stream *s, void *to, size_t n);

/* What is at that offset of the file is malformed: named if it is the first, --strict exits. */
void stream_fault(struct stream *s, uint64_t offset, const char *why);

#endif
