/*
 * cursor: bounded reading of binary data in either byte order.
 *
 * A read beyond the end returns 0, NULL or an empty string, sets `bad` and moves to the end. So
 * a reader can read all fields of a record and check `bad` once.
 */
#ifndef CURSOR_H
#define CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define CURSOR_BIG (__BYTE_ORDER == __LITTLE_ENDIAN) /* value of `swapped` for big-endian data */
#define CURSOR_LITTLE (__BYTE_ORDER == __BIG_ENDIAN)

/* The caller owns the data. Offsets are relative to data, as in error messages. */
struct cursor {
	const unsigned char *data;
	size_t at, end; /* offsets of the next byte, and after the last */
	bool swapped; /* numbers are not in this machine's byte order */
	bool bad; /* a read went beyond the end */
};

/* A cursor over n bytes. */
static inline struct cursor
cursor_of(const void *data, size_t n, bool swapped)
{
	return (struct cursor){.data = data, .end = n, .swapped = swapped};
}

static inline size_t
cursor_left(const struct cursor *c)
{
	return c->end - c->at;
}

/* True if n more bytes are left; else sets `bad` and moves to the end. */
static inline bool
cursor_has(struct cursor *c, uint64_t n)
{
	if (__builtin_expect(n <= c->end - c->at, 1))
		return true;
	c->bad = true;
	c->at = c->end;
	return false;
}

/* Reads the next n bytes, in place; NULL if fewer are left. */
static inline const void *
cursor_read(struct cursor *c, uint64_t n)
{
	const unsigned char *p = c->at == 0 ? c->data : c->data + c->at; /* data may be NULL */

	if (!cursor_has(c, n))
		return NULL;
	c->at += (size_t)n;
	return p;
}

/* Reads the next n elements of `size` bytes, at most 2^32. */
static inline const void *
cursor_array(struct cursor *c, uint64_t n, uint64_t size)
{
	return cursor_read(c, n > UINT64_MAX / size ? UINT64_MAX : n * size);
}

/* Copies a struct of n > 0 bytes, without byte swapping; false, and zeros, beyond the end. */
static inline bool
cursor_copy(struct cursor *c, void *to, size_t n)
{
	if (!cursor_has(c, n)) {
		memset(to, 0, n);
		return false;
	}
	memcpy(to, c->data + c->at, n);
	c->at += n;
	return true;
}

static inline uint8_t
cursor_u8(struct cursor *c)
{
	uint8_t v;

	cursor_copy(c, &v, sizeof v);
	return v;
}

static inline uint16_t
cursor_u16(struct cursor *c)
{
	uint16_t v;

	cursor_copy(c, &v, sizeof v);
	return c->swapped ? bswap_16(v) : v;
}

static inline uint32_t
cursor_u32(struct cursor *c)
{
	uint32_t v;

	cursor_copy(c, &v, sizeof v);
	return c->swapped ? bswap_32(v) : v;
}

static inline uint64_t
cursor_u64(struct cursor *c)
{
	uint64_t v;

	cursor_copy(c, &v, sizeof v);
	return c->swapped ? bswap_64(v) : v;
}

/* Takes a number of up to 64 bits: 7 in a byte, lowest first; the last byte is below 128. */
static inline uint64_t
cursor_varint(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = cursor_u8(c);

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	return v;
}

/* Takes a NUL-terminated string; the result is without the NUL. bad if there is no NUL. */
static inline struct str
cursor_string(struct cursor *c)
{
	const char *s = cursor_left(c) == 0 ? NULL : (const char *)c->data + c->at;
	const char *nul = s == NULL ? NULL : memchr(s, '\0', cursor_left(c));

	if (nul == NULL) {
		c->bad = true;
		c->at = c->end;
		return (struct str){0};
	}
	c->at += (size_t)(nul - s) + 1;
	return (struct str){s, (size_t)(nul - s)};
}

#endif
