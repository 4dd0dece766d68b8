/*
 * simpleperftext: the text of simpleperf report-sample --show-callchain,
 *
 *	sample:
 *	  event_type: cpu-clock
 *	  time: 1869019844661
 *	  event_count: 250000
 *	  thread_id: 7657
 *	  thread_name: com.example.app
 *	  vaddr_in_file: 69604
 *	  file: /apex/com.android.runtime/lib64/bionic/libc.so
 *	  symbol: open
 *	  callchain:
 *	    vaddr_in_file: 2a12e
 *	    file: ...
 *	    symbol: ...
 *
 * leaf first. A symbol ends a frame and is the rest of its line.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "fg-collapse/simpleperf/namedframe.h"
#include "profile/unit.h"
#include "sample/events.h"

/* Fields that each sample has. */
enum { HAS_EVENT = 1, HAS_COUNT = 2, HAS_THREAD = 4, HAS_NAME = 8, HAS_ALL = 15 };

struct report {
	struct reader *reader;
	struct stack stack;
	bool open; /* inside of a sample */
	unsigned has; /* its fields so far, HAS_* */
	bool half; /* a frame has a file, but no symbol yet */
	struct text event, comm, tid, file, name;
	uint64_t time, count, vaddr;
	int execution;
};

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, s);
}

static void
end_sample(struct report *p)
{
	struct sampler *s = p->reader->sampler;
	struct sample_task task = {.comm = text_as_str(&p->comm), .tid = text_as_str(&p->tid)};
	struct str event = text_as_str(&p->event);

	if (p->open && (p->has != HAS_ALL || p->half || p->stack.n == 0))
		reader_broken(p->reader, &p->stack, "a sample without one of its fields");
	if (p->open)
		stack_sample(&p->stack, &task, sampler_event(s, event, unit_of_event(event)),
		    p->time, value_of(p->count));
	p->open = false;
}

static void
begin_sample(struct report *p)
{
	p->open = true;
	p->has = 0;
	p->half = false;
	p->time = SAMPLE_NO_TIME;
	p->count = p->vaddr = 0;
	text_cut(&p->comm, 0);
	text_cut(&p->tid, 0);
	text_cut(&p->event, 0);
	text_cut(&p->file, 0);
	p->execution = 0;
}

/*
 * Notes that the sample has a field. A second one is that of a sample whose first line is missing,
 * which begins.
 */
static void
note_field(struct report *p, unsigned field)
{
	if (p->has & field) {
		end_sample(p);
		begin_sample(p);
		reader_broken(p->reader, &p->stack, "a sample without a line sample:");
	}
	p->has |= field;
}

static void
add_frame(struct report *p, struct str symbol)
{
	struct frame f =
	    simpleperf_frame(symbol, text_as_str(&p->file), p->vaddr, p->execution, &p->name);

	stack_frame(&p->stack, &f);
	text_cut(&p->file, 0);
	p->execution = 0;
}

/* Reads a line of a sample; false if a number of it is malformed. */
static bool
read_field(struct report *p, struct str key, struct str v)
{
	if (str_is(key, "event_type")) {
		note_field(p, HAS_EVENT);
		set(&p->event, v);
	} else if (str_is(key, "time")) {
		return scan_number(&v, &p->time);
	} else if (str_is(key, "event_count")) {
		note_field(p, HAS_COUNT);
		return scan_number(&v, &p->count);
	} else if (str_is(key, "thread_id")) {
		note_field(p, HAS_THREAD);
		set(&p->tid, v);
	} else if (str_is(key, "thread_name")) {
		note_field(p, HAS_NAME);
		set(&p->comm, v);
	} else if (str_is(key, "vaddr_in_file")) {
		if (p->half)
			return false; /* the frame before it has no symbol */
		p->half = true;
		return text_hex(v.s, v.len, &p->vaddr) > 0;
	} else if (str_is(key, "file")) {
		set(&p->file, v);
	} else if (str_is(key, "symbol")) {
		if (p->file.len == 0)
			return false;
		p->half = false;
		add_frame(p, v);
	} else if (str_is(key, "execution_type")) {
		p->execution = str_starts(v, "jit") || str_starts(v, "JIT") ? SIMPLEPERF_JIT : 0;
	}
	return true;
}

static void
read_input(struct reader *r)
{
	struct report p = {.reader = r};
	struct str line;
	bool orphan = false; /* a sample without its first line has been reported */

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&p.stack, r->sampler);
	while (reader_line(r, &line)) {
		struct str key, v = line;
		size_t depth = scan_blanks(&v);

		if (v.len == 0)
			continue;
		if (depth == 0) {
			end_sample(&p);
			orphan = false;
			if (str_is(line, "sample:"))
				begin_sample(&p);
			continue;
		}
		if (str_is(v, "callchain:"))
			continue;
		key = scan_until(&v, ':');
		scan_blanks(&v);
		if (!p.open && !orphan && str_is(key, "event_count")) {
			reader_malformed(r, "a sample without a line sample:");
			orphan = true;
		} else if (p.open && !read_field(&p, key, v)) {
			reader_broken(r, &p.stack, "not a field of a frame or of a sample");
		}
	}
	end_sample(&p);
	stack_free(&p.stack);
	text_free(&p.event);
	text_free(&p.comm);
	text_free(&p.tid);
	text_free(&p.file);
	text_free(&p.name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (str_is(line, "sample:"))
			return scan_line(&rest, &line) && (str_starts(line, "  event_type: ") ||
							      str_starts(line, "  time: "))
				   ? 97
				   : 0;
	return 0;
}

const struct format simpleperftext_format = {
    .provides = DATA_COMM | DATA_TID | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES |
		DATA_EVENT | DATA_COUNT,
    .single = true,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
