/*
 * recordsplit: splits a stream of bytes into records, each aligned and in a
 * reference-counted block of memory.
 */
#ifndef RECORDSPLIT_H
#define RECORDSPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfabi.h"

#define RECORD_MAX 65536 /* bytes; the 16-bit header.size wraps to 0 */

struct block {
	uint32_t users;
	uint32_t flying; /* records of it that are queued for another thread */
	size_t size;
	unsigned char *bytes;
};

/* Bytes of all blocks in use, and of those that only another thread uses. */
extern size_t block_held, block_flying;

void block_hold(struct block *b);
void block_release(struct block *b);

/* block_fly: a record of b was queued for another thread. block_landed: that thread is done
 * with it. */
void block_fly(struct block *b);
void block_landed(struct block *b);

struct record {
	struct perf_event_header *h; /* in our byte order; the body is as written */
	uint64_t offset; /* in the file: of the record or the compressed record around it */
	struct block *block; /* hold it to use h after the next recordsplit_next */
};

struct recordsplit {
	struct block *block;
	struct block *odd; /* aligned copy of the last record, if it was unaligned */
	size_t at, end; /* range of the bytes that are not split yet */
	uint64_t offset; /* offset of at in the file */
	bool still; /* input was decompressed: all records report one file offset */
	bool swapped; /* the input has the other byte order */
};

enum cut {
	CUT_RECORD,
	CUT_MORE, /* the next record is incomplete */
	CUT_BAD, /* the next bytes are not a record */
};

/* Returns memory for the next *space bytes of input; recordsplit_filled adds n bytes stored there.
 */
unsigned char *recordsplit_space(struct recordsplit *c, size_t *space);
void recordsplit_filled(struct recordsplit *c, size_t n);

enum cut recordsplit_next(struct recordsplit *c, struct record *r);

/* The bytes that are not split yet; skip n of them. */
const unsigned char *recordsplit_rest(const struct recordsplit *c, size_t *n);
void recordsplit_skip(struct recordsplit *c, size_t n);

/* The header at `at`, in our byte order. */
struct perf_event_header recordsplit_header(const struct recordsplit *c, const unsigned char *at);

/* True if a record may begin at `at`, where `left` bytes are available; sets *size to its size. */
bool recordsplit_sensible(
    const struct recordsplit *c, const unsigned char *at, size_t left, size_t *size);

/*
 * After CUT_BAD: skips bytes until valid records follow; last: no more input will come. False if
 * the available bytes have none: add more and call it again.
 */
bool recordsplit_resume(struct recordsplit *c, bool last);

/* Frees all data. */
void recordsplit_free(struct recordsplit *c);

#endif
