/*
 * text: the growing string.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"

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
		cli_die("a message cannot be written");
	text_room(t, (size_t)len);
	va_start(ap, fmt);
	vsnprintf(t->s + t->len, (size_t)len + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)len;
}

void
text_cut(struct text *t, size_t len)
{
	if (len < t->len) {
		t->len = len;
		t->s[len] = '\0';
	}
}

void
text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){0};
}
