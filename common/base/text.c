/*
 * text: growing strings, and escapes for terminals.
 */
#include "base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#define LIBBSD_OPENBSD_VIS /* selects one of two strnvis(3); unused here */
#include <vis.h>

#include "base/cli.h"
#include "base/vec.h"

/* Length of the UTF-8 character at s; 0 when it is invalid, or a control character. */
static size_t
printable_char(const unsigned char *s, size_t len)
{
	static const struct {
		unsigned char mask, first;
		uint32_t least;
	} kinds[] = {
	    {0x80, 0, ' '}, {0xe0, 0xc0, 0xa0}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

	for (size_t k = 0; k < 4; k++) {
		uint32_t c = s[0] & (uint8_t)~kinds[k].mask;

		if ((s[0] & kinds[k].mask) != kinds[k].first)
			continue;
		for (size_t i = 1; i <= k; i++) {
			if (i >= len || (s[i] & 0xc0) != 0x80)
				return 0;
			c = c << 6 | (s[i] & 0x3f);
		}
		return c >= kinds[k].least && c != 127 && c < 0x110000 && c >> 11 != 0x1b ? k + 1
											  : 0;
	}
	return 0;
}

size_t
text_shown(char to[TEXT_SHOWN], const char *s, size_t len, size_t *taken)
{
	size_t n = printable_char((const unsigned char *)s, len);

	*taken = n > 0 ? n : 1;
	if (n > 0) {
		memcpy(to, s, n);
		return n;
	}
	return (size_t)(vis(to, (unsigned char)s[0],
			    VIS_CSTYLE | VIS_OCTAL | VIS_WHITE | VIS_NOLOCALE, 0) -
			to);
}

void
text_show(struct text *t, struct str s)
{
	size_t taken;

	for (size_t i = 0; i < s.len; i += taken) {
		text_room(t, TEXT_SHOWN);
		t->len += text_shown(t->s + t->len, s.s + i, s.len - i, &taken);
		t->s[t->len] = '\0';
	}
}

void
text_room(struct text *t, size_t more)
{
	vec_fit(t->s, t->cap, t->len + more + 1);
}

void
text_add(struct text *t, const char *s, size_t len)
{
	text_room(t, len);
	if (len > 0)
		memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
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
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		cli_die("a message could not be formatted");
	text_room(t, (size_t)len);
	va_start(ap, fmt);
	vsnprintf(t->s + t->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)len;
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
