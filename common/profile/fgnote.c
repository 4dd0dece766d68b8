/*
 * fgnote: the note as text; frames encoded by vis(3), decoded by unvis(3).
 */
#include "profile/fgnote.h"

#include <stdlib.h>
#include <string.h>
#define LIBBSD_OPENBSD_VIS /* selects one of two strnvis(3); unused here */
#include <vis.h>

static const char first[] = "fg-render 1";
static const char rest_line[] = "rest "; /* followed by the column's index and its rests */

value
fgnote_step(const struct fgnote *c, unsigned column)
{
	value step = VALUE_ONE;

	for (unsigned i = 0; i < c->digits[column]; i++)
		step /= 10;
	return step;
}

void
fgnote_rest(struct fgnote *c, unsigned column, value v, uint64_t n)
{
	struct text *t = &c->rest[column];
	value whole = n * fgnote_step(c, column);
	char digits[VALUE_CHARS];

	text_puts(t, v < whole ? " -" : " ");
	value_format(v < whole ? whole - v : v - whole, digits);
	text_puts(t, digits);
}

bool
fgnote_exact(struct fgnote *c, unsigned column, uint64_t n, value *v)
{
	size_t *at = &c->rest_at[column];
	const char *s = c->rest[column].s + *at, *end = c->rest[column].s + c->rest[column].len;
	const char *stop;
	value rest, whole = n * fgnote_step(c, column);
	bool minus;

	if (end - s < 2 || *s != ' ')
		return false;
	minus = *++s == '-';
	s += minus;
	stop = memchr(s, ' ', (size_t)(end - s));
	if (stop == NULL)
		stop = end;
	*at = (size_t)(stop - c->rest[column].s);
	if (value_parse(s, stop, &rest) != VALUE_EXACT || rest >= VALUE_ONE ||
	    (minus && rest > whole))
		return false;
	*v = minus ? whole - rest : value_sum(whole, rest);
	return true;
}

bool
fgnote_rest_unread(const struct fgnote *c)
{
	for (unsigned k = 0; k < c->columns.n; k++)
		if (c->rest_at[k] < c->rest[k].len)
			return true;
	return false;
}

void
fgnote_note(struct text *t, const struct fgnote *c)
{
	text_puts(t, first);
	if (c->difference)
		text_puts(t, " difference");
	for (unsigned i = 0; i < c->columns.n; i++)
		text_printf(t, " %u", c->digits[i]);
	text_char(t, '\n');
	foldedheader_add(t, &c->columns, NULL);
	for (unsigned k = 0; k < c->columns.n; k++)
		if (c->rest[k].len > 0) {
			text_printf(t, "%s%u", rest_line, k);
			text_str(t, text_as_str(&c->rest[k]));
			text_char(t, '\n');
		}
}

/* Parses the words of the first line. */
static bool
read_first(struct fgnote *c, struct str words)
{
	const char *s = words.s + strlen(first), *end = words.s + words.len;
	static const char difference[] = " difference";

	if ((size_t)(end - s) >= strlen(difference) &&
	    memcmp(s, difference, strlen(difference)) == 0) {
		c->difference = true;
		s += strlen(difference);
	}
	for (; s + 1 < end && *s == ' ' && s[1] >= '0' && s[1] <= '0' + FGNOTE_DIGITS; s += 2) {
		if (c->columns.n == CALLTREE_COLUMNS)
			return false;
		c->digits[c->columns.n++] = (unsigned)(s[1] - '0');
	}
	return s == end && c->columns.n > 0;
}

/* Reads the line of a column's rests; false if the line is another one. */
static bool
read_rest(struct fgnote *c, struct str line)
{
	size_t at = strlen(rest_line);
	unsigned k = 0;

	if (line.len <= at || memcmp(line.s, rest_line, at) != 0)
		return false;
	for (; at < line.len && line.s[at] >= '0' && line.s[at] <= '9' && k < CALLTREE_COLUMNS;
	     at++)
		k = k * 10 + (unsigned)(line.s[at] - '0');
	if (k < c->columns.n && c->rest[k].len == 0)
		text_add(&c->rest[k], line.s + at, line.len - at);
	return true;
}

