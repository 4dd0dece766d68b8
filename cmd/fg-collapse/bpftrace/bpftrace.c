/*
 * bpftrace: maps printed by bpftrace whose keys contain stacks,
 *
 *	@us[
 *	    schedule+35
 *	    worker_thread+152
 *	,
 *	    main+12
 *	, bash, 3914]: 8029
 *
 * kstack precedes ustack. The value is a number, the output of stats() or avg(), whose
 * total counts, or a histogram, whose counts are summed. Each map is an event. Stacks that
 * the script printed itself count 1 each, with the preceding line as root. Without such lines two
 * or more empty lines end a sample; one of them separates kstack and ustack.
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/bpftrace/bpfmaps.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

struct maps {
	struct bpfmaps b;
	const char *begin; /* start of an entry within the block; NULL outside of entries */
	uint64_t line_number; /* line number of begin */
	struct str histogram; /* entry whose value is in the lines below; len 0: none */
	value sum; /* sum of the histogram's lines so far */
	uint32_t printed; /* event of printed stacks, if any_printed */
	bool any_printed;
	struct text head; /* line before a printed stack */
	unsigned blank; /* number of empty lines before the current one */
};

/* Reads `8029` or `count 3, average 12, total 36`. */
static bool
read_value(struct str s, value *v)
{
	size_t total = str_find(s, ", total ");

	if (str_starts(s, "count ") && total < s.len)
		s = str_from(s, total + strlen(", total "));
	s.len = str_find(s, ",");
	return scan_value(s, v);
}

/* Reads a histogram line, with or without unit suffixes: `[1K, 2K)                12 |@@@@
 * |`. */
static bool
read_bucket(struct str s, value *v)
{
	size_t end = str_find(s, ")"), bracket = str_find(s, "]");

	if (s.len == 0 || (s.s[0] != '[' && s.s[0] != '(') || !str_ends(s, "|"))
		return false;
	if (bracket < end)
		end = bracket;
	if (end == s.len)
		return false;
	s = str_from(s, end + 1);
	scan_blanks(&s);
	s.len = str_find(s, " ");
	return scan_value(s, v);
}

static void
pass_entry(struct maps *m, uint32_t event, struct str entry, value v)
{
	if (!bpfmaps_entry(&m->b, event, entry, v))
		reader_malformed_at(m->b.reader, m->line_number, 1,
		    "not an entry of a bpftrace "
		    "map");
}

static void
end_histogram(struct maps *m)
{
	if (m->histogram.len > 0)
		pass_entry(m, m->b.event, m->histogram, m->sum);
	m->histogram.len = 0;
}

/* Reads an entry with its value: `@us[...]: 8029`. */
static void
read_entry(struct maps *m, struct str s)
{
	const char *bracket = memchr(s.s, '[', s.len);
	size_t open = bracket != NULL ? (size_t)(bracket - s.s) : s.len,
	       close = str_find_last(s, "]:");
	struct str name = {s.s + 1, open < s.len ? open - 1 : 0}, entry, text, rest;
	uint64_t integer;
	uint32_t event;
	value v;

	if (open >= close || close == s.len) { /* a map without keys */
		m->b.stackless++;
		return;
	}
	event = bpfmaps_event(&m->b, name);
	entry = (struct str){s.s + open + 1, close - open - 1};
	rest = text = str_trim(str_from(s, close + 2));
	if (text.len == 0) {
		m->histogram = entry;
		m->sum = 0;
	} else if (scan_number(&rest, &integer) && rest.len == 0) {
		pass_entry(m, event, entry, value_of(integer));
	} else if (read_value(text, &v)) {
		pass_entry(m, event, entry, v);
	} else {
		reader_malformed_at(m->b.reader, m->line_number, 1, "a value that is not a number");
	}
}

static void
pass_printed(struct maps *m)
{
	struct sample_task task = {.comm = text_as_str(&m->head)};
	size_t blank;
	uint64_t n;

	if (m->b.stack.n == 0 && !m->b.stack.broken)
		return;
	blank = str_find_last(task.comm, " ");
	if (blank < task.comm.len) {
		struct str last = str_from(task.comm, blank + 1), rest = last;

		if (scan_number(&rest, &n) && rest.len == 0) {
			task.pid = last;
			task.comm.len = blank;
		}
	}
	if (!m->any_printed)
		m->printed =
		    sampler_event(m->b.reader->sampler, str_of("printed"), str_of("samples"));
	m->any_printed = true;
	stack_sample(&m->b.stack, &task, m->printed, SAMPLE_NO_TIME, VALUE_ONE);
}

/* True for messages of bpftrace: `Attaching 2 probes...`, since 0.26 `Attached 1 probe`. */
static bool
is_attached(struct str s)
{
	uint64_t n;

	return (scan_word(&s, "Attaching ") || scan_word(&s, "Attached ")) && scan_number(&s, &n) &&
	       (str_starts(s, " probe") || str_starts(s, " probes"));
}

