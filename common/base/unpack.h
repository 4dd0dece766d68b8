/*
 * unpack: gzip, zstd and xz undone, a member (a frame, a stream) at a time. zlib is
 * always there; the others where the build found them.
 */
#ifndef UNPACK_H
#define UNPACK_H

#include <stddef.h>
#include <stdint.h>

#define UNPACK_MAGIC 6 /* bytes that tell a packing */
#define UNPACK_MEMORY (256u << 20) /* what a member may ask for to be unpacked, in bytes */

struct unpacking; /* one way of packing */
struct unpack; /* one member at work */

enum unpack_state {
	UNPACK_MORE, /* all of the input taken, or the room filled */
	UNPACK_END, /* the member is complete */
	UNPACK_BAD, /* it is damaged: see unpack_why */
};

/* How data that begin so are packed; NULL when they are not. */
const struct unpacking *unpack_kind(const unsigned char *data, size_t len);
const char *unpack_name(const struct unpacking *k); /* "gzip" */

/*
 * Begin a member. NULL when the library was not there at build time; then
 * unpack_missing says its name.
 */
struct unpack *unpack_new(const struct unpacking *k);
const char *unpack_missing(const struct unpacking *k);

/* Takes from *in and puts into out; moves *in, *nin, and says how much was put in *nout. */
enum unpack_state unpack_step(struct unpack *u, const unsigned char **in, size_t *nin,
    unsigned char *out, size_t room, size_t *nout);

const char *unpack_why(const struct unpack *u); /* in the words of the library */
void unpack_free(struct unpack *u);

#endif
