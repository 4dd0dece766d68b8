/*
 * importtime: times of imports by python -X importtime. A module is below those that it imports,
 * which have two more blanks each:
 *
 *	import time: self [us] | cumulative | imported package
 *	import time:        54 |         54 |     _codecs
 *	import time:       345 |        399 |   codecs
 *	import time:       748 |       1628 | encodings
 *
 * So read from the end, each line follows its parent. The sum of the times of a tree must be the
 * cumulative time of its root; if it is not, lines are missing, and the tree is malformed.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"

static const char mark[] = "import time:";

struct row {
	uint64_t self, cumulative, column, line;
	bool malformed, cached;
};

struct table {
	struct row *row;
	size_t n, cap;
	struct json_strings names;
};

/* Reads ` 345 |        399 |   codecs`; with -X importtime=2 a time may be `cached`. */
static bool
read_row(struct table *t, struct row *row, struct str s)
{
	scan_blanks(&s);
	row->cached = scan_word(&s, "cached");
	if (!row->cached && !scan_number(&s, &row->self))
		return false;
	scan_blanks(&s);
	if (!scan_word(&s, "|"))
		return false;
	scan_blanks(&s);
	if (!scan_word(&s, "cached") && !scan_number(&s, &row->cumulative))
		return false;
	scan_blanks(&s);
	if (!scan_word(&s, "|"))
		return false;
	row->column = scan_blanks(&s);
	json_strings_add(&t->names, s);
	return s.len > 0;
}

/* True for a line with the columns of the table, whose first word may be damaged. */
static bool
has_columns(struct str s)
{
	static const char head[] = "import time: self [us] | cumulative | ";
	const size_t first = strlen("import time: self [us] "), last = strlen(head) - 2;

	return s.len > last && s.s[first] == '|' && s.s[last] == '|';
}

static void
read_rows(struct table *t, struct reader *r)
{
	struct str line;

	while (reader_line(r, &line)) {
		struct row row = {.line = r->number};
		/* The program's own output may be before it. */
		size_t at = str_find(line, mark);

		if (str_find(line, "self [us] |") < line.len ||
		    (at == line.len && !has_columns(line)))
			continue;
		row.malformed = !read_row(t, &row, str_from(line, at + strlen(mark)));
		if (t->names.n == t->n)
			json_strings_add(&t->names, (struct str){0});
		vec_fit(t->row, t->cap, t->n + 1);
		t->row[t->n++] = row;
	}
}

/*
 * Gives the tree of rows first to last; last is its root. Each time was rounded up, so that their
 * sum is larger by less than one us for each row.
 */
static void
give_tree(struct table *t, struct reader *r, struct indent *tree, size_t first, size_t last)
{
	uint64_t sum = 0, n = last - first + 1, line = 0;
	uint64_t whole = t->row[last].cumulative;

	for (size_t i = first; i <= last; i++) {
		sum += t->row[i].self;
		if (t->row[i].malformed && line == 0)
			line = t->row[i].line;
	}
	if (line > 0)
		reader_malformed_at(r, line, n, "not a time of an import");
	else if (t->row[last].column > 1 || sum < whole || sum - whole >= n)
		reader_malformed_at(r, t->row[last].line, n,
		    "a cumulative time that is not the sum of the imports above");
	else
		for (size_t i = last + 1; i-- > first;) {
			struct frame f = {.function = json_string_at(&t->names, i)};

			if (t->row[i].cached)
				sample_leave_out(r->sampler, 1);
			else
				indent_line(tree, t->row[i].column, &f, value_of(t->row[i].self));
		}
}

static void
read_input(struct reader *r)
{
	struct table t = {0};
	struct indent tree;
	size_t first = 0;
	uint32_t event;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	event = sampler_event(r->sampler, str_of("us"), str_of("us"));
	read_rows(&t, r);
	indent_init(&tree, r, event, INDENT_OWN);
	for (size_t i = 0; i < t.n; i++)
		if ((t.row[i].column <= 1 && !t.row[i].malformed) || i + 1 == t.n) {
			give_tree(&t, r, &tree, first, i);
			first = i + 1;
		}
	indent_end(&tree);
	indent_free(&tree);
	free(t.row);
	json_strings_free(&t.names);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (str_starts(line, "import time: self [us] |"))
			return 97;
	return 0;
}

const struct format importtime_format = {
    .provides = 0,
    .values = FOLDED_EXACT,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
