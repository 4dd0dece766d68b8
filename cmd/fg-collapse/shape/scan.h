/*
 * scan: parsers that consume a line from its front. Results point into the line.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"

/* For sniffing: takes the next line of rest, without trailing blanks; false after the last. */
bool scan_line(struct str *rest, struct str *line);

/* Each removes an element from the front of s, or returns false and leaves s unchanged. */
bool scan_word(struct str *s, const char *word); /* exactly this text */
bool scan_number(struct str *s, uint64_t *n); /* digits */
/* Digits, as text; empty if there are none. */
struct str scan_digits(struct str *s);
bool scan_hex(struct str *s, uint64_t *n); /* hexadecimal digits after 0x */
bool scan_decimal(struct str *s, value *v); /* 12.5 */
struct str scan_until(struct str *s,
    char end); /* returns the text before end and removes both; all of s if end is absent */

/* Removes blanks from the front; returns their number. */
size_t scan_blanks(struct str *s);

/* True if all of s is a decimal number, stored in *v. */
bool scan_value(struct str s, value *v);

/* str_from: s without its first n bytes, or empty; str_trim: s without blanks at both ends. */
struct str str_from(struct str s, size_t n);
struct str str_trim(struct str s);

/* Offset of the first `what` in s, or s.len. */
size_t str_find(struct str s, const char *what);
/* Offset of the last `what` in s, or s.len; `what` is not empty. */
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
