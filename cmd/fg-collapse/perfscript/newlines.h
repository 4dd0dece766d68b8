/*
 * newlines: finds the ends of a block's lines. Lines of perf script are short; one memchr call
 * per line took a tenth of the run time. Here the newlines of a block are found at once, as a
 * bit per byte.
 */
#ifndef NEWLINES_H
#define NEWLINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/chars.h"

/* The newlines among 64 bytes, a bit each, lowest first. */
static inline uint64_t
newlines_mask(const char *s)
{
	return chars_is16(s, '\n') | (uint64_t)chars_is16(s + 16, '\n') << 16 |
	       (uint64_t)chars_is16(s + 32, '\n') << 32 | (uint64_t)chars_is16(s + 48, '\n') << 48;
}

/* All zero: no block. */
struct newlines {
	const char *data; /* the block */
	uint64_t *word; /* newlines_mask of every 64 bytes; freed by the caller */
	size_t n, cap;
};

/* Finds the newlines of data[0..len), which ends with one; 64 more bytes must be readable. */
void newlines_find(struct newlines *l, const char *data, size_t len);

/* The newline that ends the line at s, which must be in the block. */
static inline const char *
newlines_end(const struct newlines *l, const char *s)
{
	size_t at = (size_t)(s - l->data), i = at / 64;
	uint64_t bits = l->word[i] & UINT64_MAX << at % 64;

	while (bits == 0)
		bits = l->word[++i];
	return l->data + 64 * i + __builtin_ctzll(bits);
}

/* The first empty line after the line at s, or NULL; \r\n is not one. */
static inline const char *
newlines_empty(const struct newlines *l, const char *s)
{
	size_t at = (size_t)(s - l->data), i = at / 64;
	uint64_t bits = l->word[i] & UINT64_MAX << at % 64, last = 0, pairs;

	while ((pairs = bits & (bits << 1 | last)) == 0) {
		if (++i == l->n)
			return NULL;
		last = bits >> 63;
		bits = l->word[i];
	}
	return l->data + 64 * i + __builtin_ctzll(pairs);
}

#endif
