/*
 * jsonsniff: a tokenizer for brackets, strings and separators: it finds keys with their
 * paths, in JSON that may be truncated anywhere.
 */
#include "fg-collapse/shape/jsonsniff.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define DEPTH 8 /* longest path */

struct scan {
	const char *at, *end;
	struct str key[DEPTH]; /* keys on the path to the current value; empty for array items */
	unsigned depth; /* nesting depth of the current value; can exceed DEPTH */
	const char *const *path;
	size_t n;
	uint32_t found;
};

static bool
matches(const struct scan *s, const char *path, struct str text)
{
	for (unsigned d = 0; d < s->depth; d++) {
		struct str key = s->key[d];
		size_t len;

		if (*path != '*' && (key.len == 0 || *path != key.s[0]))
			return false;
		len = strcspn(path, ".=");
		if (!(len == 1 && *path == '*') &&
		    !(key.len == len && memcmp(key.s, path, len) == 0))
			return false;
		path += len;
		if (d + 1 < s->depth && *path++ != '.')
			return false;
	}
	return *path == '\0' || (*path == '=' && text_is(text.s, text.len, path + 1));
}

/* Handles the start of a value; text is its string, if it is one. */
static void
value_at(struct scan *s, struct str text)
{
	if (s->depth == 0 || s->depth > DEPTH)
		return;
	for (size_t i = 0; i < s->n; i++)
		if (!(s->found & 1u << i) && matches(s, s->path[i], text))
			s->found |= 1u << i;
}

/* Takes a string from its opening quote; false if it is truncated. */
static bool
scan_string(struct scan *s, struct str *text)
{
	const char *begin = ++s->at;

	for (; s->at < s->end && *s->at != '"'; s->at++)
		if (*s->at == '\\' && s->at + 1 < s->end)
			s->at++;
	if (s->at >= s->end)
		return false;
	*text = (struct str){begin, (size_t)(s->at++ - begin)};
	return true;
}

static void
skip_blanks(struct scan *s)
{
	while (
	    s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
		s->at++;
}

/* Advances to the start or end of the next value; false at the end of the data. */
static bool
step(struct scan *s)
{
	struct str text = {0};
	bool key;
	char c;

	skip_blanks(s);
	if (s->at == s->end)
		return false;
	c = *s->at;
	if (c == '}' || c == ']') {
		if (s->depth == 0)
			return false;
		s->depth--;
		s->at++;
	} else if (c == ',') {
		s->at++;
	} else if (c == '{' || c == '[') {
		value_at(s, text);
		if (s->depth < DEPTH)
			s->key[s->depth] = (struct str){0};
		s->depth++;
		s->at++;
	} else if (c == '"') {
		if (!scan_string(s, &text))
			return false;
		skip_blanks(s);
		key = s->at < s->end && *s->at == ':';
		if (key && s->depth > 0 && s->depth <= DEPTH)
			s->key[s->depth - 1] = text;
		if (key)
			s->at++;
		else
			value_at(s, text);
	} else {
		size_t len = 0;

		while (s->at + len < s->end && s->at[len] != '\0' &&
		       strchr("+-.0123456789eEtruefalsn", s->at[len]) != NULL)
			len++;
		if (len == 0)
			return false;
		value_at(s, text);
		s->at += len;
	}
	return true;
}

uint32_t
json_find_paths(const char *data, size_t len, const char *const *path, size_t n)
{
	struct scan s = {.at = data, .end = data + len, .path = path, .n = n};

	if (text_starts(data, len, "\xef\xbb\xbf"))
		s.at += 3;
	skip_blanks(&s);
	if (s.at == s.end || (*s.at != '{' && *s.at != '['))
		return 0;
	while (step(&s))
		continue;
	return s.found;
}
