/*
 * ghc: the cost centre tree, the second table of GHC's profiles,
 *
 *	COST CENTRE  MODULE  SRC         no.  entries  %time %alloc  %time %alloc  ticks  bytes
 *
 *	MAIN         MAIN    <built-in>  148        0    0.0    0.0  100.0  100.0      0    832
 *	 CAF         Main    <entire>    295        0    0.0    0.0  100.0  100.0      0     32
 *
 * with one blank of indentation per level; ticks and bytes only with +RTS -P. Time is in
 * tenths of a percent, the precision of the table.
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

enum { TIME, ALLOC, TICKS, BYTES, EVENTS };

struct table {
	bool ticks; /* the table has the columns ticks and bytes */
	uint64_t tick; /* us per tick; 0 if unknown */
	size_t module, after; /* columns, in characters, of the module and of the field after it */
	bool open;
	struct indent tree[EVENTS];
};

/* Length in bytes of the first n characters of UTF-8. */
static size_t
characters(struct str s, size_t n)
{
	size_t i = 0;

	while (i < s.len && n > 0) {
		for (i++; i < s.len && (s.s[i] & 0xc0) == 0x80; i++)
			continue;
		n--;
	}
	return i;
}

static bool
is_header(struct str line)
{
	return str_starts(line, "COST CENTRE") && str_find(line, " no. ") < line.len;
}

/* Reads `total time  =        4.01 secs   (4007 ticks @ 1000 us, 1 processor)`. */
static void
read_total(struct table *t, struct str line)
{
	size_t at = str_find(line, " ticks @ ");
	uint64_t us;

	line = str_from(line, at);
	if (scan_word(&line, " ticks @ ") && scan_number(&line, &us) && str_starts(line, " us"))
		t->tick = us;
}

static void
read_header(struct table *t, struct reader *r, struct str line)
{
	static const struct {
		const char *name, *unit;
		enum folded_values values;
	} event[EVENTS] = {{"time", "permille", FOLDED_ESTIMATED},
	    {"alloc", "permille", FOLDED_ESTIMATED}, {"ticks", "ticks", FOLDED_SAMPLED},
	    {"bytes", "bytes", FOLDED_EXACT}};
	size_t source = str_find(line, " SRC ");

	t->ticks = str_ends(line, "bytes");
	t->module = str_find(line, " MODULE ") + 1;
	t->after = source < line.len ? source + 1 : str_find(line, " no. ");
	for (int i = 0; i < (t->ticks ? EVENTS : TICKS); i++) {
		indent_init(&t->tree[i], r,
		    sampler_event(r->sampler, str_of(event[i].name), str_of(event[i].unit)),
		    INDENT_OWN);
		t->tree[i].step = 1;
		sampler_values(r->sampler, t->tree[i].event, event[i].values);
		if (i == TICKS)
			sampler_period(r->sampler, t->tree[i].event, value_of(t->tick), "us");
	}
	sampler_default(r->sampler, t->tree[TIME].event);
	t->open = true;
}

static void
end(struct table *t)
{
	for (int i = 0; t->open && i < (t->ticks ? EVENTS : TICKS); i++) {
		indent_end(&t->tree[i]);
		indent_free(&t->tree[i]);
	}
	t->open = false;
}

/* Removes the last word of s and returns it. */
static struct str
scan_last(struct str *s)
{
	size_t i;
	struct str word;

	*s = str_trim(*s);
	i = str_find_last(*s, " ");
	word = i < s->len ? str_from(*s, i + 1) : *s;
	s->len -= word.len;
	return word;
}

static bool
read_row(struct table *t, struct text *name, struct str line)
{
	value v[EVENTS] = {0}, skipped;
	struct str rest = line, centre, module;
	size_t column;

	if (t->ticks &&
	    (!scan_value(scan_last(&rest), &v[BYTES]) || !scan_value(scan_last(&rest), &v[TICKS])))
		return false;
	for (int i = 0; i < 2; i++) /* skip the inherited columns */
		if (!scan_value(scan_last(&rest), &skipped))
			return false;
	if (!scan_value(scan_last(&rest), &v[ALLOC]) || !scan_value(scan_last(&rest), &v[TIME]))
		return false;
	v[TIME] = humannumber_round(humannumber_scale(v[TIME], 10, 1));
	v[ALLOC] = humannumber_round(humannumber_scale(v[ALLOC], 10, 1));
	centre = (struct str){line.s, characters(line, t->module)};
	module = (struct str){line.s, characters(line, t->after)};
	if (module.len < centre.len)
		return false;
	module = str_trim(str_from(module, centre.len));
	column = scan_blanks(&centre);
	centre = str_trim(centre);
	if (centre.len == 0)
		return false;
	text_cut(name, 0);
	text_str(name, module);
	text_char(name, '.');
	text_str(name, centre);
	for (int i = 0; i < (t->ticks ? EVENTS : TICKS); i++)
		indent_line(
		    &t->tree[i], column, &(struct frame){.function = text_as_str(name)}, v[i]);
	return true;
}

static void
reject_row(struct table *t, struct str line)
{
	reader_malformed(t->tree[0].reader, "not a row of a GHC profile");
	for (int i = 0; i < (t->ticks ? EVENTS : TICKS) && str_find(line, " ") < line.len; i++)
		indent_broken(&t->tree[i]);
}

static void
read_input(struct reader *r)
{
	struct table t = {0};
	struct text name = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	while (reader_line(r, &line)) {
		if (is_header(line)) {
			end(&t);
			read_header(&t, r, line);
		} else if (!t.open) {
			read_total(&t, line);
		} else if (line.len > 0 && !read_row(&t, &name, line)) {
			if (line.s[0] != ' ' && str_find(line, " Report ") < line.len)
				end(&t); /* another profile follows */
			else
				reject_row(&t, line);
		}
	}
	end(&t);
	text_free(&name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (str_find(line, "Profiling Report  (") < line.len || is_header(line))
			return 95;
	return 0;
}

const struct format ghc_format = {
    .provides = DATA_EVENT,
    .sniff = sniff,
    .read = read_input,
};
