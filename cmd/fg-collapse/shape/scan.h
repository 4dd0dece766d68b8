/*
 * scan: taking a line apart from its beginning. What is borrowed stays the line's.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"

/* For sniffing: the next line of rest, without blanks at its end; false after the last. */
bool scan_line(struct str *rest, struct str *line);

/* Each takes what it names from the front of s, or leaves s alone and says false. */
bool scan_word(struct str *s, const char *word); /* exactly this */
bool scan_number(struct str *s, uint64_t *n); /* digits */
bool scan_hex(struct str *s, uint64_t *n); /* hexadecimal digits after 0x */
bool scan_decimal(struct str *s, value *v); /* 12.5 */
struct str scan_until(
    struct str *s, char end); /* all before it, and takes it too; all of s if there is none */

/* Blanks at the front; how many there were. */
size_t scan_blanks(struct str *s);

/* Whether all of s is a decimal number, and which. */
bool scan_value(struct str s, value *v);

/* s without its first n bytes, or nothing; without blanks at both ends. */
struct str str_from(struct str s, size_t n);
struct str str_trim(struct str s);

/* Where `what` begins in s, or s.len. */
size_t str_find(struct str s, const char *what);
/* The same for its last occurrence; `what` is not empty. */
size_t str_find_last(struct str s, const char *what);

static inline bool
str_starts(struct str s, const char *with)
{
	return text_starts(s.s, s.len, with);
}

static inline bool
str_ends(struct str s, const char *with)
{
	return text_ends(s.s, s.len, with);
}

static inline bool
str_is(struct str s, const char *what)
{
	return text_is(s.s, s.len, what);
}

#endif
