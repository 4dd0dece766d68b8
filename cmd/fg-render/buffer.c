/*
 * buffer: bytes that grow, for text whose length is not known before it is written.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "render.h"

void
buffer_grow(struct buffer *b, size_t room)
{
	if (b->cap - b->n > room)
		return;
	b->cap += b->cap / 2 + room + 64;
	b->s = cli_realloc(b->s, b->cap, 1);
}

void
buffer_add(struct buffer *b, const char *s, size_t n)
{
	buffer_grow(b, n);
	memcpy(b->s + b->n, s, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void
buffer_text(struct buffer *b, const char *s)
{
	buffer_add(b, s, strlen(s));
}

void
buffer_printf(struct buffer *b, const char *fmt, ...)
{
	char small[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	if (n < 0)
		cli_die("out of memory");
	if ((size_t)n < sizeof small) {
		buffer_add(b, small, (size_t)n);
		return;
	}
	buffer_grow(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void
buffer_free(struct buffer *b)
{
	free(b->s);
	*b = (struct buffer){0};
}
