/*
 * bpftrace: the maps that it prints, with stacks among their keys,
 *
 *	@us[
 *	    schedule+35
 *	    worker_thread+152
 *	,
 *	    main+12
 *	, bash, 3914]: 8029
 *
 * kstack before ustack, whichever is there; the value a number, what stats() and avg()
 * write, of which the total counts, or a histogram, whose counts are added up. A name
 * among the keys is the comm, a number the pid, all else a frame at the root. Each map is
 * an event. Stacks that a script printed itself count 1 each, below the line before.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"

struct maps {
	struct reader *reader;
	struct stack stack;
	const char *begin; /* of an entry, NULL outside of them; all of it is in one block */
	uint64_t line_number; /* in which it begins */
	struct str histogram; /* the entry whose value stands in the lines below; len 0: none */
	value sum; /* of its lines until now */
	struct text last; /* the name of the last map, whose number is event */
	bool named; /* there was one */
	uint32_t event;
	uint32_t printed; /* the event of printed stacks, once there was one */
	bool any_printed;
	struct text head; /* the line above a printed stack */
	uint64_t stackless; /* entries */
	struct line {
		struct str text;
		uint32_t name;
		bool kernel;
	} * line, *last_line; /* of the entry at hand; of the one before in the same block */
	size_t nline, capline, nlast, caplast;
};

/* The keys of an entry that are no stacks. */
struct keys {
	struct sample_task task;
	struct str other[16];
	unsigned nother;
	bool empty; /* one was an empty stack */
};

static void
add_key(struct keys *k, struct str key)
{
	struct str rest = key;
	uint64_t n;

	if (key.len == 0)
		k->empty = true;
	else if (scan_number(&rest, &n) && rest.len == 0 && k->task.pid.len == 0)
		k->task.pid = key;
	else if (k->task.comm.len == 0 && (rest.len == key.len || rest.len > 0))
		k->task.comm = key;
	else if (k->nother < sizeof k->other / sizeof k->other[0])
		k->other[k->nother++] = key;
}

/*
 * Keys between the stacks: `bash, 12, ` before one, `, bash, 12` behind one. What stands
 * next to a stack is it, or was an empty one.
 */
static void
add_keys(struct keys *k, struct str s, bool after, bool before)
{
	if (after && scan_word(&s, ","))
		scan_word(&s, " ");
	else if (after && s.len == 0)
		return;
	s = str_trim(s);
	if (before && str_ends(s, ","))
		s.len--;
	else if (before && s.len == 0)
		return;
	for (;;) {
		size_t comma = str_find(s, ", ");

		add_key(k, str_trim((struct str){s.s, comma}));
		if (comma == s.len)
			break;
		s = str_from(s, comma + 2);
	}
}

/* A line that is not known: `schedule+35`, `0x5637`, and of stack(perf) `5557d66fda01 main+12
 * (/bin/work)` */
static void
add_frame(struct maps *m, struct str s, bool kernel)
{
	struct frame f = {.kind = kernel ? FRAME_KERNEL : FRAME_USER};
	size_t blank, open;
	struct str address = s;

	open = str_find_last(s, " (");
	blank = str_find(s, " ");
	address.len = blank;
	if (blank < s.len && strspn(address.s, "0123456789abcdef") >= blank) {
		f.has_address = true;
		for (size_t i = 0; i < blank; i++)
			f.address = f.address << 4 |
				    (unsigned)(s.s[i] <= '9' ? s.s[i] - '0' : s.s[i] - 'a' + 10);
		if (open < s.len && str_ends(s, ")"))
			f.module = (struct str){s.s + open + 2, s.len - open - 3};
		else
			kernel = true;
		if (str_is(f.module, "[unknown]"))
			f.module.len = 0;
		f.kind = kernel ? FRAME_KERNEL : frame_kind_of(f.module);
		if (open <= blank) /* no name at all */
			open = blank + 1;
		s = (struct str){s.s + blank + 1, open - blank - 1};
	}
	f.function = s;
	if (scan_hex(&s, &f.address) && s.len == 0) {
		f.has_address = true;
		f.function.len = 0;
	}
	if (!m->reader->options->offsets)
		f.function.len = funcname_without_offset(f.function);
	stack_function(&m->stack, f);
	stack_remember(&m->stack);
}

/* Whether a stack whose last line this is ends where the kernel is entered, or has its addresses.
 */
static bool
is_kernel(struct str last)
{
	last = str_trim(last);
	if (str_find(last, " ") < last.len) /* stack(perf) */
		return str_find(last, " ") == 16 && str_starts(last, "ffff");
	return kernelframe_is_entry(last) || str_starts(last, "asm_");
}

/* The lines of a stack from the front of text, up to one that begins with a comma. */
static void
take_lines(struct maps *m, struct str *text)
{
	const char *at = text->s, *end = text->s + text->len;
	size_t first = m->nline;
	bool kernel;

	while (at < end && *at != ',') {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (newline == NULL)
			newline = end;
		while (at < newline && (*at == ' ' || *at == '\t'))
			at++;
		if (at < newline) {
			vec_fit(m->line, m->capline, m->nline + 1);
			m->line[m->nline++].text = (struct str){at, (size_t)(newline - at)};
		}
		at = newline < end ? newline + 1 : end;
	}
	*text = (struct str){at, (size_t)(end - at)};
	kernel = m->nline > first && is_kernel(m->line[m->nline - 1].text);
	for (size_t i = first; i < m->nline; i++)
		m->line[i].kernel = kernel;
}

