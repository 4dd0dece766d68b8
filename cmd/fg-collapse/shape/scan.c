#include "fg-collapse/shape/scan.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct str
str_from(struct str s, size_t n)
{
	if (n > s.len)
		n = s.len;
	return n == 0 ? s : (struct str){s.s + n, s.len - n};
}

struct str
str_trim(struct str s)
{
	scan_blanks(&s);
	while (s.len > 0 && is_blank(s.s[s.len - 1]))
		s.len--;
	return s;
}

bool
scan_line(struct str *rest, struct str *line)
{
	if (rest->len == 0)
		return false;
	*line = scan_until(rest, '\n');
	while (line->len > 0 && is_blank(line->s[line->len - 1]))
		line->len--;
	return true;
}

bool
scan_word(struct str *s, const char *word)
{
	if (!str_starts(*s, word))
		return false;
	*s = str_from(*s, strlen(word));
	return true;
}

bool
scan_number(struct str *s, uint64_t *n)
{
	size_t i = 0;
	uint64_t v = 0;

	for (; i < s->len && is_digit(s->s[i]); i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s->s[i] - '0'), &v))
			return false;
	if (i == 0)
		return false;
	*n = v;
	*s = str_from(*s, i);
	return true;
}

struct str
scan_digits(struct str *s)
{
	struct str digits = *s;
	uint64_t n;

	digits.len = scan_number(s, &n) ? digits.len - s->len : 0;
	return digits;
}

bool
scan_hex(struct str *s, uint64_t *n)
{
	size_t i = 2;
	uint64_t v = 0;

	if (!str_starts(*s, "0x"))
		return false;
	for (; i < s->len; i++) {
		char c = s->s[i];
		unsigned digit;

		if (is_digit(c))
			digit = (unsigned)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			digit = (unsigned)((c | 0x20) - 'a') + 10;
		else
			break;
		v = v << 4 | digit;
	}
	if (i == 2)
		return false;
	*n = v;
	*s = str_from(*s, i);
	return true;
}

bool
scan_value(struct str s, value *v)
{
	return s.len > 0 && value_parse(s.s, s.s + s.len, v) != VALUE_BAD;
}

bool
scan_decimal(struct str *s, value *v)
{
	struct str number = *s;
	size_t i = 0;

	while (i < s->len && (is_digit(s->s[i]) || s->s[i] == '.'))
		i++;
	number.len = i;
	if (!scan_value(number, v))
		return false;
	*s = str_from(*s, i);
	return true;
}

struct str
scan_until(struct str *s, char end)
{
	const char *at = s->len > 0 ? memchr(s->s, end, s->len) : NULL;
	struct str before = *s;

	if (at != NULL)
		before.len = (size_t)(at - s->s);
	*s = str_from(*s, at != NULL ? before.len + 1 : before.len);
	return before;
}

size_t
scan_blanks(struct str *s)
{
	size_t n = 0;

	while (n < s->len && is_blank(s->s[n]))
		n++;
	*s = str_from(*s, n);
	return n;
}

size_t
str_find(struct str s, const char *what)
{
	const char *at = s.len > 0 ? memmem(s.s, s.len, what, strlen(what)) : NULL;

	return at != NULL ? (size_t)(at - s.s) : s.len;
}

size_t
str_find_last(struct str s, const char *what)
{
	size_t before = strlen(what) - 1; /* offset of the last byte, which memchr searches */
	size_t end = s.len;
	const char *at;

	while (end > before && (at = memrchr(s.s + before, what[before], end - before)) != NULL) {
		if (memcmp(at - before, what, before) == 0)
			return (size_t)(at - before - s.s);
		end = (size_t)(at - s.s);
	}
	return s.len;
}
