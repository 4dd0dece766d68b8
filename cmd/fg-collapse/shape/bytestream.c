/*
 * bytestream: a buffer that grows with the bytes read, never with the length that a record
 * claims.
 */
#include "fg-collapse/shape/bytestream.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define CHUNK ((size_t)256 * 1024)

void
bytestream_init(struct bytestream *b, struct source *source)
{
	*b = (struct bytestream){.source = source};
}

void
bytestream_free(struct bytestream *b)
{
	free(b->buffer);
}

/* True if n unread bytes are in the buffer. */
static bool
fill(struct bytestream *b, uint64_t n)
{
	while (b->end - b->begin < n) {
		size_t left = b->end - b->begin, got;

		if (b->begin > 0) {
			memmove(b->buffer, b->buffer + b->begin, left);
			b->begin = 0;
			b->end = left;
		}
		if (b->cap - left < CHUNK) {
			b->cap = 2 * left + 2 * CHUNK;
			if (b->cap > source_bound(source_at(b->source)))
				cli_die(
				    "%s: byte %llu: a record of more than %zu bytes (see --max-size)",
				    source_name(b->source), (unsigned long long)b->offset, left);
			b->buffer = cli_realloc(b->buffer, b->cap, 1);
		}
		got = source_read(b->source, b->buffer + left, b->cap - left);
		if (got == 0)
			return false;
		b->end += got;
		source_progress(b->source);
	}
	return true;
}

const unsigned char *
bytestream_peek(struct bytestream *b, uint64_t n)
{
	return fill(b, n) ? b->buffer + b->begin : NULL;
}

const unsigned char *
bytestream_read(struct bytestream *b, uint64_t n)
{
	const unsigned char *p = bytestream_peek(b, n);
	size_t taken = p != NULL ? (size_t)n : b->end - b->begin;

	b->begin += taken;
	b->offset += taken;
	return p;
}

bool
bytestream_skip(struct bytestream *b, uint64_t n)
{
	size_t held = b->end - b->begin;
	uint64_t more = n > held ? n - held : 0, skipped;

	if (n < held)
		held = (size_t)n;
	b->begin += held;
	skipped = more > 0 ? source_skip(b->source, more) : 0;
	b->offset += held + skipped;
	return skipped == more;
}

bool
bytestream_varint(struct bytestream *b, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		const unsigned char *p = bytestream_read(b, 1);

		if (p == NULL)
			return false;
		if (shift < 64)
			*v |= (uint64_t)(*p & 0x7f) << shift;
		if (*p < 0x80)
			return true;
	}
	return false;
}

uint32_t
bytestream_u32(struct bytestream *b, bool *ok)
{
	const unsigned char *p = bytestream_read(b, 4);

	*ok &= p != NULL;
	return p == NULL ? 0
			 : p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint16_t
bytestream_u16(struct bytestream *b, bool *ok)
{
	const unsigned char *p = bytestream_read(b, 2);

	*ok &= p != NULL;
	return p == NULL ? 0 : (uint16_t)(p[0] | p[1] << 8);
}

uint8_t
bytestream_u8(struct bytestream *b, bool *ok)
{
	const unsigned char *p = bytestream_read(b, 1);

	*ok &= p != NULL;
	return p == NULL ? 0 : *p;
}
