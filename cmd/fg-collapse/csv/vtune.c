/*
 * vtune: VTune's top-down report as CSV, hotspots or memory consumption,
 *
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.031,app.exe
 *	  "f<int, int>",1.5,app.exe
 *
 * Each column NAME:Self with times or numbers is an event; the first is the default. Times
 * are in ms. Frame names include modules.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/csv/csv.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

#define EVENTS 8

struct columns {
	size_t stack, module, n;
	struct {
		size_t at;
		bool time;
		struct indent tree;
	} event[EVENTS];
};

static bool
is_header(struct str line)
{
	size_t at = str_find(line, "Function Stack"); /* can be in quotes */

	return at < line.len && at < 3;
}

/* Converts "CPU Time:Self" to cpu-time, "Allocation Size:Self" to allocation-size. */
static struct str
event_name(struct str title, char *name, size_t size)
{
	size_t n = str_find(title, ":Self");

	if (n >= size)
		n = size - 1;
	for (size_t i = 0; i < n; i++)
		name[i] = title.s[i] == ' '			   ? '-'
			  : title.s[i] >= 'A' && title.s[i] <= 'Z' ? (char)(title.s[i] | 0x20)
								   : title.s[i];
	return (struct str){name, n};
}

static void
read_header(struct columns *col, struct reader *r, const struct csv *c)
{
	char buf[64];

	*col = (struct columns){.module = CSV_FIELDS, .stack = CSV_FIELDS};
	for (size_t i = 0; i < c->n; i++) {
		struct str title = str_trim(c->field[i]), name;

		if (str_is(title, "Function Stack")) {
			col->stack = i;
		} else if (str_is(title, "Module")) {
			col->module = i;
		} else if (col->n < EVENTS && str_ends(title, ":Self") &&
			   str_find(title, "%") == title.len) {
			bool time = str_find(title, "Time") < title.len;
			bool size = str_find(title, "Size") < title.len;
			uint32_t event;

			name = event_name(title, buf, sizeof buf);
			col->event[col->n].at = i;
			col->event[col->n].time = time;
			event = sampler_event(r->sampler, name,
			    str_of(time	  ? "ms"
				   : size ? "bytes"
					  : ""));
			sampler_values(r->sampler, event, size ? FOLDED_EXACT : FOLDED_SAMPLED);
			indent_init(&col->event[col->n].tree, r, event, INDENT_OWN);
			col->event[col->n++].tree.step = 1;
		}
	}
}

static void
end(struct columns *col)
{
	for (size_t i = 0; i < col->n; i++) {
		indent_end(&col->event[i].tree);
		indent_free(&col->event[i].tree);
	}
	col->n = 0;
}

static bool
read_row(struct columns *col, struct text *name, const struct csv *c, bool modules)
{
	struct frame f = {0};
	struct str function;
	size_t depth;
	value v[EVENTS];
	bool any = false;

	if (col->stack >= c->n)
		return false;
	function = c->field[col->stack];
	depth = scan_blanks(&function);
	if (function.len == 0)
		return false;
	if (col->module < c->n)
		f.module = str_trim(c->field[col->module]);
	if (str_is(f.module, "[Unknown]"))
		f.module.len = 0;
	f.kind = frame_kind_of(f.module);
	text_cut(name, 0);
	if (modules && f.module.len > 0) {
		text_str(name, frame_module_name(f.module));
		text_char(name, '`');
	}
	text_str(name, function);
	f.function = text_as_str(name);
	f.module.len = 0;
	for (size_t i = 0; i < col->n; i++) {
		struct str field = {0};

		if (col->event[i].at < c->n)
			field = str_trim(c->field[col->event[i].at]);
		if (field.len > 0 && field.s[field.len - 1] == 's') /* with unit in older reports */
			field.len--;
		v[i] = 0;
		any |= scan_value(field, &v[i]);
		if (col->event[i].time)
			v[i] = humannumber_scale(v[i], 1000, 1);
	}
	for (size_t i = 0; any && i < col->n; i++)
		indent_line(&col->event[i].tree, depth, &f, v[i]);
	return any;
}

static void
read_input(struct reader *r)
{
	struct columns col = {0};
	struct text name = {0};
	struct csv c = {0};
	struct str line;
	char delimiter = ',';

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	while (reader_line(r, &line)) {
		if (line.len == 0 || (col.n == 0 && str_starts(line, "war:")))
			continue;
		if (is_header(line)) {
			end(&col);
			delimiter = memchr(line.s, '\t', line.len) != NULL  ? '\t'
				    : memchr(line.s, ',', line.len) != NULL ? ','
									    : ';';
			csv_split(&c, line, delimiter);
			read_header(&col, r, &c);
		} else if (!csv_split(&c, line, delimiter) || col.n == 0 ||
			   !read_row(&col, &name, &c, !r->options->no_modules)) {
			reader_malformed(r, "not a row of a top-down tree");
			for (size_t i = 0; i < col.n && memchr(line.s, delimiter, line.len); i++)
				indent_broken(&col.event[i].tree);
		}
	}
	end(&col);
	csv_free(&c);
	text_free(&name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	scan_word(&rest, "\xef\xbb\xbf");
	for (int i = 0; i < 5 && scan_line(&rest, &line); i++)
		if (is_header(line) && str_find(line, ":Self") < line.len)
			return 97;
	return 0;
}

const struct format vtune_format = {
    .provides = DATA_KIND | DATA_EVENT | DATA_MODULE_PREFIX,
    .sniff = sniff,
    .read = read_input,
};
