/*
 * foldedtext: stacks that are folded already, passed through and merged.
 */
#include "fg-collapse/format.h"

#include <string.h>

#include "base/cli.h"

static void
read_input(struct collapse *c, struct lines *in)
{
	struct folded_file f;

	c->folded.strict = c->options.strict;
	if (c->tree != NULL && c->folded.columns.n == 0)
		c->folded.columns.n = 1; /* as many as the other formats have */
	folded_take(&f, &c->folded, in);
	if (c->options.time_order) {
		struct folded_prefix prev = {0};
		struct folded_line l;

		while (folded_next(&f, &l)) {
			if (c->tree == NULL)
				c->tree = calltree_new(1);
			if (c->folded.columns.n > 1)
				cli_die(
				    "%s: time order needs stacks of one column", lines_name(in));
			collapse_moment(
			    c, c->nmoment, folded_add(c->tree, &prev, l.stack, l.len), l.value[0]);
		}
		folded_prefix_free(&prev);
	} else {
		folded_read(&f, &c->tree);
	}
	lines_block_free(&f.block);
}

/* Lines that end in a space and a number. */
static int
sniff(const char *data, size_t len)
{
	const char *at = data, *end = data + len;
	int good = 0, bad = 0;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *e = newline, *s;
		value v;

		if (newline == NULL) {
			if (good + bad > 0)
				break; /* the rest of it was not peeked at */
			newline = e = end;
		}
		while (e > at && (e[-1] == '\r' || e[-1] == ' ' || e[-1] == '\t'))
			e--;
		for (s = e; s > at && s[-1] != ' ' && s[-1] != '\t';)
			s--;
		if (e > at && !(at[0] == '#' && at[1] == ' ')) {
			if (s > at && value_parse(s, e, &v) != VALUE_BAD)
				good++;
			else
				bad++;
		}
		at = newline + 1;
	}
	if (good == 0 && bad == 1 && memchr(data, ';', len) != NULL &&
	    memchr(data, '\0', len) == NULL)
		return 5; /* perhaps the beginning of one very long line */
	return good == 0 ? 0 : bad == 0 ? 70 : good > 4 * bad ? 40 : good >= bad ? 10 : 0;
}

const struct format folded_format = {
    "folded", "folded stacks, passed through and merged", sniff, lines_cut_line, read_input};
