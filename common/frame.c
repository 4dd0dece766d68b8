/*
 * frame: a frame's name is looked at from its end, where everything stands that
 * is not the function.
 */
#include "frame.h"

#include <string.h>

#include "text.h"

/* The annotation at the end, one of k j i l w, or 0. Nothing but one is a function of that name. */
static char
annotation(const char *s, size_t len)
{
	const char *end = s + len;

	if (len < 5 || end[-1] != ']' || end[-3] != '[' || end[-4] != '_' || end[-2] == '\0' ||
	    strchr("kjilw", end[-2]) == NULL)
		return 0;
	return end[-2];
}

/* The length without ` (file:line)`. */
static size_t
without_source(const char *s, size_t len)
{
	size_t i = len;

	if (len < 6 || s[len - 1] != ')')
		return len;
	for (i--; i > 0 && s[i - 1] >= '0' && s[i - 1] <= '9'; i--)
		continue;
	if (i == len - 1 || i < 4 || s[i - 1] != ':')
		return len;
	for (i -= 2; i > 1; i--)
		if (s[i] == '(')
			return s[i - 1] == ' ' ? i - 1 : len;
	return len;
}

size_t
frame_body(const char *s, size_t len)
{
	size_t before;

	do {
		before = len;
		while (annotation(s, len) != 0)
			len -= 4;
		len = without_source(s, len);
	} while (len != before);
	return len;
}

bool
frame_annotated(const char *s, size_t len, char which)
{
	size_t before;

	do {
		before = len;
		for (char a; (a = annotation(s, len)) != 0; len -= 4)
			if (a == which)
				return true;
		len = without_source(s, len);
	} while (len != before);
	return false;
}

size_t
frame_drop_annotations(char *s, size_t len)
{
	size_t end = len, before;

	do {
		before = end;
		while (annotation(s, end) != 0) {
			memmove(s + end - 4, s + end, len - end);
			end -= 4;
			len -= 4;
		}
		end = without_source(s, end);
	} while (end != before);
	return len;
}

const char *
frame_module(const char *s, size_t len, size_t *n)
{
	const char *tick;

	len = frame_body(s, len);
	tick = memchr(s, '`', len);
	if (tick != NULL) {
		*n = (size_t)(tick - s);
		return s;
	}
	if (len > 2 && s[0] == '[' && s[len - 1] == ']') {
		*n = len - 2;
		return s + 1;
	}
	return NULL;
}

/* Without what follows an argument list: a member function's qualifiers, the compiler's clones. */
static size_t
without_qualifiers(const char *s, size_t len)
{
	static const char *const qualifier[] = {
	    " const", " volatile", " noexcept", " &", "&&", "&", " "};
	size_t before;

	do {
		before = len;
		for (size_t i = 0; i < sizeof qualifier / sizeof qualifier[0]; i++)
			if (text_ends(s, len, qualifier[i]))
				len -= strlen(qualifier[i]);
		if (len > 0 && s[len - 1] == ']') {
			const char *clone = memmem(s, len, " [clone ", 8);

			if (clone != NULL)
				len = (size_t)(clone - s);
		}
	} while (len != before);
	return len;
}

size_t
frame_without_arguments(const char *s, size_t len)
{
	size_t end, open;
	int depth = 0;

	if (memchr(s, ')', len) == NULL) /* nearly all names */
		return len;
	end = open = without_qualifiers(s, len);
	if (end == 0 || s[end - 1] != ')')
		return len;
	do {
		open--;
		if (s[open] == ')')
			depth++;
		else if (s[open] == '(')
			depth--;
	} while (open > 0 && depth > 0);
	if (depth != 0 || open == 0 || s[open - 1] == '.' || s[open - 1] == ' ' ||
	    s[open - 1] == ':' || text_ends(s, open, "operator") ||
	    text_starts(s + open, end - open, "(anonymous"))
		return len;
	return open;
}

size_t
frame_without_hash(const char *s, size_t len)
{
	if (len <= 19 || memcmp(s + len - 19, "::h", 3) != 0)
		return len;
	for (size_t i = len - 16; i < len; i++)
		if (strchr("0123456789abcdef", s[i]) == NULL || s[i] == '\0')
			return len;
	return len - 19;
}
