/*
 * text: strings with a length. A str is borrowed, without NUL; a text is owned and grows.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "kernel/compat.h"

#define TEXT_DIGITS 20 /* of the largest 64-bit number */

/* Writes n in decimal before `end`, after at least TEXT_DIGITS bytes; returns the first digit. */
static inline char *
text_digits(char *end, uint64_t n)
{
	do
		*--end = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	return end;
}

/* Borrowed bytes; len 0: none. */
struct str {
	const char *s;
	size_t len;
};

static inline struct str
str_of(const char *s)
{
	return (struct str){s, s != NULL ? strlen(s) : 0};
}

static inline bool
str_equal(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0);
}

/* The part after the last slash. */
static inline struct str
str_base(struct str path)
{
	const char *slash = path.len > 0 ? memrchr(path.s, '/', path.len) : NULL;

	return slash == NULL ? path
			     : (struct str){slash + 1, path.len - (size_t)(slash + 1 - path.s)};
}

/* A copy with a NUL at its end, which the caller frees. */
char *str_copy(struct str s);

/* The form of a noun, or of a noun and its verb, after the count n. */
static inline const char *
text_form(uint64_t n, const char *one, const char *more)
{
	return n == 1 ? one : more;
}

/*
 * Predicates on bytes. Strings from tables mostly differ in the first byte: those are compared byte
 * by byte, since calls of strlen and memcmp cost more. Literals have a known length.
 */
static inline bool
text_starts(const char *s, size_t len, const char *with)
{
	if (__builtin_constant_p(strlen(with)))
		return len >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
	for (size_t i = 0; with[i] != '\0'; i++)
		if (i == len || s[i] != with[i])
			return false;
	return true;
}

static inline bool
text_is(const char *s, size_t len, const char *what)
{
	if (__builtin_constant_p(strlen(what)))
		return len == strlen(what) && memcmp(s, what, len) == 0;
	for (size_t i = 0; i < len; i++)
		if (what[i] == '\0' || s[i] != what[i])
			return false;
	return what[len] == '\0';
}

static inline bool
text_ends(const char *s, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(s + len - n, with, n) == 0;
}

/*
 * True if s contains `what`, a short word. Uses memchr: names are short, and the start-up of memmem
 * costs more than a search.
 */
static inline bool
text_has(const char *s, size_t len, const char *what)
{
	size_t n = strlen(what);

	while (len >= n && len > 0) {
		const char *found = (const char *)memchr(s, what[0], len - n + 1);

		if (found == NULL)
			return false;
		if (memcmp(found, what, n) == 0)
			return true;
		len -= (size_t)(found + 1 - s);
		s = found + 1;
	}
	return false;
}

/* True if the eight bytes at s are hexadecimal digits; *v is their value. All bytes at once. */
static inline bool
text_hex8(const char *s, uint64_t *v)
{
	const uint64_t each = UINT64_C(0x0101010101010101), top = 0x80 * each;
	uint64_t c, letter, is_letter, bad;

	memcpy(&c, s, sizeof c);
	c = be64toh(c);
	is_letter = (c & 0x40 * each) << 1;
	letter = (c | 0x20 * each) ^ 0x60 * each; /* 1 to 6; the sums below do not overflow */
	bad = is_letter & ((letter + 0x79 * each) | ~(letter + 0x7f * each));
	bad |= ~is_letter & ((c ^ 0x30 * each) + 0x76 * each);
	if (((bad | c) & top) != 0)
		return false;
	c = (c & 0x0f * each) + 9 * (is_letter >> 7);
	c = (c | c >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	c = (c | c >> 8) & UINT64_C(0x0000ffff0000ffff);
	*v = (c | c >> 16) & UINT32_MAX;
	return true;
}

/* Length of the run of hexadecimal digits at s; *v, if not NULL, is the value of its last 16. */
static inline size_t
text_hex(const char *s, size_t len, uint64_t *v)
{
	uint64_t n = 0, eight;
	size_t i = 0;

	for (; len - i >= 8 && text_hex8(s + i, &eight); i += 8)
		n = n << 32 | eight;
	for (; i < len; i++) {
		unsigned char c = (unsigned char)s[i], letter = c | 0x20;

		if (c >= '0' && c <= '9')
			n = n << 4 | (c - '0');
		else if (letter >= 'a' && letter <= 'f')
			n = n << 4 | (letter - 'a' + 10u);
		else
			break;
	}
	if (v != NULL)
		*v = n;
	return i;
}

/* A growing string, NUL-terminated once something was added. All zero when empty. */
struct text {
	char *s;
	size_t len, cap;
};

void text_reserve(struct text *t, size_t more); /* space for `more` bytes and a NUL */
void text_add(struct text *t, const char *s, size_t len);
void text_str(struct text *t, struct str s);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_count(struct text *t, uint64_t n); /* in decimal; text_printf takes ten times as long */
void text_show(struct text *t, struct str s); /* escaped as by text_shown */
void text_json(struct text *t, struct str s); /* JSON string with quotes; U+FFFD if invalid */
void text_html(struct text *t, struct str s); /* & < > " as character references of HTML and XML */
void text_free(struct text *t);

/* Truncates to the first len bytes. */
static inline void
text_cut(struct text *t, size_t len)
{
	if (len < t->len) {
		t->len = len;
		t->s[len] = '\0';
	}
}

static inline void
text_char(struct text *t, char c)
{
	if (t->cap - t->len < 2)
		text_reserve(t, 1);
	t->s[t->len++] = c;
	t->s[t->len] = '\0';
}

static inline struct str
text_as_str(const struct text *t)
{
	return (struct str){t->s, t->len};
}

/*
 * Length of a symbol's name without its version: for foo@@GLIBC_2.34 and foo@VERS_1 that of
 * foo. Others keep their length, also foo@plt and a path with an @.
 */
size_t text_without_version(const char *name, size_t len);

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
