/*
 * decompress: decompression of gzip, zstd and xz, one member (frame, stream) at a time. zlib is
 * required; the other libraries are optional at build time.
 */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECOMPRESS_MAGIC 6 /* bytes that identify a format */
#define DECOMPRESS_MEMORY (256u << 20) /* memory limit per member, bytes */

struct decompression; /* a compression format */
struct decompress; /* state of one member */

enum decompress_state {
	DECOMPRESS_MORE, /* input used up, or output full */
	DECOMPRESS_END, /* the member is complete */
	DECOMPRESS_BAD, /* damaged: see decompress_why */
};

/* The compression format of data by their first bytes; NULL: not compressed. */
const struct decompression *decompress_kind(const unsigned char *data, size_t len);
const char *decompress_name(const struct decompression *k); /* "gzip" */

/* Starts a member. NULL when this build lacks the library: see decompress_missing for its name. */
struct decompress *decompress_new(const struct decompression *k);
const char *decompress_missing(const struct decompression *k);

/* Decompresses from *in to out; advances *in, reduces *nin, and sets *nout to the bytes written. */
enum decompress_state decompress_step(struct decompress *u, const unsigned char **in, size_t *nin,
    unsigned char *out, size_t space, size_t *nout);

/*
 * For data that are one member: their decompressed size as they state it, 0 if it is unknown or
 * implausible, and decompression in one step, which is faster. It fails if the data are not just
 * one member of that size, and leaves anything in out.
 */
size_t decompress_size(const struct decompression *k, const unsigned char *in, size_t nin);
bool decompress_whole(const struct decompression *k, const unsigned char *in, size_t nin,
    unsigned char *out, size_t size);

const char *decompress_why(const struct decompress *u); /* the library's error message */
void decompress_free(struct decompress *u);

#endif
