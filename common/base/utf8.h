/*
 * utf8: encodes characters as UTF-8.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stdint.h>

#include "base/text.h"

/* Appends a character; U+FFFD for an invalid one (a surrogate, or beyond U+10FFFF). */
static inline void
utf8_add(struct text *t, uint64_t c)
{
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	if (c < 0x80) {
		text_char(t, (char)c);
		return;
	}
	if (c < 0x800) {
		text_char(t, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			text_char(t, (char)(0xe0 | c >> 12));
		} else {
			text_char(t, (char)(0xf0 | c >> 18));
			text_char(t, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		text_char(t, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	text_char(t, (char)(0x80 | (c & 0x3f)));
}

#endif
