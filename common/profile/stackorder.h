/*
 * stackorder: the canonical order of folded(5) for complete stacks as text: frame by frame,
 * bytewise, a prefix first. Since `;` ends a frame it sorts before all other bytes, and the end
 * of a stack before `;`.
 */
#ifndef STACKORDER_H
#define STACKORDER_H

#include <stddef.h>

#include "profile/folded.h"

/* Length of the common prefix of a and b, `from` bytes of which are known. */
static inline size_t
stack_shared(const char *a, size_t alen, const char *b, size_t blen, size_t from)
{
	return folded_shared(a, b, from, alen < blen ? alen : blen);
}

static inline int
stack_rank(const char *s, size_t len, size_t i)
{
	return i == len ? 0 : s[i] == ';' ? 1 : (unsigned char)s[i] + 2;
}

/* Returns < 0, 0 or > 0 as a comes before b, equals b, or comes after it. */
static inline int
stack_order(const char *a, size_t alen, const char *b, size_t blen, size_t shared)
{
	return stack_rank(a, alen, shared) - stack_rank(b, blen, shared);
}

#endif
