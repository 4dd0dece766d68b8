/*
 * newlines: finds the ends of a block's lines in groups. Lines of perf script are
 * short; one memchr call per line took a tenth of the run time. Here 64 bytes at once
 * become a mask of newline positions.
 */
#ifndef NEWLINES_H
#define NEWLINES_H

#include <stdint.h>

#include "fg-collapse/perfscript/chars.h"

#define NEWLINES_AHEAD 512

struct newlines {
	const char *data, *at, *stop; /* the block, its unsearched rest, its end */
	unsigned n, i;
	uint32_t end[NEWLINES_AHEAD + 64]; /* offsets of the next newlines */
};

static inline uint64_t
newlines_mask(const char *s)
{
	return chars_is16(s, '\n') | (uint64_t)chars_is16(s + 16, '\n') << 16 |
	       (uint64_t)chars_is16(s + 32, '\n') << 32 | (uint64_t)chars_is16(s + 48, '\n') << 48;
}

static inline void
newlines_search(struct newlines *l)
{
	unsigned n = 0;

	for (; l->at < l->stop && n < NEWLINES_AHEAD; l->at += 64) {
		uint64_t mask = newlines_mask(l->at);

		if (l->stop - l->at < 64)
			mask &= (UINT64_C(1) << (l->stop - l->at)) - 1;
		for (; mask != 0; mask &= mask - 1)
			l->end[n++] = (uint32_t)(l->at - l->data) + (uint32_t)__builtin_ctzll(mask);
	}
	l->n = n;
	l->i = 0;
}

/* Starts on [data, stop), which ends with a newline; 64 bytes beyond stop must be readable. */
static inline void
newlines_begin(struct newlines *l, const char *data, const char *stop)
{
	l->data = l->at = data;
	l->stop = stop;
	l->n = l->i = 0;
}

/* The newline that ends the next line; there must be a next line. */
static inline const char *
newlines_next(struct newlines *l)
{
	if (l->i == l->n)
		newlines_search(l);
	return l->data + l->end[l->i++];
}

/* Makes newlines_next return the last line again. */
static inline void
newlines_back(struct newlines *l)
{
	l->i--;
}

#endif
