/*
 * tracemalloc: snapshots of Python's memory as printed by the examples in tracemalloc's
 * documentation. Tracebacks, root first,
 *
 *	10488 memory blocks: 797.8 KiB
 *	  File "/srv/tm.py", line 3
 *	    keep = parse(text)
 *
 * or, if only lines are known, `/srv/tm.py:3: size=1324 KiB, count=13112, average=103 B`
 * and `#1: /srv/tm.py:3: 1324.0 KiB`.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

struct snapshot {
	struct stack stack;
	uint32_t bytes, blocks;
	value size, count;
};

static void
take(struct snapshot *m)
{
	static const struct sample_task nobody;
	struct sample_weight w[2] = {{m->bytes, m->size}, {m->blocks, m->count}};

	if (m->stack.n > 0 || m->stack.broken)
		stack_sample_all(&m->stack, &nobody, w, m->count != 0 ? 2 : 1, SAMPLE_NO_TIME);
}

static bool
scan_size(struct str *s, value *size)
{
	const char *unit;

	return humannumber_scan(s, size, &unit) && strcmp(unit, "bytes") == 0;
}

/* Reads `10488 memory blocks: 797.8 KiB`. */
static bool
read_block(struct snapshot *m, struct str s)
{
	value count, size;

	if (!scan_decimal(&s, &count) || !scan_word(&s, " memory block"))
		return false;
	scan_word(&s, "s");
	if (!scan_word(&s, ": ") || !scan_size(&s, &size) || s.len > 0)
		return false;
	take(m);
	m->count = count;
	m->size = size;
	return true;
}

/* Reads a line of source code with its size. */
static bool
read_flat(struct snapshot *m, struct str s)
{
	struct str place = s;
	uint64_t n;
	value count = 0, size;
	size_t at;

	if (scan_word(&s, "#")) {
		if (!scan_number(&s, &n) || !scan_word(&s, ": "))
			return false;
		place = s;
	}
	at = str_find_last(s, ": ");
	place.len = at;
	if (at == s.len || str_find_last(place, ":") == place.len)
		return false;
	s = str_from(s, at + strlen(": "));
	scan_word(&s, "size=");
	if (!scan_size(&s, &size))
		return false;
	if (scan_word(&s, ", count=") && !scan_decimal(&s, &count))
		return false;
	take(m);
	m->size = size;
	m->count = count;
	pythonframe_parts(&m->stack, (struct str){0}, place, (struct str){0});
	take(m);
	return true;
}

/* True for a line with fields like those of read_flat. */
static bool
resembles_flat(struct str s)
{
	size_t at = str_find(s, ": ");

	s = str_from(s, at);
	return str_find(s, "=") < s.len && str_find(s, ", ") < s.len;
}

static void
read_input(struct reader *r)
{
	struct snapshot m = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	stack_init(&m.stack, r->sampler);
	m.bytes = sampler_event(r->sampler, str_of("bytes"), str_of("bytes"));
	m.blocks = sampler_event(r->sampler, str_of("blocks"), (struct str){0});
	sampler_default(r->sampler, m.bytes);
	while (reader_line(r, &line)) {
		struct str s = line;

		size_t blanks = scan_blanks(&s);

		if (blanks == 2 && (m.size > 0 || str_starts(s, "File \""))) {
			if (m.size == 0)
				reader_malformed(r, "a frame without a size");
			else if (!pythonframe_add(&m.stack, s))
				reader_broken(r, &m.stack, "not a frame of tracemalloc");
		} else if (!read_block(&m, line) && !read_flat(&m, line) && blanks == 0) {
			if (resembles_flat(line))
				reader_malformed(r, "not a line of code with its size");
			take(&m);
			m.size = m.count = 0; /* frames after another line are not of this block */
		}
	}
	take(&m);
	stack_free(&m.stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		if (scan_number(&line, &n) && str_starts(line, " memory block") &&
		    (str_ends(line, "iB") || str_ends(line, " B")))
			return 95;
		if (str_find(line, ": size=") < line.len && str_find(line, ", count=") < line.len &&
		    str_find(line, ", average=") < line.len)
			return 90;
		if (scan_word(&line, "#1: ") && str_find(line, ": ") < line.len &&
		    str_ends(line, " KiB"))
			return 80;
	}
	return 0;
}

const struct format tracemalloc_format = {
    .provides = DATA_EVENT,
    .flat = true,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