/* The frames of all lines; those that the entry before had too, from the root on, are its. */
static void
name_lines(struct maps *m)
{
	size_t i = m->nline, k = m->nlast;

	for (; i > 0 && k > 0; i--, k--) {
		struct line *line = &m->line[i - 1];
		const struct line *was = &m->last_line[k - 1];

		if (line->kernel != was->kernel || !str_equal(line->text, was->text))
			break;
		line->name = was->name;
	}
	while (i-- > 0) {
		struct line *line = &m->line[i];

		m->stack.n = 0;
		if (!stack_known(&m->stack, line->text, line->kernel))
			add_frame(m, str_trim(line->text), line->kernel);
		line->name = m->stack.name[0];
	}
	m->stack.n = 0;
}

static void
add_lines(struct maps *m, size_t from, size_t to)
{
	struct stack *s = &m->stack;

	vec_fit(s->name, s->cap, s->n + (to - from));
	for (size_t i = from; i < to; i++)
		s->name[s->n++] = m->line[i].name;
}

/* `8029`, `count 3, average 12, total 36` */
static bool
read_value(struct str s, value *v)
{
	size_t total = str_find(s, ", total ");

	if (str_starts(s, "count ") && total < s.len)
		s = str_from(s, total + strlen(", total "));
	s.len = str_find(s, ",");
	return scan_value(s, v);
}

/* `[4, 8)                12 |@@@@      |`, also in other units: `[1K, 2K)` */
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

static uint32_t
event_of(struct maps *m, struct str name)
{
	if (!m->named || !str_equal(name, text_as_str(&m->last))) {
		m->named = true;
		text_cut(&m->last, 0);
		text_str(&m->last, name);
		m->event = sampler_event(
		    m->reader->sampler, name, name.len == 0 ? str_of("samples") : (struct str){0});
	}
	return m->event;
}

static void
keep_lines(struct maps *m)
{
	struct line *line = m->last_line;
	size_t cap = m->caplast;

	m->last_line = m->line;
	m->nlast = m->nline;
	m->caplast = m->capline;
	m->line = line;
	m->capline = cap;
	m->nline = 0;
}

/* An entry: all between the brackets. */
static void
take_entry(struct maps *m, uint32_t event, struct str entry, value v, bool whole)
{
	struct keys k = {0};
	struct str line;
	bool after = false;
	unsigned n = 0;
	size_t first = 0;

	m->nline = 0;
	do {
		if (!after || entry.s[0] == ',') {
			line = (struct str){entry.s, 0};
			scan_line(&entry, &line);
			add_keys(&k, line, after, entry.len > 0);
		}
		after = entry.len > 0 &&
			(entry.s[0] == ' ' || entry.s[0] == '\t' || entry.s[0] == '\n');
		if (after) {
			if (n++ == 1)
				first = m->nline;
			take_lines(m, &entry);
		} else if (entry.len > 0 && entry.s[0] != ',') {
			reader_malformed_at(m->reader, m->line_number, 1, "not an entry of a map");
			return;
		}
	} while (entry.len > 0);
	if (n == 0 && !k.empty) {
		m->stackless++;
		return;
	}
	/* Of two stacks one is the kernel's: the first, unless it is seen to be the second. */
	if (n == 2 && first > 0 && first < m->nline && !m->line[first].kernel)
		for (size_t i = 0; i < first; i++)
			m->line[i].kernel = true;
	name_lines(m);
	if (n == 2 && first > 0 && first < m->nline && !m->line[0].kernel) {
		add_lines(m, first, m->nline);
		add_lines(m, 0, first);
	} else {
		add_lines(m, 0, m->nline);
	}
	for (unsigned i = k.nother; i-- > 0;)
		stack_frame(&m->stack, &(struct frame){.function = k.other[i]});
	if (v % VALUE_ONE == 0 && v / VALUE_ONE < VALUE_WIDE && whole)
		stack_count(&m->stack, &k.task, event, (uint64_t)(v / VALUE_ONE));
	else
		stack_sample(&m->stack, &k.task, event, SAMPLE_NO_TIME, v);
	keep_lines(m);
}

static void
end_histogram(struct maps *m)
{
	if (m->histogram.len > 0)
		take_entry(m, m->event, m->histogram, m->sum, false);
	m->histogram.len = 0;
}

