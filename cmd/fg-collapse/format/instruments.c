/*
 * instruments: call trees of Instruments, from Deep Copy or the CSV of old versions:
 * total, self, and the name after one space per level.
 *
 *	Running Time	Self (ms)		Symbol Name
 *	4273.0ms   99.9%	0	 	start
 *	2126.0ms   49.7%	693	 	  delta()
 *
 *	Weight	Self Weight	Symbol Names
 *	4.93 s  100.0%	0 s	   start
 *	2.45 s  80.0%	846.00 ms	     delta()
 *
 * Values can also be bytes, cycles (Mc) or counts. Totals are rounded, so the self value
 * is read if it has a unit (Xcode 16); else it is the total less the children's totals.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

struct table {
	char delimiter; /* '\0' before the first header */
	unsigned before; /* columns before the name */
	bool self; /* the second column has a unit */
};

static bool
is_header(struct str line)
{
	return (str_ends(line, "Symbol Name") || str_ends(line, "Symbol Names")) &&
	       (memchr(line.s, '\t', line.len) != NULL || memchr(line.s, ',', line.len) != NULL);
}

static struct table
read_header(struct str line)
{
	struct table t = {.delimiter = memchr(line.s, '\t', line.len) != NULL ? '\t' : ','};

	for (size_t i = 0; i < line.len; i++)
		t.before += line.s[i] == t.delimiter;
	scan_until(&line, t.delimiter);
	t.self = str_is(scan_until(&line, t.delimiter), "Self Weight");
	return t;
}

/* Event name from the title of the first column; its unit follows from its values. */
static struct str
event_name(struct str title)
{
	if (str_starts(title, "Bytes Used"))
		return str_of("bytes");
	if (str_starts(title, "Running Time") || str_starts(title, "Weight"))
		return str_of("time");
	return title;
}

/* Reads `4273.0ms`, `4.27 s`, `1.27 min`, `12.5 Mc` or `429.93 MB` as ms, cycles or bytes. */
static bool
read_value(struct str s, value *v, const char **unit)
{
	scan_blanks(&s);
	if (!humannumber_scan(&s, v, unit))
		return false;
	if (strcmp(*unit, "ns") == 0) {
		*v = humannumber_scale(*v, 1, 1000000);
		*unit = "ms";
	} else if (strcmp(*unit, "") == 0) {
		scan_blanks(&s);
		uint64_t by = str_starts(s, "Gc")   ? 1000000000
			      : str_starts(s, "Mc") ? 1000000
			      : str_starts(s, "Kc") ? 1000
						    : 1;

		*unit = by > 1 || str_starts(s, "c") ? "cycles" : "";
		*v = humannumber_round(humannumber_scale(*v, by, 1));
	}
	return true;
}

static void
read_input(struct reader *r)
{
	struct indent t = {0};
	struct text name = {0};
	struct str line;
	struct table table = {0};

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	while (reader_line(r, &line)) {
		struct str s = line, total, self, symbol;
		const char *unit;
		uint32_t event;
		size_t depth;
		value v;

		if (line.len == 0)
			continue;
		if (is_header(line)) {
			table = read_header(line);
			text_cut(&name, 0);
			text_str(&name, event_name(scan_until(&s, table.delimiter)));
			indent_end(&t);
			indent_free(&t);
			t = (struct indent){0};
			continue;
		}
		total = scan_until(&s, table.delimiter);
		self = scan_until(&s, table.delimiter);
		for (unsigned i = 2; i < table.before; i++)
			scan_until(&s, table.delimiter);
		symbol = s;
		depth = scan_blanks(&symbol);
		if (table.delimiter == '\0' || symbol.len == 0 ||
		    !read_value(table.self ? self : total, &v, &unit)) {
			reader_malformed(r, "not a line of a call tree");
			if (memchr(line.s, table.delimiter, line.len) != NULL)
				indent_broken(&t);
			continue;
		}
		if (t.reader == NULL) {
			const bool headless = t.headless;

			event = sampler_event(r->sampler, text_as_str(&name), str_of(unit));
			sampler_values(r->sampler, event,
			    strcmp(unit, "bytes") == 0 ? FOLDED_EXACT : FOLDED_SAMPLED);
			indent_init(&t, r, event, table.self ? INDENT_OWN : INDENT_TOTAL);
			t.step = 1;
			if (headless)
				indent_broken(&t);
		}
		indent_line(&t, depth, &(struct frame){.function = symbol}, v);
	}
	indent_end(&t);
	indent_free(&t);
	text_free(&name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	return scan_line(&rest, &line) && is_header(line) ? 95 : 0;
}

const struct format instruments_format = {
    .provides = DATA_EVENT,
    .sniff = sniff,
    .read = read_input,
};
