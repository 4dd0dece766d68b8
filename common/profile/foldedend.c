/* foldedend: counts start again at each announcement, so that joined files stay complete. */
#include "profile/foldedend.h"

#include <stdio.h>
#include <string.h>

#define KEY "# end: "
#define FOLLOWS "follows"

bool
foldedend_read(struct foldedend *e, struct str words)
{
	char expected[VALUE_CHARS + 64], sum[VALUE_CHARS];
	int n;

	if (str_equal(words, str_of(FOLLOWS))) {
		*e = (struct foldedend){.announced = true, .due = true, .any = e->any};
		return true;
	}
	e->due = false;
	value_format(e->sum, sum);
	n = snprintf(
	    expected, sizeof expected, "stacks=%llu sum=%s", (unsigned long long)e->stacks, sum);
	return str_equal(words, (struct str){expected, (size_t)n});
}

void
foldedend_scan(struct foldedend *e, const char *block, size_t len)
{
	for (const char *at = block, *end = block + len, *next; at < end; at = next) {
		next = memchr(at, '\n', (size_t)(end - at));
		next = next != NULL ? next + 1 : end;
		if (text_starts(at, (size_t)(end - at), KEY)) {
			at += strlen(KEY);
			e->due = text_starts(at, (size_t)(end - at), FOLLOWS);
			e->announced |= e->due;
			e->stacks = 0;
		} else if (!text_starts(at, (size_t)(end - at), "# ")) {
			e->stacks++;
			e->any = true;
		}
	}
}

bool
foldedend_is_missing(const struct foldedend *e)
{
	return e->due && (e->stacks > 0 || !e->any);
}

static void
end_line(struct output *o, unsigned columns)
{
	for (unsigned c = 0; c < columns; c++)
		output_text(o, " 0");
	output_char(o, '\n');
}

void
foldedend_announce(struct output *o, unsigned columns)
{
	output_text(o, KEY FOLLOWS);
	end_line(o, columns);
}

void
foldedend_count(struct foldedend *e, const value *v, unsigned columns)
{
	e->stacks++;
	for (unsigned c = 0; c < columns; c++)
		e->sum = value_sum(e->sum, v[c]);
}

void
foldedend_write(struct output *o, const struct foldedend *e, unsigned columns)
{
	output_text(o, KEY "stacks=");
	output_count(o, e->stacks);
	output_text(o, " sum=");
	output_value(o, e->sum);
	end_line(o, columns);
}
