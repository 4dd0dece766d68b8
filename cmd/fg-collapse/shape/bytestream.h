/*
 * bytestream: binary input record by record, with only the current record in memory.
 *
 *	while ((p = bytestream_take(&b, size)) != NULL)
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
	uint64_t offset; /* of the next byte in the (decompressed) input */
};

void bytestream_init(struct bytestream *b, struct source *source);
void bytestream_free(struct bytestream *b);

/* The next n bytes, which stay unread, until the next call; NULL if the input has fewer. */
const unsigned char *bytestream_peek(struct bytestream *b, uint64_t n);

/* The same, read. Without enough bytes the input is at its end afterwards. */
const unsigned char *bytestream_take(struct bytestream *b, uint64_t n);

/* Skips n bytes; false if the input has fewer. */
bool bytestream_skip(struct bytestream *b, uint64_t n);

/* A number of 7 bits a byte, the lowest first, at most ten bytes; false at the end. */
bool bytestream_varint(struct bytestream *b, uint64_t *v);

/* Little-endian numbers; 0 at the end of the input, where *ok becomes false. */
uint32_t bytestream_u32(struct bytestream *b, bool *ok);
uint16_t bytestream_u16(struct bytestream *b, bool *ok);
uint8_t bytestream_u8(struct bytestream *b, bool *ok);

#endif
