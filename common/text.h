/*
 * text: questions about bytes that have a length and no NUL.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool
text_is(const char *s, size_t len, const char *what)
{
	return len == strlen(what) && memcmp(s, what, len) == 0;
}

static inline bool
text_starts(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(s, with, n) == 0;
}

static inline bool
text_ends(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(s + len - n, with, n) == 0;
}

static inline bool
text_has(const char *s, size_t len, const char *what)
{
	return memmem(s, len, what, strlen(what)) != NULL;
}

#endif
