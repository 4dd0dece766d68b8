/*
 * cutter: bytes go in as they come, records come out one by one, each aligned and in a
 * block of memory that stays as long as somebody holds it.
 */
#ifndef RECORDSPLIT_H
#define RECORDSPLIT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_MAX 65536 /* bytes; header.size has 16 bits, and may have wrapped to 0 */

struct block {
	uint32_t users;
	uint32_t flying; /* records of it that another thread is to take */
	size_t size;
	unsigned char *bytes;
};

/* Bytes of all blocks that have users, and of those that another thread alone needs. */
extern size_t block_held, block_flying;

void block_hold(struct block *b);
void block_release(struct block *b);

/* A record of it was given to another thread, which is done with it. */
void block_fly(struct block *b);
void block_landed(struct block *b);

struct record {
	struct perf_event_header *h; /* in our byte order; what follows is as it was written */
	uint64_t offset; /* in the file: of the record, or the compressed one that it was in */
	struct block *block; /* to be held for longer than until the cutter's next call */
};

struct recordsplit {
	struct block *block;
	struct block *odd; /* the last record, where it lay askew */
	size_t at, end; /* of its bytes, those that were not cut yet */
	uint64_t offset; /* of at, in the file */
	bool still; /* offset stands still: what is cut was unpacked */
	bool swapped; /* they are of the other byte order */
};

enum cut {
	CUT_RECORD,
	CUT_MORE, /* a whole record is not there yet */
	CUT_BAD, /* what is there is no record */
};

/* Where the next bytes go, and how many may; then how many went there. */
unsigned char *recordsplit_room(struct recordsplit *c, size_t *room);
void recordsplit_filled(struct recordsplit *c, size_t n);

enum cut recordsplit_next(struct recordsplit *c, struct record *r);

/* The bytes that were not cut, and to leave n of them. */
const unsigned char *recordsplit_rest(const struct recordsplit *c, size_t *n);
void recordsplit_skip(struct recordsplit *c, size_t n);

/* The header there, in our byte order. */
struct perf_event_header recordsplit_header(const struct recordsplit *c, const unsigned char *at);

/* Whether a record may begin at `at`, of which left bytes are there; then *size is its own. */
bool recordsplit_sensible(
    const struct recordsplit *c, const unsigned char *at, size_t left, size_t *size);

/*
 * After CUT_BAD: leave bytes until records that make sense begin; last says that no more
 * will come. False when there are none in what is there: give more, and call it again.
 */
bool recordsplit_resume(struct recordsplit *c, bool last);

/* Forget all that is there. */
void recordsplit_free(struct recordsplit *c);

#endif
