/*
 * stackorder: the canonical order of folded(5) over whole stacks as text: frame by
 * frame, bytewise, a prefix first. Since `;` ends a frame it sorts below every
 * other byte, and the end of a stack below that.
 */
#ifndef STACKORDER_H
#define STACKORDER_H

#include <stddef.h>

#include "profile/folded.h"

/* How many bytes a and b share at their beginning, `from` of which are known to be. */
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

/* Below, at or above 0 as a comes before b, is b, or comes after it. */
static inline int
stack_order(const char *a, size_t alen, const char *b, size_t blen, size_t shared)
{
	return stack_rank(a, alen, shared) - stack_rank(b, blen, shared);
}

#endif
