/*
 * recordstream: the records of a recording in file order, including those that perf record -z
 * compressed.
 */
#ifndef RECORDSTREAM_H
#define RECORDSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "base/decompress.h"
#include "fg-collapse/perfdata/recordsplit.h"
#include "fg-collapse/perfdata/recordqueue.h"

/* Types of records by perf itself, tools/lib/perf/include/perf/event.h. */
enum {
	RECORD_USER = 64, /* first of these types */
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

struct recordstream {
	struct recordqueue *relay; /* receives errors, in order with the records */
	struct source *source;
	uint32_t part; /* number of the file, for errors */
	bool placed; /* read from offset `at` to `limit`; else sequentially to the end */
	uint64_t at, limit;
	bool ended; /* the source is at its end */
	struct recordsplit outer, inner; /* for the file's bytes; for decompressed bytes */
	struct decompress *decoder; /* one compressed stream spans all records */
	struct block *compressed; /* holds the nin bytes to decompress next, at `in` */
	const unsigned char *in;
	size_t nin;
	bool astray; /* inner has no record boundary; already reported */
	bool pending; /* the decompressor may have more output */
	uint64_t push; /* remaining bytes of several compressed records with one length */
	uint64_t skip; /* bytes to skip */
	uint64_t in_all, out_all; /* compressed and decompressed bytes so far */
	uint64_t lost; /* compressed records that could not be decompressed */
};

/* Initializes s for the bytes of a source from its current offset to the end. */
void recordstream_init(struct recordstream *s, struct source *source, uint32_t part,
    struct recordqueue *relay, bool swapped);
/* Before the first record: sets the data section of a file, offsets from `at` to `limit`. */
void recordstream_limit(struct recordstream *s, uint64_t at, uint64_t limit);
void recordstream_free(struct recordstream *s);

/* Reads the next record; false at the end. The header is in our byte order. */
bool recordstream_next(struct recordstream *s, struct record *r);

/* Skips n bytes after the record that are not records. */
void recordstream_skip(struct recordstream *s, uint64_t n);

/* Reads at most n bytes after the record; returns how many there are. */
size_t recordstream_read(struct recordstream *s, void *to, size_t n);

/* Counts malformed data at an offset of the file and reports the first; exits with --strict. */
void recordstream_fault(struct recordstream *s, uint64_t offset, const char *why);

#endif
