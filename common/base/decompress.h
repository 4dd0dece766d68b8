/*
 * unpack: gzip, zstd and xz undone, a member (a frame, a stream) at a time. zlib is
 * always there; the others where the build found them.
 */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <stddef.h>
#include <stdint.h>

#define DECOMPRESS_MAGIC 6 /* bytes that tell a packing */
#define DECOMPRESS_MEMORY (256u << 20) /* what a member may ask for to be unpacked, in bytes */

struct decompression; /* one way of packing */
struct decompress; /* one member at work */

enum decompress_state {
	DECOMPRESS_MORE, /* all of the input taken, or the room filled */
	DECOMPRESS_END, /* the member is complete */
	DECOMPRESS_BAD, /* it is damaged: see decompress_why */
};

/* How data that begin so are packed; NULL when they are not. */
const struct decompression *decompress_kind(const unsigned char *data, size_t len);
const char *decompress_name(const struct decompression *k); /* "gzip" */

/*
 * Begin a member. NULL when the library was not there at build time; then
 * decompress_missing says its name.
 */
struct decompress *decompress_new(const struct decompression *k);
const char *decompress_missing(const struct decompression *k);

/* Takes from *in and puts into out; moves *in, *nin, and says how much was put in *nout. */
enum decompress_state decompress_step(struct decompress *u, const unsigned char **in, size_t *nin,
    unsigned char *out, size_t room, size_t *nout);

const char *decompress_why(const struct decompress *u); /* in the words of the library */
void decompress_free(struct decompress *u);

#endif
