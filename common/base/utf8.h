/*
 * utf8: reads characters of UTF-8, and makes them safe for a terminal.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Length of the UTF-8 character at s (RFC 3629), with its code point in *code; 0 if it is
 * invalid or incomplete. text_printable is 0 for C0 and C1 control characters too. len > 0.
 */
size_t text_utf8(const char *s, size_t len, uint32_t *code);
size_t text_printable(const char *s, size_t len, uint32_t *code);

/* Number of bytes at the start that are printable ASCII. */
size_t text_ascii(const char *s, size_t len);

#define TEXT_SHOWN 8

/*
 * Writes the next character of s, safe for a terminal: UTF-8 as it is; control characters and
 * invalid bytes as by vis(3). Returns its length in `to`; *taken is its length in s.
 */
size_t text_shown(char to[TEXT_SHOWN], const char *s, size_t len, size_t *taken);

#endif