/* s is an entry with its value: `@us[...]: 8029`. */
static void
read_entry(struct maps *m, struct str s)
{
	size_t open = str_find(s, "["), close = str_find_last(s, "]:");
	struct str name = {s.s + 1, open < s.len ? open - 1 : 0}, entry, text, value_text;
	uint64_t integer;
	uint32_t event;
	value v;

	if (open >= close || close == s.len) { /* a map without keys */
		m->stackless++;
		return;
	}
	event = event_of(m, name);
	entry = (struct str){s.s + open + 1, close - open - 1};
	value_text = text = str_trim(str_from(s, close + 2));
	s.len = close;
	if (scan_number(&text, &integer) && text.len == 0) {
		if (integer < VALUE_WIDE && stack_again(&m->stack, s, event, integer))
			return;
		take_entry(m, event, entry, value_of(integer), true);
	} else {
		text = value_text;
		if (text.len == 0) {
			m->histogram = entry;
			m->sum = 0;
		} else if (read_value(text, &v)) {
			take_entry(m, event, entry, v, false);
		} else {
			reader_malformed_at(
			    m->reader, m->line_number, 1, "a value that is no number");
		}
	}
	m->stack.is_whole = false;
}

static void
take_printed(struct maps *m)
{
	struct sample_task task = {.comm = text_as_str(&m->head)};
	size_t blank = str_find_last(task.comm, " ");
	uint64_t n;

	if (m->stack.n == 0)
		return;
	if (blank < task.comm.len) {
		struct str last = str_from(task.comm, blank + 1), rest = last;

		if (scan_number(&rest, &n) && rest.len == 0) {
			task.pid = last;
			task.comm.len = blank;
		}
	}
	if (!m->any_printed)
		m->printed =
		    sampler_event(m->reader->sampler, str_of("printed"), str_of("samples"));
	m->any_printed = true;
	stack_sample(&m->stack, &task, m->printed, SAMPLE_NO_TIME, VALUE_ONE);
}

/* A line outside of maps. */
static void
read_printed(struct maps *m, struct str line)
{
	struct str s = str_trim(line);

	if (s.len == 0)
		return;
	if (line.s[0] == ' ' || line.s[0] == '\t') {
		if ((str_find(s, " ") == s.len || line.s[0] == '\t') &&
		    !stack_known(&m->stack, s, false))
			add_frame(m, s, false);
		return;
	}
	take_printed(m);
	text_cut(&m->head, 0);
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
			    m->reader, m->line_number, 1, "a map's entry without an end");
		take_printed(m);
		m->begin = line.s;
		m->line_number = m->reader->number;
	} else if (m->begin == NULL) {
		read_printed(m, line);
		return;
	}
	/* Keys and the end do not begin with a blank; an entry may be one line. */
	if (str_find(line, "]:") < line.len || str_find(line, "[") == line.len) {
		struct str entry = {m->begin, (size_t)(line.s + line.len - m->begin)};

		if (line.s[0] == '@' || line.s[0] == ']' || line.s[0] == ',') {
			if (str_find(line, "]:") < line.len || line.s[0] == '@') {
				m->begin = NULL;
				read_entry(m, entry);
			}
		}
	}
}

static void
read_input(struct reader *r)
{
	struct maps m = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&m.stack, r->sampler);
	while (reader_raw(r, &line)) {
		if (m.begin == NULL || line.len == 0 || (line.s[0] != ' ' && line.s[0] != '\t'))
			read_line(&m, line);
		if (reader_last(r)) {
			end_histogram(&m);
			if (m.begin != NULL)
				reader_malformed_at(
				    r, m.line_number, 1, "a map's entry without an end");
			m.begin = NULL;
			m.nlast = 0;
		}
	}
	take_printed(&m);
	if (m.stackless > 0)
		cli_note("%s: %llu entries of maps without a stack were left out",
		    lines_name(r->lines), (unsigned long long)m.stackless);
	stack_free(&m.stack);
	text_free(&m.last);
	text_free(&m.head);
	free(m.line);
	free(m.last_line);
}

/* Before the last entry, so that each is whole in its block; anywhere when there is none. */
static size_t
cut(const char *data, size_t len)
{
	const char *at = data + len - 1; /* the last newline */

	while (at > data && (at = memrchr(data, '\n', (size_t)(at - data))) != NULL)
		if (at[1] == '@')
			return (size_t)(at + 1 - data);
	return data[0] == '@' ? 0 : len;
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool attached = false, map = false, printed = false;

	while (scan_line(&rest, &line)) {
		if (line.len == 0)
			continue;
		if (str_starts(line, "Attaching ") &&
		    (str_ends(line, "probes...") || str_ends(line, "probe...")))
			attached = true;
		if (map && (line.s[0] == ' ' || line.s[0] == '\t'))
			return 97;
		map = line.s[0] == '@' && str_find(line, "[") < line.len;
		if (map && str_find(line, "]: ") < line.len)
			printed = true;
	}
	return attached ? 95 : printed ? 50 : 0;
}

const struct format bpftrace_format = {
    .name = "bpftrace",
    .description = "maps of bpftrace by stack, and stacks that it prints",
    .origin = "bpftrace -e 'profile:hz:997 { @[kstack, ustack, comm] = count(); }'",
    .lacks = DATA_TID | DATA_SOURCE | DATA_TIME | DATA_ORDER | DATA_COUNT,
    .has = HAS_OFFSET,
    .sniff = sniff,
    .cut = cut,
    .read = read_input,
};
