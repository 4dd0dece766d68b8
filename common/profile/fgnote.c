/*
 * fgnote: the note as text; frames encoded by vis(3), decoded by unvis(3).
 */
#include "profile/fgnote.h"

#include <stdlib.h>
#include <string.h>
#define LIBBSD_OPENBSD_VIS /* selects one of two strnvis(3); unused here */
#include <vis.h>

static const char first[] = "fg-render 1";

value
fgnote_step(const struct fgnote *c, unsigned column)
{
	value step = VALUE_ONE;

	for (unsigned i = 0; i < c->digits[column]; i++)
		step /= 10;
	return step;
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

static bool
read_header(struct fgnote *c, struct foldedheader *a, struct str line)
{
	struct folded_columns named = {0};
	struct str words;
	bool fits = true;

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
	case FOLDEDHEADER_LABEL:
		fits = foldedheader_read_labels(a, words) == FOLDEDHEADER_FITS;
		break;
	default: break;
	}
	return fits;
}

bool
fgnote_read(struct fgnote *c, struct str s)
{
	const char *end, *newline;
	struct foldedheader about = {0};
	bool good = false;

	*c = (struct fgnote){0};
	if (s.len <= strlen(first) || memcmp(s.s, first, strlen(first)) != 0)
		return false;
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
	       foldedheader_join_periods(&c->columns, &about) == FOLDEDHEADER_FITS;
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
