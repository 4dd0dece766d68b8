/*
 * xctrace: a table of Instruments exported by xctrace, a row per sample. An element has an
 * id at its first occurrence and a ref to it later:
 *
 *	<row><sample-time id="1">57246708</sample-time>
 *	 <thread id="2" fmt="main  0x8480c1 (app, pid: 7)"><tid id="3" fmt="0x8480c1">8683713</tid>
 *	  <process id="4" fmt="app (7)"><pid id="5" fmt="7">7</pid></process></thread>
 *	 <weight id="9" fmt="1.00 ms">1000000</weight>
 *	 <backtrace id="10"><frame id="11" name="start" addr="0x18d3df0f1">
 *	  <binary id="12" name="dyld" path="/usr/lib/dyld"/></frame></backtrace></row>
 *
 * Stacks are leaf first. Weights are ns, those of cycle-weight are cycles.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/xctrace/xmlevents.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* An element with an id. */
struct part {
	uint64_t number; /* value of a time or weight */
	size_t text, len; /* range in trace.text: a name or a path */
	uint32_t of; /* index of a thread's process, from 1; 0: unknown */
	size_t id, id_len; /* a pid or tid: range in trace.text */
	uint32_t name; /* name of a frame, in the tree */
	size_t first, n; /* range of a stack in trace.frame */
	bool broken; /* it refers to a missing element */
};

struct trace {
	struct reader *reader;
	struct xmlevents *xml;
	struct intmap ids; /* by id: index of the part, plus 1 */
	struct part *part;
	uint32_t npart, cappart;
	uint32_t *frame;
	size_t nframe, capframe;
	struct text text, function;
	bool missing; /* the row or part that is being read refers to a missing element */
	unsigned columns; /* that a row has had */
	uint32_t event[3]; /* events time, cycles and samples, plus 1; 0: not created */
};

enum column { TIME = 1, THREAD = 2, WEIGHT = 4, STACK = 8 };

/* Parts of the current row, as indices plus 1. */
struct row {
	unsigned columns; /* that it has */
	bool sentinel; /* a column has no value */
	bool raw; /* it has a stack of addresses, without names */
	uint32_t time, thread, process, stack;
	uint64_t weight;
	bool weighs, cycles;
};

static uint64_t
number_of(struct str s)
{
	uint64_t n;

	s = str_trim(s);
	return scan_number(&s, &n) ? n : 0;
}

/*
 * Returns the number of the current element's part. *fresh: the part is new, and stored under
 * the element's id. Otherwise the element refers to an earlier one, whose part is returned; the
 * element is skipped. A row that needs a missing element is malformed.
 */
static uint32_t
part_of(struct trace *t, bool *fresh)
{
	struct str ref = xmlevents_attribute(t->xml, "ref"), id = xmlevents_attribute(t->xml, "id");
	uintptr_t n;

	*fresh = ref.len == 0;
	if (!*fresh) {
		n = (uintptr_t)intmap_get(&t->ids, number_of(ref));
		t->missing |= n == 0 || t->part[n - 1].broken;
		xmlevents_skip(t->xml);
		return (uint32_t)n;
	}
	vec_fit(t->part, t->cappart, (size_t)t->npart + 1);
	t->part[t->npart++] = (struct part){0};
	if (id.len > 0)
		*intmap_at(&t->ids, number_of(id)) = (void *)(uintptr_t)t->npart;
	return t->npart;
}

/* Begins and ends a part with other parts in it. */
static bool
open_part(struct trace *t)
{
	bool before = t->missing;

	t->missing = false;
	return before;
}

static void
close_part(struct trace *t, uint32_t n, bool fresh, bool before)
{
	if (fresh)
		t->part[n - 1].broken = t->missing;
	t->missing |= before;
}

static void
keep(struct trace *t, struct str s, size_t *at, size_t *len)
{
	*at = t->text.len;
	*len = s.len;
	text_str(&t->text, s);
}

static struct str
text_of(const struct trace *t, size_t at, size_t len)
{
	return (struct str){len > 0 ? t->text.s + at : "", len};
}

/* Reads an element whose text is a number. */
static uint32_t
read_number(struct trace *t)
{
	bool fresh;
	uint32_t n = part_of(t, &fresh);

	while (fresh) {
		enum xml_kind kind = xmlevents_next(t->xml);
		struct str text;

		if (kind == XML_BEGIN)
			xmlevents_skip(t->xml);
		else if (kind == XML_END) {
			text = xmlevents_text(t->xml);
			t->missing |= text.len == 0;
			t->part[n - 1].number = number_of(text);
		}
		if (kind != XML_BEGIN)
			break;
	}
	return n;
}

