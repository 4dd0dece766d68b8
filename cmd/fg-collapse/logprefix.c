/*
 * logprefix: a function for each shape measures the prefix of a line; a shape counts if it measures
 * one in each line of the head.
 */
#include "fg-collapse/logprefix.h"

#include <stdbool.h>
#include <string.h>

#include "fg-collapse/shape/scan.h"

static bool
is_name(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '-' ||
	       c == '_' || c == '.';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t
name(struct str s, size_t at)
{
	while (at < s.len && is_name(s.s[at]))
		at++;
	return at;
}

/* `web-1  | `; at the end of a line without the last blank. */
static size_t
compose(struct str s)
{
	size_t at = name(s, 0);

	if (at == 0)
		return 0;
	while (at < s.len && s.s[at] == ' ')
		at++;
	if (at < 2 || at == s.len || s.s[at] != '|' || s.s[at - 1] != ' ')
		return 0;
	return at + 1 == s.len ? at + 1 : s.s[at + 1] == ' ' ? at + 2 : 0;
}

/* `2026-01-05T06:31:54.841234Z `, and the stream and tag of container runtimes: `stdout F `. */
static size_t
timestamp(struct str s)
{
	static const char shape[] = "0000-00-00T00:00:00";
	size_t at = sizeof shape - 1;

	if (s.len < at + 1)
		return 0;
	for (size_t i = 0; i < at; i++)
		if (shape[i] == '0' ? !is_digit(s.s[i]) : s.s[i] != shape[i])
			return 0;
	while (at < s.len && s.s[at] != ' ')
		if (!is_digit(s.s[at]) && strchr(".,Z+-:", s.s[at]) == NULL)
			return 0;
		else
			at++;
	if (at == s.len)
		return at;
	s = str_from(s, at + 1);
	if (str_starts(s, "stdout F") || str_starts(s, "stderr F"))
		return at + 1 + strlen("stdout F") + (s.len > strlen("stdout F"));
	return at + 1;
}

/* `[pod/web-0/app] `. */
static size_t
pod(struct str s)
{
	size_t at;

	if (!str_starts(s, "[pod/"))
		return 0;
	at = str_find(s, "]");
	return at == s.len ? 0 : at + 1 == s.len ? at + 1 : s.s[at + 1] == ' ' ? at + 2 : 0;
}

/* `Jan  5 06:31:54 host app[17]: `. */
static size_t
syslog(struct str s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec", shape[] = " 00:00:00 ";
	size_t at = 6, end;
	const char *month;

	if (s.len < 20)
		return 0;
	month = memmem(months, sizeof months - 1, s.s, 3);
	if (month == NULL || (month - months) % 3 != 0 || s.s[3] != ' ' || !is_digit(s.s[5]))
		return 0;
	for (size_t i = 0; i < sizeof shape - 1; i++)
		if (shape[i] == '0' ? !is_digit(s.s[at + i]) : s.s[at + i] != shape[i])
			return 0;
	at = name(s, at + sizeof shape - 1);
	if (at == s.len || s.s[at] != ' ')
		return 0;
	end = name(s, at + 1);
	if (end < s.len && s.s[end] == '[')
		end += str_find(str_from(s, end), "]") + 1;
	if (end >= s.len || s.s[end] != ':')
		return 0;
	return end + 1 == s.len ? end + 1 : s.s[end + 1] == ' ' ? end + 2 : 0;
}

static size_t (*const shapes[])(struct str) = {NULL, compose, timestamp, pod, syslog};
enum { COMPOSE = 1, SHAPES = sizeof shapes / sizeof shapes[0] };

size_t
logprefix_length(const void *prefix, const char *line, size_t len)
{
	const struct logprefix *p = prefix;
	struct str rest = {line, len};

	for (int i = 0; i < LOGPREFIX_LAYERS && p->shape[i] != 0; i++) {
		size_t n = shapes[p->shape[i]](rest);

		if (n == 0)
			break;
		rest = str_from(rest, n);
	}
	return (size_t)(rest.len > 0 ? rest.s - line : (ptrdiff_t)len);
}

/* True if all complete lines have a further prefix of this shape, after those of p. */
static bool
has_shape(const struct logprefix *p, unsigned shape, struct str data)
{
	unsigned lines = 0;
	size_t column = 0;

	while (data.len > 0) {
		const char *newline = memchr(data.s, '\n', data.len);
		struct str line = {data.s, newline != NULL ? (size_t)(newline - data.s) : 0};
		size_t n;

		if (newline == NULL)
			break;
		data = str_from(data, line.len + 1);
		if (line.len > 0 && line.s[line.len - 1] == '\r')
			line.len--;
		if (line.len == 0)
			continue;
		line = str_from(line, logprefix_length(p, line.s, line.len));
		n = shapes[shape](line);
		if (n == 0)
			return false;
		if (shape == COMPOSE) { /* the bars are below each other */
			n -= line.len >= n && line.s[n - 1] == ' ';
			if (lines > 0 && n != column)
				return false;
			column = n;
		}
		lines++;
	}
	return lines > 1;
}

struct logprefix
logprefix_find(const char *data, size_t len)
{
	struct logprefix p = {{0}};

	for (int layer = 0; layer < LOGPREFIX_LAYERS; layer++) {
		unsigned shape = 1;

		while (shape < SHAPES && !has_shape(&p, shape, (struct str){data, len}))
			shape++;
		if (shape == SHAPES)
			break;
		p.shape[layer] = (unsigned char)shape;
	}
	return p;
}
