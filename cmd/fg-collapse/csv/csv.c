/*
 * csv: fields are copied, because a quoted field differs from its text in the line.
 */
#include "fg-collapse/csv/csv.h"

void
csv_free(struct csv *c)
{
	text_free(&c->text);
}

bool
csv_split(struct csv *c, struct str line, char delimiter)
{
	const char *s = line.s, *end = line.s + line.len;
	bool complete = true;

	text_cut(&c->text, 0);
	text_reserve(&c->text, line.len);
	for (c->n = 0; c->n < CSV_FIELDS;) {
		size_t begin = c->text.len;
		const char *quote = s;

		while (quote < end && (*quote == ' ' || *quote == '\t') && delimiter != *quote)
			quote++;
		if (quote < end && *quote == '"') {
			text_add(
			    &c->text, s, (size_t)(quote - s)); /* VTune indents before the quote */
			for (s = quote + 1; s < end; s++) {
				if (*s == '"' && ++s < end && *s != '"')
					break;
				if (s < end)
					text_char(&c->text, *s);
			}
			complete &= s < end || end[-1] == '"';
		}
		while (s < end && *s != delimiter)
			text_char(&c->text, *s++);
		c->field[c->n++] = (struct str){c->text.s + begin, c->text.len - begin};
		if (s++ >= end)
			break;
	}
	return complete;
}

bool
csv_count(struct str field, uint64_t *n)
{
	*n = 0;
	for (size_t i = 0; i < field.len; i++) {
		char ch = field.s[i];

		if (ch >= '0' && ch <= '9') {
			if (__builtin_mul_overflow(*n, 10, n) ||
			    __builtin_add_overflow(*n, (uint64_t)(ch - '0'), n))
				return false;
		} else if (i == 0 || strchr(",.' ", ch) == NULL) {
			return false;
		}
	}
	return field.len > 0;
}
