/*
 * foldedinterval: lines of the form `# interval: LOW HIGH NAME`, with %XX in NAME for bytes that
 * cannot be part of a word.
 */
#include "profile/foldedinterval.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

void
folded_interval_add(struct text *lines, double low, double high, const char *name, size_t len)
{
	size_t start;

	text_printf(lines, "%.9g %.9g ", low, high);
	start = lines->len;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		/* A word that is a number would be parsed as a value. */
		if (c <= ' ' || c == '%' || c == 0x7f || (lines->len == start && isdigit(c)) ||
		    (lines->len == start && (c == '.' || c == '-' || c == '+')))
			text_printf(lines, "%%%02X", (unsigned)c);
		else
			text_char(lines, (char)c);
	}
	text_char(lines, '\n');
}

void
folded_interval_add_total(struct text *lines, double low, double high, double change)
{
	char name[32];

	snprintf(name, sizeof name, ";%.9g", change);
	folded_interval_add(lines, low, high, name, strlen(name));
}

bool
folded_interval_is_total(const struct text *name, double change)
{
	return name->len > 0 && name->s[0] == ';' &&
	       fabs(strtod(name->s + 1, NULL) - change) < 1e-6 * (1 + fabs(change));
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool
folded_interval_next(const char **lines, double *low, double *high, struct text *name)
{
	char *end;

	text_cut(name, 0);
	while (*lines != NULL && **lines != '\0') {
		const char *s = *lines, *stop = strchr(s, '\n');

		stop = stop != NULL ? stop : s + strlen(s);
		*lines = *stop != '\0' ? stop + 1 : stop;
		*low = strtod(s, &end);
		if (end == s || *end != ' ')
			continue;
		s = end;
		*high = strtod(s, &end);
		if (end == s || *end != ' ' || end > stop || isnan(*low) || isnan(*high))
			continue;
		for (s = end + 1; s < stop; s++) {
			if (*s == '%' && stop - s > 2 && hex_digit(s[1]) >= 0 &&
			    hex_digit(s[2]) >= 0) {
				text_char(name, (char)(16 * hex_digit(s[1]) + hex_digit(s[2])));
				s += 2;
			} else {
				text_char(name, *s);
			}
		}
		if (name->len > 0)
			return true;
	}
	return false;
}

void
folded_interval_join(char **intervals, const char *other)
{
	if (*intervals == NULL) {
		*intervals = cli_strdup(other);
	} else if (strcmp(*intervals, other) != 0) {
		free(*intervals);
		*intervals = cli_strdup("");
	}
}
