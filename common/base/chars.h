/*
 * chars: tests of one byte, and of 16 bytes at once. The latter return a mask with one
 * bit per byte; the first byte is the lowest bit.
 */
#ifndef CHARS_H
#define CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline const char *
skip_blanks(const char *s, const char *end)
{
	while (s < end && is_blank(*s))
		s++;
	return s;
}

#ifdef __SSE2__
static inline uint32_t
chars_equal16(const char *a, const char *b)
{
	__m128i x = _mm_loadu_si128((const __m128i *)a), y = _mm_loadu_si128((const __m128i *)b);

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y));
}

static inline uint32_t
chars_is16(const char *s, char c)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)s);

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
}

/* 0xff for each byte in [first, first + n), else 0. */
static inline __m128i
chars_range16(__m128i bytes, char first, char n)
{
	__m128i from = _mm_sub_epi8(bytes, _mm_set1_epi8(first));

	return _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8((char)(n - 1))), from);
}

static inline uint32_t
chars_digit16(const char *s)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)s);

	return (uint32_t)_mm_movemask_epi8(chars_range16(bytes, '0', 10));
}

/* Lower-case hexadecimal digits. */
static inline uint32_t
chars_hex16(const char *s)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)s);

	return (uint32_t)_mm_movemask_epi8(
	    _mm_or_si128(chars_range16(bytes, '0', 10), chars_range16(bytes, 'a', 6)));
}
#else
static inline uint32_t
chars_equal16(const char *a, const char *b)
{
	uint32_t mask = 0;

	if (memcmp(a, b, 16) == 0)
		return 0xffff;
	for (int i = 0; i < 16; i++)
		mask |= (uint32_t)(a[i] == b[i]) << i;
	return mask;
}

static inline uint32_t
chars_is16(const char *s, char c)
{
	uint32_t mask = 0;

	for (int i = 0; i < 16; i++)
		mask |= (uint32_t)(s[i] == c) << i;
	return mask;
}

static inline uint32_t
chars_digit16(const char *s)
{
	uint32_t mask = 0;

	for (int i = 0; i < 16; i++)
		mask |= (uint32_t)(s[i] >= '0' && s[i] <= '9') << i;
	return mask;
}

static inline uint32_t
chars_hex16(const char *s)
{
	uint32_t mask = 0;

	for (int i = 0; i < 16; i++)
		mask |= (uint32_t)((s[i] >= '0' && s[i] <= '9') || (s[i] >= 'a' && s[i] <= 'f'))
			<< i;
	return mask;
}
#endif

/*
 * True if s, a long text, contains the n bytes of `what`, at least one. Compares the first and the
 * last of them at 16 places at once. In names, which are short, text_has is as fast.
 */
static inline bool
chars_has(const char *s, size_t len, const char *what, size_t n)
{
	size_t at = 0, last = len - n - 15;

	for (; len >= n + 15; at = at + 16 < last ? at + 16 : last) {
		uint32_t mask =
		    chars_is16(s + at, what[0]) & chars_is16(s + at + n - 1, what[n - 1]);

		for (; mask != 0; mask &= mask - 1)
			if (memcmp(s + at + __builtin_ctz(mask), what, n) == 0)
				return true;
		if (at == last)
			return false;
	}
	for (; at + n <= len; at++)
		if (s[at] == what[0] && memcmp(s + at, what, n) == 0)
			return true;
	return false;
}

/*
 * A short hash of a name's length, ends and middle, which distinguish most names of a profile: for
 * tables of recent names, where a collision costs no more than a miss.
 */
static inline uint32_t
chars_sketch(const char *s, size_t len)
{
	uint64_t first = 0, last = 0, middle = 0;

	if (len >= 8) {
		memcpy(&first, s, 8);
		memcpy(&last, s + len - 8, 8);
		memcpy(&middle, s + len / 2 - 4, 8);
	} else {
		for (size_t i = 0; i < len; i++)
			first = first << 8 | (unsigned char)s[i];
	}
	first = (first ^ (middle << 21 | middle >> 43)) * UINT64_C(0x9e3779b97f4a7c15);
	first = (first ^ last ^ len) * UINT64_C(0xd6e8feb86659fd93);
	return (
	    uint32_t)(first >> 32 ^ first >> 50); /* the last byte changes the highest bits only */
}

/* The number of leading bytes (chars_first) or trailing bytes (chars_last) in a mask of 16. */
static inline unsigned
chars_first(uint32_t mask)
{
	return (unsigned)__builtin_ctz(~mask);
}

static inline unsigned
chars_last(uint32_t mask)
{
	return (unsigned)__builtin_clz(~(mask << 16));
}

#endif
