/*
 * hprof: the text of Java's hprof agent (until JDK 8; heap dumps of the same name are binary): call
 * stacks as traces, and tables that refer to them,
 *
 *	JAVA PROFILE 1.0.1, created Fri Jun 14 01:15:30 2013
 *	THREAD START (obj=5000016b, id = 200001, name="main", group="main")
 *	TRACE 300182: (thread=200001)
 *		java.lang.ClassLoader.load(ClassLoader.java:Unknown line)
 *		java.lang.System.loadLibrary(System.java:1084)
 *	CPU SAMPLES BEGIN (total = 1010) Fri Jun 14 01:15:43 2013
 *	rank   self  accum   count trace method
 *	   1  1.98%  1.98%      20 300182 java.lang.ClassLoader.load
 *	CPU SAMPLES END
 *
 * CPU TIME and MONITOR TIME have calls in the column count, and a total in ms; SITES have the bytes
 * and objects that live and that were allocated, and a class, which becomes the leaf:
 *
 *	   1 44.73% 44.73%  1161280 14516  1161280 14516 302032 java.util.zip.ZipEntry
 *
 * The agent may write tables while the program runs: the last one of each kind counts.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define MAGIC "JAVA PROFILE 1.0."

enum { NAMES = 4 }; /* values of a row at most */

