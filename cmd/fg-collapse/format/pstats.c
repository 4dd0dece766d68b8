/*
 * pstats: the output of print_stats for a profile by Python's cProfile; each function is below its
 * file:
 *
 *	   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
 *	      115    0.002    0.000    0.204    0.002 /srv/busy.py:9(work)
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

static bool
is_header(struct str line)
{
	line = str_trim(line);
	return str_starts(line, "ncalls ") && str_ends(line, "filename:lineno(function)");
}

/* Reads `226895/115    0.076    0.000    0.076    0.001 /srv/busy.py:2(fib)`. */
static bool
read_row(struct sampler *s, uint32_t event, struct str line)
{
	static const struct sample_task nobody;
	struct str place, file, function;
	size_t open, colon;
	uint64_t calls;
	value own = 0, skipped;

	scan_blanks(&line);
	if (!scan_number(&line, &calls))
		return false;
	if (scan_word(&line, "/") && !scan_number(&line, &calls))
		return false;
	for (int i = 0; i < 4; i++)
		if (scan_blanks(&line) == 0 || !scan_decimal(&line, i == 0 ? &own : &skipped))
			return false;
	scan_blanks(&line);
	place = line;
	if (place.len == 0)
		return false;
	own = humannumber_scale(own, 1000, 1);
	if (own == 0 || !sample_begin(s, &nobody, event, SAMPLE_NO_TIME, own))
		return true;
	open = str_find_last(place, "(");
	file = function = place;
	file.len = open;
	colon = str_find_last(file, ":");
	if (str_ends(place, ")") && open < place.len && colon < file.len) {
		struct frame f = {.file = {file.s, colon}};
		struct str number = str_from(file, colon + 1);

		function = (struct str){place.s + open + 1, place.len - open - 2};
		f.function = function;
		if (scan_number(&number, &calls))
			f.line = (unsigned)calls;
		file.len = colon;
		sample_frame(s, &(struct frame){.function = file});
		sample_frame(s, &f);
	} else { /* {built-in method builtins.sum} */
		sample_frame(s, &(struct frame){.function = place});
	}
	sample_end(s);
	return true;
}

static void
read_input(struct reader *r)
{
	struct str line;
	uint32_t event;
	bool table = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	event = sampler_event(r->sampler, str_of("tottime"), str_of("ms"));
	cli_note(
	    "%s: cProfile does not record stacks: stacks are file;function", lines_name(r->lines));
	while (reader_line(r, &line)) {
		if (is_header(line))
			table = true;
		else if (line.len == 0)
			table = false;
		else if (table && !read_row(r->sampler, event, line))
			reader_malformed(r, "not a row of cProfile's table");
	}
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (is_header(line))
			return 90;
	return 0;
}

const struct format pstats_format = {
    .provides = DATA_SOURCE,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