/* Reads an element whose text is a path, or that contains a path and a line. */
static uint32_t
read_source(struct trace *t)
{
	bool fresh, before = open_part(t);
	uint64_t line = number_of(xmlevents_attribute(t->xml, "line"));
	uint32_t n = part_of(t, &fresh);

	if (fresh)
		t->part[n - 1].number = line;
	while (fresh) {
		enum xml_kind kind = xmlevents_next(t->xml);

		if (kind == XML_BEGIN) {
			uint32_t path = read_source(t);

			if (path != 0) {
				t->part[n - 1].text = t->part[path - 1].text;
				t->part[n - 1].len = t->part[path - 1].len;
			}
			continue;
		}
		if (kind == XML_END && t->part[n - 1].len == 0)
			keep(t, str_trim(xmlevents_text(t->xml)), &t->part[n - 1].text,
			    &t->part[n - 1].len);
		break;
	}
	close_part(t, n, fresh, before);
	return n;
}

static uint32_t
read_binary(struct trace *t)
{
	struct str name = xmlevents_attribute(t->xml, "path");
	bool fresh;
	uint32_t n;

	if (name.len == 0)
		name = xmlevents_attribute(t->xml, "name");
	n = part_of(t, &fresh);
	if (fresh) {
		keep(t, name, &t->part[n - 1].text, &t->part[n - 1].len);
		xmlevents_skip(t->xml);
	}
	return n;
}

static uint32_t
read_frame(struct trace *t)
{
	struct str name = xmlevents_attribute(t->xml, "name"),
		   addr = xmlevents_attribute(t->xml, "addr");
	struct frame f = {0};
	bool fresh, bare, before = open_part(t);
	uint32_t n, binary = 0, source = 0;

	text_cut(&t->function, 0);
	f.has_address = scan_hex(&addr, &f.address);
	if (str_starts(name, "0x") && f.has_address)
		name.len = 0;
	plainname_add(&t->function, name, false);
	bare = name.len == 0 && !f.has_address && xmlevents_attribute(t->xml, "id").len == 0;
	n = part_of(t, &fresh);
	if (!fresh) {
		close_part(t, n, fresh, before);
		return n;
	}
	t->missing |= bare;
	while (xmlevents_next(t->xml) == XML_BEGIN)
		if (str_is(xmlevents_name(t->xml), "binary"))
			binary = read_binary(t);
		else if (str_is(xmlevents_name(t->xml), "source"))
			source = read_source(t);
		else
			xmlevents_skip(t->xml);
	f.function = text_as_str(&t->function);
	if (binary != 0)
		f.module = text_of(t, t->part[binary - 1].text, t->part[binary - 1].len);
	if (source != 0) {
		f.file = text_of(t, t->part[source - 1].text, t->part[source - 1].len);
		f.line = (unsigned)t->part[source - 1].number;
	}
	f.kind = frame_kind_of(f.module);
	t->part[n - 1].name = sample_name(t->reader->sampler, &f);
	close_part(t, n, fresh, before);
	return n;
}

/* Reads a stack, or an element around stacks, of which the last one counts. */
static uint32_t
read_stack(struct trace *t)
{
	bool fresh, before = open_part(t);
	const bool named = xmlevents_attribute(t->xml, "id").len > 0;
	uint32_t n = part_of(t, &fresh), other;

	if (fresh)
		t->part[n - 1].first = t->nframe;
	while (fresh && xmlevents_next(t->xml) == XML_BEGIN) {
		if (str_is(xmlevents_name(t->xml), "frame")) {
			other = read_frame(t);
			vec_fit(t->frame, t->capframe, t->nframe + 1);
			t->frame[t->nframe++] = other != 0 ? t->part[other - 1].name : 0;
			t->part[n - 1].n++;
		} else if (str_is(xmlevents_name(t->xml), "backtrace")) {
			other = read_stack(t);
			if (other != 0) {
				t->part[n - 1].first = t->part[other - 1].first;
				t->part[n - 1].n = t->part[other - 1].n;
			}
		} else { /* the name of frames has changed */
			t->missing |= xmlevents_attribute(t->xml, "addr").len > 0;
			xmlevents_skip(t->xml);
		}
	}
	t->missing |= fresh && !named && t->part[n - 1].n == 0;
	close_part(t, n, fresh, before);
	return n;
}

/* Reads `app (7)` with a pid in it, or `main  0x8480c1 (app, pid: 7)` with a tid and a process. */
static uint32_t
read_task(struct trace *t, const char *until)
{
	struct str name = xmlevents_attribute(t->xml, "fmt");
	bool fresh, bare, before = open_part(t);
	uint32_t n;

	bare = name.len == 0 && xmlevents_attribute(t->xml, "id").len == 0;
	name.len = str_find_last(name, until);
	n = part_of(t, &fresh);
	t->missing |= fresh && bare;
	if (fresh)
		keep(t, name, &t->part[n - 1].text, &t->part[n - 1].len);
	while (fresh && xmlevents_next(t->xml) == XML_BEGIN) {
		if (str_is(xmlevents_name(t->xml), "pid") ||
		    str_is(xmlevents_name(t->xml), "tid")) {
			uint32_t id = read_number(t);
			struct text digits = {0};

			text_printf(&digits, "%llu",
			    (unsigned long long)(id != 0 ? t->part[id - 1].number : 0));
			keep(t, text_as_str(&digits), &t->part[n - 1].id, &t->part[n - 1].id_len);
			text_free(&digits);
		} else if (str_is(xmlevents_name(t->xml), "process")) {
			uint32_t process = read_task(t, " (");

			t->part[n - 1].of = process;
		} else {
			xmlevents_skip(t->xml);
		}
	}
	close_part(t, n, fresh, before);
	return n;
}