static bool
read_header(struct fgnote *c, struct foldedheader *a, struct str line)
{
	struct folded_columns named = {0};
	struct str words;
	bool fits = true;

	if (read_rest(c, line))
		return true;
	switch (foldedheader_key(line, &words)) {
	case FOLDEDHEADER_COLUMNS:
		fits = folded_columns_parse(&named, words.s, words.len) && named.n == c->columns.n;
		if (fits)
			memcpy(c->columns.name, named.name, sizeof named.name);
		else
			folded_columns_free(&named);
		break;
	case FOLDEDHEADER_UNIT:
		fits = foldedheader_read_units(a, words) == FOLDEDHEADER_FITS;
		break;
	case FOLDEDHEADER_PERIOD:
		fits = foldedheader_read_periods(a, words) == FOLDEDHEADER_FITS;
		break;
	case FOLDEDHEADER_VALUES:
		fits = foldedheader_read_values(a, words) == FOLDEDHEADER_FITS;
		break;
	case FOLDEDHEADER_LABEL:
		fits = foldedheader_read_labels(a, words) == FOLDEDHEADER_FITS;
		break;
	default: break;
	}
	return fits;
}

bool
fgnote_begins(struct str s)
{
	return s.len > strlen(first) && memcmp(s.s, first, strlen(first)) == 0;
}

bool
fgnote_read(struct fgnote *c, struct str s)
{
	const char *end, *newline;
	struct foldedheader about = {0};
	bool good = false;

	if (!fgnote_begins(s))
		return false;
	*c = (struct fgnote){0};
	end = s.s + s.len;
	for (const char *at = s.s; at < end; at = newline + 1) {
		struct str line;

		newline = memchr(at, '\n', (size_t)(end - at));
		if (newline == NULL)
			newline = end;
		line = (struct str){at, (size_t)(newline - at)};
		good = at == s.s ? read_first(c, line) : good && read_header(c, &about, line);
		if (!good)
			break;
	}
	good = good && (c->columns.n == 1 || c->columns.name[0] != NULL) &&
	       (!c->difference || c->columns.n > 1) &&
	       foldedheader_join_units(&c->columns, &about) == FOLDEDHEADER_FITS &&
	       foldedheader_join_periods(&c->columns, &about) == FOLDEDHEADER_FITS &&
	       foldedheader_join_values(&c->columns, &about, false, false) == FOLDEDHEADER_FITS;
	labels_join(&c->columns.labels, about.columns.labels);
	foldedheader_free(&about);
	if (!good)
		fgnote_free(c);
	return good;
}

void
fgnote_free(struct fgnote *c)
{
	folded_columns_free(&c->columns);
	for (unsigned k = 0; k < CALLTREE_COLUMNS; k++)
		text_free(&c->rest[k]);
	*c = (struct fgnote){0};
}

void
fgnote_frame(struct text *t, struct str frame)
{
	size_t taken;

	for (size_t i = 0; i < frame.len; i += taken) {
		text_reserve(t, TEXT_SHOWN);
		if (frame.s[i] == '\\')
			text_char(t, '\\');
		t->len += text_shown(t->s + t->len, frame.s + i, frame.len - i, &taken);
		t->s[t->len] = '\0';
	}
	if (frame.len == 0)
		text_add(t, "", 0);
}

bool
fgnote_unframe(struct text *t, struct str s)
{
	int state = 0;

	for (size_t i = 0; i <= s.len; i++) {
		char c;
		int found;

		do {
			found = i < s.len ? unvis(&c, s.s[i], &state, 0)
					  : unvis(&c, '\0', &state, UNVIS_END);
			if (found == UNVIS_SYNBAD)
				return false;
			if (found == UNVIS_VALID || found == UNVIS_VALIDPUSH)
				text_char(t, c);
		} while (found == UNVIS_VALIDPUSH);
	}
	if (s.len == 0)
		text_add(t, "", 0);
	return true;
}
