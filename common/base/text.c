/*
 * text: growing strings.
 */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/vec.h"

#define PRINTED 32 /* bytes that most calls of text_printf append */

/* Number of bytes at the start of s that are printable ASCII, and neither `"` nor `\\`. */
static size_t
plain_ascii(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] >= ' ' && s[n] < 0x7f && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

void
text_show(struct text *t, struct str s)
{
	for (size_t i = 0, taken; i < s.len; i += taken) {
		taken = plain_ascii(s.s + i, s.len - i);
		if (taken > 0) {
			text_add(t, s.s + i, taken);
			continue;
		}
		text_reserve(t, TEXT_SHOWN);
		t->len += text_shown(t->s + t->len, s.s + i, s.len - i, &taken);
		t->s[t->len] = '\0';
	}
}

void
text_json(struct text *t, struct str s)
{
	size_t plain = 0; /* start of the bytes to copy as they are */
	uint32_t c;

	text_char(t, '"');
	for (size_t i = 0, taken; i < s.len; i += taken) {
		size_t n;

		i += plain_ascii(s.s + i, s.len - i);
		if (i == s.len)
			break;
		n = text_utf8(s.s + i, s.len - i, &c);
		taken = n > 0 ? n : 1;
		if (n > 0 && c >= ' ' && c != 0x7f && c != '"' && c != '\\')
			continue;
		text_add(t, s.s + plain, i - plain);
		plain = i + 1;
		if (n == 0)
			text_puts(t, "\\ufffd");
		else if (c == '"' || c == '\\')
			text_printf(t, "\\%c", (char)c);
		else
			text_printf(t, "\\u%04x", (unsigned)c);
	}
	if (plain < s.len)
		text_add(t, s.s + plain, s.len - plain);
	text_char(t, '"');
}

void
text_reserve(struct text *t, size_t more)
{
	vec_fit(t->s, t->cap, t->len + more + 1);
}

void
text_add(struct text *t, const char *s, size_t len)
{
	text_reserve(t, len);
	if (len > 0)
		memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void
text_count(struct text *t, uint64_t n)
{
	char digits[TEXT_DIGITS], *end = digits + sizeof digits, *s = text_digits(end, n);

	text_add(t, s, (size_t)(end - s));
}

void
text_str(struct text *t, struct str s)
{
	text_add(t, s.s, s.len);
}

void
text_puts(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void
text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	size_t space;
	int len;

	text_reserve(t, PRINTED);
	space = t->cap - t->len;
	va_start(ap, fmt);
	len = vsnprintf(t->s + t->len, space, fmt, ap);
	va_end(ap);
	if (len < 0)
		cli_die("a message could not be formatted");
	if ((size_t)len >= space) {
		text_reserve(t, (size_t)len);
		va_start(ap, fmt);
		vsnprintf(t->s + t->len, (size_t)len + 1, fmt, ap);
		va_end(ap);
	}
	t->len += (size_t)len;
}

void
text_html(struct text *t, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		switch (s.s[i]) {
		case '&': text_puts(t, "&amp;"); break;
		case '<': text_puts(t, "&lt;"); break;
		case '>': text_puts(t, "&gt;"); break;
		case '"': text_puts(t, "&quot;"); break;
		default: text_char(t, s.s[i]);
		}
}

void
text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}

size_t
text_without_version(const char *name, size_t len)
{
	const char *at = len == 0 ? NULL : memchr(name, '@', len), *end, *p;

	if (at == NULL || at == name)
		return len;
	end = name + len;
	for (p = name; p < at && at[-1] != ')' && !text_ends(name, (size_t)(at - name), ") const");
	     p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.' && *p != '$')
			return len;
	p = at + 1;
	if (p < end && *p == '@')
		p++;
	/* Version nodes are upper case: GLIBC_2.34, Qt_5, LIBFOO_1_0. */
	if (p == end || !isupper((unsigned char)*p))
		return len;
	for (; p < end; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.' && *p != '-')
			return len;
	return (size_t)(at - name);
}

char *
str_copy(struct str s)
{
	char *copy = cli_alloc(s.len + 1, 1);

	if (s.len > 0) /* an empty text may be NULL */
		memcpy(copy, s.s, s.len);
	return copy;
}