static uint32_t
event_of(struct trace *t, unsigned which, const char *name, const char *unit)
{
	if (t->event[which] == 0)
		t->event[which] = sampler_event(t->reader->sampler, str_of(name), str_of(unit)) + 1;
	return t->event[which] - 1;
}

static void
pass_row(struct trace *t, const struct row *r)
{
	struct sampler *s = t->reader->sampler;
	struct sample_weight w[2];
	struct sample_task task = {0};
	uint32_t process = r->process;
	unsigned n = 0;

	if (r->weighs && r->cycles)
		w[n++] =
		    (struct sample_weight){event_of(t, 1, "cycles", "cycles"), value_of(r->weight)};
	else if (r->weighs)
		w[n++] = (struct sample_weight){event_of(t, 0, "time", "ns"), value_of(r->weight)};
	w[n++] = (struct sample_weight){event_of(t, 2, "samples", "samples"), VALUE_ONE};
	if (r->thread != 0) {
		const struct part *thread = &t->part[r->thread - 1];

		if (t->reader->options->threads)
			task.comm = text_of(t, thread->text, thread->len);
		task.tid = text_of(t, thread->id, thread->id_len);
		if (process == 0)
			process = thread->of;
	}
	if (process != 0) {
		const struct part *p = &t->part[process - 1];

		if (task.comm.len == 0)
			task.comm = text_of(t, p->text, p->len);
		task.pid = text_of(t, p->id, p->id_len);
	}
	if (!sample_begin_all(
		s, &task, w, n, r->time != 0 ? t->part[r->time - 1].number : SAMPLE_NO_TIME))
		return;
	for (size_t i = 0; r->stack != 0 && i < t->part[r->stack - 1].n; i++) {
		uint32_t name = t->frame[t->part[r->stack - 1].first + i];

		sample_frame_named(s, name != 0 ? name : sample_name(s, &(struct frame){0}));
	}
	sample_end(s);
}

static void
read_row(struct trace *t)
{
	struct row r = {0};
	enum xml_kind kind;

	t->missing = false;
	while ((kind = xmlevents_next(t->xml)) == XML_BEGIN) {
		struct str name = xmlevents_name(t->xml);

		if (str_is(name, "sample-time") || str_is(name, "start-time")) {
			r.time = read_number(t);
			r.columns |= TIME;
		} else if (str_is(name, "thread")) {
			r.thread = read_task(t, "  ");
			r.columns |= THREAD;
		} else if (str_is(name, "process")) {
			r.process = read_task(t, " (");
		} else if (str_is(name, "weight") || str_is(name, "cycle-weight")) {
			uint32_t weight;

			r.cycles = name.s[0] == 'c';
			weight = read_number(t);
			r.weighs = weight != 0;
			r.weight = r.weighs ? t->part[weight - 1].number : 0;
			r.columns |= WEIGHT;
		} else if (str_is(name, "backtrace") || str_is(name, "tagged-backtrace")) {
			r.stack = read_stack(t);
			r.columns |= STACK;
		} else {
			r.sentinel |= str_is(name, "sentinel");
			r.raw |= str_is(name, "kperf-bt");
			xmlevents_skip(t->xml);
		}
	}
	t->columns |= r.columns;
	if ((!r.sentinel && t->columns != r.columns) || (r.raw && (r.columns & STACK) == 0))
		t->missing = true;
	if (kind == XML_END && t->missing) {
		xmlevents_malformed(
		    t->xml, "a row without a column or an element that it refers to");
		sample_malformed(t->reader->sampler, 0, r.weighs ? value_of(r.weight) : VALUE_ONE);
	} else if (kind == XML_END) {
		pass_row(t, &r);
	}
}

/* Reads a document. Ids are unique within it. */
static void
read_document(struct reader *r, struct xmlevents *xml)
{
	struct trace t = {.reader = r, .xml = xml};
	enum xml_kind kind;

	while ((kind = xmlevents_next(xml)) != XML_NOTHING)
		if (kind == XML_BEGIN && str_is(xmlevents_name(xml), "row"))
			read_row(&t);
	free(t.ids.slot);
	free(t.part);
	free(t.frame);
	text_free(&t.text);
	text_free(&t.function);
}

static void
read_input(struct reader *r)
{
	struct xmlevents *xml = xmlevents_open(r);

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	while (xmlevents_document(xml))
		read_document(r, xml);
	xmlevents_close(xml);
}

static int
sniff(const char *data, size_t len)
{
	struct str all = {data, len};

	return text_has(data, len, "<trace-query-result") && str_find(all, "<") < 64 ? 97 : 0;
}

const struct format xctrace_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_TIMES | DATA_EVENT | DATA_COUNT | DATA_THREAD_NAMES,
    .single = true,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