/* True for a frame that a script printed: it has no blanks, or an offset, or a source. */
static bool
is_frame(struct str line, struct str s)
{
	size_t plus = str_find_last(s, "+");
	struct str offset = str_from(s, plus + 1);
	uint64_t n;

	return str_find(s, " ") == s.len || line.s[0] == '\t' || str_starts(s, "[inlined] ") ||
	       (scan_number(&offset, &n) && (offset.len == 0 || offset.s[0] == '@'));
}

/* Handles a line outside of maps. */
static void
read_printed(struct maps *m, struct str line)
{
	struct str s = str_trim(line);
	const unsigned blank = m->blank;

	m->blank = s.len == 0 ? blank + 1 : 0;
	if (s.len == 0)
		return;
	if (blank > 1 && m->head.len == 0)
		pass_printed(m);
	if (line.s[0] == ' ' || line.s[0] == '\t') {
		if (!is_frame(line, s)) {
			if (m->b.stack.n > 0)
				reader_broken(m->b.reader, &m->b.stack, "not a frame of bpftrace");
		} else if (!stack_known(&m->b.stack, s, false)) {
			bpfmaps_frame(&m->b, s, false);
		}
		return;
	}
	pass_printed(m);
	text_cut(&m->head, 0);
	if (!is_attached(s))
		text_str(&m->head, s);
}

static void
read_line(struct maps *m, struct str line)
{
	value v;

	if (m->histogram.len > 0 && read_bucket(str_trim(line), &v)) {
		m->sum = value_sum(m->sum, v);
		return;
	}
	end_histogram(m);
	if (line.len > 0 && line.s[0] == '@') {
		if (m->begin != NULL)
			reader_malformed_at(
			    m->b.reader, m->line_number, 1, "a map entry without an end");
		pass_printed(m);
		m->begin = line.s;
		m->line_number = m->b.reader->number;
	} else if (m->begin == NULL) {
		read_printed(m, line);
		return;
	}
	/* Keys and the end of an entry do not begin with a blank; an entry may be one line. */
	if (line.len > 0 && (line.s[0] == '@' || line.s[0] == ']' || line.s[0] == ',') &&
	    (str_find_last(line, "]:") < line.len ||
		(line.s[0] == '@' && memchr(line.s, '[', line.len) == NULL))) {
		struct str entry = {m->begin, (size_t)(line.s + line.len - m->begin)};

		m->begin = NULL;
		read_entry(m, entry);
	}
}

static void
read_input(struct reader *r)
{
	struct maps m = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	bpfmaps_init(&m.b, r);
	while (reader_raw(r, &line)) {
		read_line(&m, line);
		if (m.begin != NULL && !reader_last(r)) { /* skip the frames */
			uint32_t n = 0;
			const char *newline = bpfmaps_indented(r->at - 1, r->end, &n);

			reader_past_lines(r, newline, n - 1);
			if (line.s == m.begin)
				m.b.indented = r->at;
		}
		if (reader_last(r)) {
			end_histogram(&m);
			if (m.begin != NULL)
				reader_malformed_at(
				    r, m.line_number, 1, "a map entry without an end");
			m.begin = NULL;
			bpfmaps_forget(&m.b);
		}
	}
	pass_printed(&m);
	if (m.b.stackless > 0)
		cli_note("%s: %llu map entries without a stack were left out", lines_name(r->lines),
		    (unsigned long long)m.b.stackless);
	bpfmaps_free(&m.b);
	text_free(&m.head);
}

/* Ends a block before its last entry, so that entries are not split; anywhere if it has none. */
static size_t
cut(const char *data, size_t len)
{
	const char *at = data + len - 1; /* the last newline */

	while (at > data && (at = memrchr(data, '\n', (size_t)(at - data))) != NULL)
		if (at[1] == '@')
			return (size_t)(at + 1 - data);
	return data[0] == '@' ? 0 : len;
}

/* True for the start of an entry with keys: `@[` or `@name[`. */
static bool
is_map(struct str line)
{
	size_t n = 1;

	if (line.s[0] != '@')
		return false;
	while (n < line.len && (line.s[n] == '_' || (line.s[n] >= '0' && line.s[n] <= '9') ||
				   ((line.s[n] | 32) >= 'a' && (line.s[n] | 32) <= 'z')))
		n++;
	return n < line.len && line.s[n] == '[';
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool attached = false, map = false, printed = false;

	while (scan_line(&rest, &line)) {
		if (line.len == 0)
			continue;
		attached |= is_attached(line);
		if (map && (line.s[0] == ' ' || line.s[0] == '\t'))
			return 97;
		map = is_map(line);
		if (map && str_find(line, "]: ") < line.len)
			printed = true;
	}
	return attached ? 95 : printed ? 50 : 0;
}

const struct format bpftrace_format = {
    .provides = DATA_COMM | DATA_PID | DATA_CODE | DATA_EVENT | DATA_OFFSET,
    .sniff = sniff,
    .cut = cut,
    .read = read_input,
};
