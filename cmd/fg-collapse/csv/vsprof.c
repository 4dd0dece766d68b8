/*
 * vsprof: call trees exported by Visual Studio as CSV:
 *
 *	Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *	1,"main","8,735",0,100.00,0.00,"app.exe",
 *
 * or with Number of Calls from instrumentation. A function's self samples are the
 * exclusive ones, or the inclusive ones less those of its callees. Number of Calls counts
 * calls of that stack, so it is a self value.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/csv/csv.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

struct columns {
	size_t name, own, total, calls, module; /* index of each column; CSV_FIELDS if absent */
};

static bool
is_header(struct str line)
{
	return str_starts(line, "Level,Function Name,");
}

static struct columns
read_header(const struct csv *c)
{
	struct columns col = {1, CSV_FIELDS, CSV_FIELDS, CSV_FIELDS, CSV_FIELDS};

	for (size_t i = 0; i < c->n; i++) {
		struct str field = c->field[i];

		if (str_is(field, "Exclusive Samples"))
			col.own = i;
		else if (str_is(field, "Inclusive Samples"))
			col.total = i;
		else if (str_is(field, "Number of Calls"))
			col.calls = i;
		else if (str_is(field, "Module Name"))
			col.module = i;
	}
	return col;
}

static size_t
value_column(const struct columns *col)
{
	return col->own < CSV_FIELDS ? col->own : col->total < CSV_FIELDS ? col->total : col->calls;
}

static bool
read_row(struct indent *t, const struct csv *c, const struct columns *col)
{
	struct frame f = {0};
	size_t at = value_column(col);
	uint64_t level, n;

	if (at >= c->n || !csv_count(c->field[0], &level) || !csv_count(c->field[at], &n))
		return false;
	if (level == 0) /* level 0 is the process */
		return true;
	f.function = c->field[col->name];
	if (col->module < c->n)
		f.module = c->field[col->module];
	f.kind = frame_kind_of(f.module);
	indent_line(t, level, &f, value_of(n));
	return true;
}

static void
read_input(struct reader *r)
{
	struct columns col = {0};
	struct csv c = {0};
	struct indent t = {0};
	struct str line;
	bool begun = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	while (reader_line(r, &line)) {
		bool complete = csv_split(&c, line, ',');

		if (is_header(line)) {
			uint32_t event;
			bool calls;

			if (begun)
				indent_end(&t);
			indent_free(&t);
			col = read_header(&c);
			calls = col.own == CSV_FIELDS && col.total == CSV_FIELDS;
			event = sampler_event(r->sampler, str_of(calls ? "calls" : ""),
			    str_of(calls ? "calls" : "samples"));
			sampler_values(r->sampler, event, calls ? FOLDED_EXACT : FOLDED_SAMPLED);
			indent_init(&t, r, event,
			    col.own < CSV_FIELDS || calls ? INDENT_OWN : INDENT_TOTAL);
			t.step = 1;
			t.whole = t.based = true;
			t.first = 1;
			begun = true;
		} else if (line.len > 0 && (!begun || !complete || !read_row(&t, &c, &col))) {
			reader_malformed(r, "not a row of a call tree");
			if (memchr(line.s, ',', line.len) != NULL)
				indent_broken(&t);
		}
	}
	indent_end(&t);
	indent_free(&t);
	csv_free(&c);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	scan_word(&rest, "\xef\xbb\xbf");
	return scan_line(&rest, &line) && is_header(line) ? 97 : 0;
}

const struct format vsprof_format = {
    .provides = DATA_MODULE | DATA_KIND,
    .sniff = sniff,
    .read = read_input,
};
