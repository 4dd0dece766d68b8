/*
 * ftracehist: histograms of ftrace's hist triggers whose keys contain a stack:
 *
 *	{ common_pid: bash [3249], common_stacktrace:
 *	         __kmalloc_node+0x1a5/0x280
 *	         kvmalloc_node+0x35/0x80
 *	} hitcount:       5184  bytes_req:      85152
 *
 *	Totals:
 *	    Hits: 5184
 *	    Entries: 1
 *	    Dropped: 0
 *
 * Each value is an event. The other keys, before and behind the stack, become the root frame.
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/sample.h"

#define VALUES 16 /* most values of an entry; the kernel has 4 */

struct histogram {
	struct reader *reader;
	struct stack stack;
	struct text keys; /* of the current entry */
	bool open; /* in an entry */
	uint64_t begin, entries, dropped; /* line of the entry; entries so far */
};

/* Reads `hitcount:       5184  bytes_req:      85152 (12.5%)`. */
static void
end_entry(struct histogram *h, struct str s)
{
	const struct sample_task task = {.comm = text_as_str(&h->keys)};
	struct sample_weight w[VALUES];
	unsigned n = 0;

	h->open = false;
	while (s.len > 0 && n < VALUES) {
		struct str name = scan_until(&s, ':'), rest;
		value v;

		scan_blanks(&s);
		if (name.len == 0 || !scan_decimal(&s, &v)) {
			reader_broken(h->reader, &h->stack, "not a value of a histogram");
			break;
		}
		rest = s;
		scan_blanks(&rest);
		if (scan_word(&rest, "(")) { /* a percentage, or an ASCII bar in .graph */
			scan_until(&rest, ')');
			s = rest;
		}
		scan_blanks(&s);
		name = str_trim(name);
		w[n].event = sampler_event(h->reader->sampler, name,
		    str_is(name, "hitcount")	? str_of(FOLDED_SAMPLES)
		    : str_starts(name, "bytes") ? str_of("bytes")
						: (struct str){0});
		w[n++].weight = v;
	}
	if (n == 0)
		reader_broken(h->reader, &h->stack, "an entry of a histogram without values");
	if (h->stack.n == 0 && !h->stack.broken) /* its keys have no stack */
		sample_leave_out(h->reader->sampler, 1);
	else
		stack_sample_all(&h->stack, &task, w, n, SAMPLE_NO_TIME);
	text_cut(&h->keys, 0);
}

/* Reads `{ common_pid: bash [3249], common_stacktrace:`. */
static void
begin_entry(struct histogram *h, struct str s)
{
	size_t stack, end;

	if (h->open)
		reader_malformed_at(
		    h->reader, h->begin, 1, "an entry of a histogram without an end");
	h->stack.n = 0;
	h->stack.broken = false;
	text_cut(&h->keys, 0);
	h->open = true;
	h->begin = h->reader->number;
	h->entries++;
	stack = str_find_last(s, "stacktrace:");
	end = str_find_last(s, "}");
	if (stack < s.len) { /* the text before the key of the stack */
		s.len = stack;
		stack = str_find_last(s, ",");
		text_str(&h->keys, str_trim((struct str){s.s, stack < s.len ? stack : 0}));
	} else if (end < s.len) {
		end_entry(h, str_trim(str_from(s, end + 1)));
	} else {
		reader_broken(h->reader, &h->stack, "an entry of a histogram without its keys");
	}
}

static void
read_total(struct histogram *h, struct str s)
{
	uint64_t n;

	if (scan_word(&s, "Entries:") && scan_blanks(&s) > 0 && scan_number(&s, &n)) {
		if (n != h->entries)
			reader_malformed(
			    h->reader, "another number of entries than the histogram has");
		h->entries = 0;
	} else if (scan_word(&s, "Dropped:") && scan_blanks(&s) > 0 && scan_number(&s, &n)) {
		h->dropped += n;
	}
}

/* Reads keys after the stack: `, common_pid: bash [3249]} hitcount: 5184`. */
static bool
read_keys(struct histogram *h, struct str s)
{
	size_t end = str_find_last(s, "}");

	if (!h->open || !scan_word(&s, ", ") || end == s.len + strlen(", "))
		return false;
	end -= strlen(", ");
	if (h->keys.len > 0)
		text_str(&h->keys, str_of(", "));
	text_str(&h->keys, str_trim((struct str){s.s, end}));
	end_entry(h, str_trim(str_from(s, end + 1)));
	return true;
}

static void
read_line(struct histogram *h, struct str s)
{
	scan_blanks(&s);
	if (read_keys(h, s))
		return;
	if (scan_word(&s, "{ "))
		begin_entry(h, s);
	else if (scan_word(&s, "}") && h->open)
		end_entry(h, str_trim(s));
	else if (!h->open && str_starts(s, "}"))
		reader_malformed(h->reader, "an entry of a histogram without its first line");
	else if (!h->open)
		read_total(h, s);
	else if (s.len > 0 && !str_starts(s, "=>") &&
		 !kernelframe_add(&h->stack, h->reader->options, s))
		reader_broken(h->reader, &h->stack, "not a frame of the kernel");
}

static void
read_input(struct reader *r)
{
	struct histogram h = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&h.stack, r->sampler);
	while (reader_line(r, &line))
		if (line.len > 0 && line.s[0] != '#')
			read_line(&h, line);
	if (h.open)
		reader_malformed_at(r, h.begin, 1, "an entry of a histogram without an end");
	if (h.dropped > 0)
		cli_note("%s: %llu %s dropped by the kernel", lines_name(r->lines),
		    (unsigned long long)h.dropped, text_form(h.dropped, "hit was", "hits were"));
	stack_free(&h.stack);
	text_free(&h.keys);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		if (str_starts(line, "# trigger info: hist:") &&
		    str_find(line, "stacktrace") < line.len)
			return 97;
		if (str_starts(line, "{ ") && str_ends(line, "stacktrace:"))
			return 97;
	}
	return 0;
}

const struct format ftracehist_format = {
    .provides = DATA_COMM | DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_EVENT | DATA_OFFSET,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
