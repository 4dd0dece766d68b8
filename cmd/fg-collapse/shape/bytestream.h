/*
 * bytestream: binary input record by record, with only the current record in memory.
 *
 *	while ((p = bytestream_read(&b, size)) != NULL)
 *		read the size bytes at p
 */
#ifndef BYTESTREAM_H
#define BYTESTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"

struct bytestream {
	struct source *source;
	unsigned char *buffer;
	size_t begin, end, cap; /* unread bytes in the buffer */
	uint64_t offset; /* offset of the next byte in the (decompressed) input */
};

void bytestream_init(struct bytestream *b, struct source *source);
void bytestream_free(struct bytestream *b);

/* Returns the next n bytes without consuming them, or NULL if the input has fewer. Valid until
 * the next call. */
const unsigned char *bytestream_peek(struct bytestream *b, uint64_t n);

/* Returns and consumes the next n bytes, or NULL if the input has fewer; then the stream is at
 * its end. */
const unsigned char *bytestream_read(struct bytestream *b, uint64_t n);

/* Skips n bytes; false if the input has fewer. */
bool bytestream_skip(struct bytestream *b, uint64_t n);

/* Reads a varint: 7 bits a byte, lowest first, at most ten bytes. False at the end of the
 * input. */
bool bytestream_varint(struct bytestream *b, uint64_t *v);

/* Reads a little-endian number. At the end of the input returns 0 and sets *ok to false. */
uint32_t bytestream_u32(struct bytestream *b, bool *ok);
uint16_t bytestream_u16(struct bytestream *b, bool *ok);
uint8_t bytestream_u8(struct bytestream *b, bool *ok);

#endif