/* A kind of table. */
static const struct kind {
	const char *begin;
	unsigned values; /* number of columns between the percentages and the trace */
	bool share; /* the first percentage is a part of the total, in ms */
	bool class; /* the last column is a class */
	struct {
		const char *event, *unit;
		enum folded_values values; /* times are measured */
	} of[NAMES]; /* in the order of the columns; the share comes first */
} kinds[] = {
    {"CPU SAMPLES BEGIN", 1, false, false, {{"samples", FOLDED_SAMPLES, FOLDED_SAMPLED}}},
    {"CPU TIME (ms) BEGIN", 1, true, false,
	{{"ms", "ms", FOLDED_VALUES_UNSET}, {"calls", "calls", FOLDED_EXACT}}},
    {"MONITOR TIME BEGIN", 1, true, false,
	{{"monitor-ms", "ms", FOLDED_VALUES_UNSET}, {"monitor-enters", "enters", FOLDED_EXACT}}},
    {"SITES BEGIN", 4, false, true,
	{{"live-bytes", "bytes", FOLDED_EXACT}, {"live-objects", "objects", FOLDED_EXACT},
	    {"allocated-bytes", "bytes", FOLDED_EXACT},
	    {"allocated-objects", "objects", FOLDED_EXACT}}},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

struct trace {
	size_t name, n; /* range in names, leaf first */
	uint64_t thread; /* 0: unknown */
	bool broken;
};

struct row {
	value v[NAMES];
	uint64_t trace, line;
	uint32_t class; /* name of a frame, 0 for none */
};

struct profile {
	struct reader *reader;
	struct stack stack; /* of the current trace */
	uint32_t *name;
	size_t nname, capname;
	struct trace *trace;
	size_t ntrace, captrace;
	struct intmap traces, threads; /* by number: index + 1 */
	struct text *thread; /* names */
	size_t nthread, capthread;
	bool begun; /* the description of the format has ended */
	bool dump; /* in a dump of the heap or of monitors */
	bool open; /* the last trace is being read */
	const struct kind *kind; /* of the current table, or NULL */
	value total; /* of the current table */
	struct row *row[KINDS];
	size_t nrow[KINDS], caprow[KINDS];
};

static uint64_t
number_after(struct str s, const char *after)
{
	size_t at = str_find(s, after);
	uint64_t n = 0;

	s = str_from(s, at < s.len ? at + strlen(after) : at);
	return scan_number(&s, &n) ? n : 0;
}

static void
end_trace(struct profile *p)
{
	struct trace *t;

	if (!p->open)
		return;
	p->open = false;
	t = &p->trace[p->ntrace - 1];
	t->name = p->nname;
	t->n = p->stack.n;
	t->broken = p->stack.broken;
	vec_fit(p->name, p->capname, p->nname + t->n);
	if (t->n > 0)
		memcpy(p->name + p->nname, p->stack.name, t->n * sizeof *p->name);
	p->nname += t->n;
	p->stack.n = 0;
	p->stack.broken = false;
}

/* Reads `TRACE 300182: (thread=200001)`. */
static bool
read_trace(struct profile *p, struct str s)
{
	uint64_t id;

	if (!scan_word(&s, "TRACE ") || !scan_number(&s, &id) || !scan_word(&s, ":"))
		return false;
	vec_fit(p->trace, p->captrace, p->ntrace + 1);
	p->trace[p->ntrace++] = (struct trace){.thread = number_after(s, "(thread=")};
	*intmap_at(&p->traces, id) = (void *)(uintptr_t)p->ntrace;
	p->open = true;
	return true;
}

/* Reads `THREAD START (obj=5000016b, id = 200001, name="main", group="main")`. */
static bool
read_thread(struct profile *p, struct str s)
{
	size_t at = str_find(s, ", name=\""), end = str_find_last(s, "\", group=\"");

	if (!str_starts(s, "THREAD START ") || at == s.len || end <= at)
		return false;
	vec_fit(p->thread, p->capthread, p->nthread + 1);
	p->thread[p->nthread] = (struct text){0};
	at += strlen(", name=\"");
	text_str(&p->thread[p->nthread++], (struct str){s.s + at, end > at ? end - at : 0});
	*intmap_at(&p->threads, number_after(s, " id = ")) = (void *)(uintptr_t)p->nthread;
	return true;
}

static bool
read_begin(struct profile *p, struct str s)
{
	for (size_t i = 0; i < KINDS; i++) {
		size_t at;

		if (!str_starts(s, kinds[i].begin))
			continue;
		p->kind = &kinds[i];
		p->nrow[i] = 0;
		at = str_find(s, "(total = ");
		s = str_from(s, at < s.len ? at + strlen("(total = ") : at);
		p->total = 0;
		scan_decimal(&s, &p->total);
		return true;
	}
	return false;
}

/* Reads a row: rank, percentages, the kind's columns, the trace, a method or class. */
static bool
read_row(struct profile *p, struct str s)
{
	const struct kind *k = p->kind;
	const size_t kind = (size_t)(k - kinds);
	struct row r = {.line = p->reader->number};
	unsigned n = 0;
	uint64_t rank;
	value self, accumulated;

	if (!scan_number(&s, &rank) || scan_blanks(&s) == 0 || !scan_decimal(&s, &self) ||
	    !scan_word(&s, "%") || scan_blanks(&s) == 0 || !scan_decimal(&s, &accumulated) ||
	    !scan_word(&s, "%"))
		return false;
	if (k->share)
		r.v[n++] = humannumber_scale(p->total, (uint64_t)(self / (VALUE_ONE / 100)), 10000);
	for (unsigned i = 0; i < k->values; i++)
		if (scan_blanks(&s) == 0 || !scan_decimal(&s, &r.v[n++]))
			return false;
	if (scan_blanks(&s) == 0 || !scan_number(&s, &r.trace) || scan_blanks(&s) == 0 ||
	    s.len == 0)
		return false;
	if (k->class)
		r.class = sample_name(p->reader->sampler, &(struct frame){.function = s});
	vec_fit(p->row[kind], p->caprow[kind], p->nrow[kind] + 1);
	p->row[kind][p->nrow[kind]++] = r;
	return true;
}

/* Reads a line outside of traces and their tables: of a thread's end, of a dump. */
static void
read_other(struct profile *p, struct str s)
{
	if (str_find(s, " DUMP BEGIN") < s.len)
		p->dump = true;
	else if (str_find(s, " DUMP END") < s.len)
		p->dump = false;
	else if (!p->dump && s.len > 0 && !str_starts(s, "THREAD END ") && !str_starts(s, "--"))
		reader_malformed(p->reader, "not a trace, a thread or a table of traces");
}

static void
read_line(struct profile *p, struct str s)
{
	struct str frame = s;

	if (p->open && scan_blanks(&frame) > 0) {
		if (!str_is(frame, "<empty>") &&
		    !javaframe_add(&p->stack, p->reader->options, frame))
			reader_broken(p->reader, &p->stack, "not a frame of Java");
		return;
	}
	end_trace(p);
	if (read_trace(p, s) || read_thread(p, s) || read_begin(p, s)) {
		p->begun = true;
		return;
	}
	s = str_trim(s);
	p->begun |= str_starts(s, "--------");
	if (p->kind != NULL && str_find(s, " END") < s.len)
		p->kind = NULL;
	else if (p->kind == NULL && p->begun)
		read_other(p, s);
	else if (p->kind != NULL && s.len > 0 && !str_starts(s, "rank ") &&
		 !str_starts(s, "percent ") && !read_row(p, s))
		reader_malformed(p->reader, "not a row of a table of traces");
}

static void
pass_row(struct profile *p, const struct kind *k, const uint32_t *event, const struct row *r)
{
	const uintptr_t number = (uintptr_t)intmap_get(&p->traces, r->trace);
	const struct trace *t = number > 0 ? &p->trace[number - 1] : NULL;
	const uintptr_t thread = t != NULL ? (uintptr_t)intmap_get(&p->threads, t->thread) : 0;
	const unsigned n = k->values + k->share;
	struct sampler *s = p->reader->sampler;
	struct sample_weight w[NAMES];
	struct sample_task task = {0};
	char tid[24];

	for (unsigned i = 0; i < n; i++)
		w[i] = (struct sample_weight){event[i], r->v[i]};
	if (thread > 0)
		task.comm = text_as_str(&p->thread[thread - 1]);
	if (t != NULL && t->thread > 0) {
		snprintf(tid, sizeof tid, "%llu", (unsigned long long)t->thread);
		task.tid = str_of(tid);
	}
	if (t == NULL)
		reader_malformed_at(p->reader, r->line, 1, "a row of an unknown trace");
	if (t == NULL || t->broken) {
		sample_malformed(s, 0, sampler_has_column(s, w[0].event) ? w[0].weight : 0);
		return;
	}
	if (!sample_begin_all(s, &task, w, n, SAMPLE_NO_TIME))
		return;
	if (r->class != 0)
		sample_frame_named(s, r->class);
	for (size_t i = 0; i < t->n; i++)
		sample_frame_named(s, p->name[t->name + i]);
	sample_end(s);
}

static void
read_input(struct reader *r)
{
	struct profile p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&p.stack, r->sampler);
	while (reader_line(r, &line)) {
		read_line(&p, line);
		if (scan_word(&line, MAGIC))
			reader_version_text(r, VERSION_HPROF, line);
	}
	end_trace(&p);
	for (size_t i = 0; i < KINDS; i++) {
		uint32_t event[NAMES];

		for (unsigned n = 0; p.nrow[i] > 0 && n < kinds[i].values + kinds[i].share; n++) {
			event[n] = sampler_event(
			    r->sampler, str_of(kinds[i].of[n].event), str_of(kinds[i].of[n].unit));
			sampler_values(r->sampler, event[n], kinds[i].of[n].values);
		}
		for (size_t k = 0; k < p.nrow[i]; k++)
			pass_row(&p, &kinds[i], event, &p.row[i][k]);
		free(p.row[i]);
	}
	for (size_t i = 0; i < p.nthread; i++)
		text_free(&p.thread[i]);
	stack_free(&p.stack);
	free(p.traces.slot);
	free(p.threads.slot);
	free(p.thread);
	free(p.trace);
	free(p.name);
}

static int
sniff(const char *data, size_t len)
{
	return text_starts(data, len, MAGIC) ? 97 : 0;
}

const struct format hprof_format = {
    .provides = DATA_COMM | DATA_TID | DATA_MODULE | DATA_SOURCE | DATA_EVENT | DATA_PACKAGES,
    .sniff = sniff,
    .read = read_input,
};
