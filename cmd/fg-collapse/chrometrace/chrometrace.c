/*
 * chrometrace: trace events of Chrome and of other programs: an array, or an object with
 * the array in traceEvents; times are us:
 *
 *	[{"ph": "B", "pid": 1, "tid": 2, "ts": 0, "name": "alpha"},
 *	 {"ph": "X", "pid": 1, "tid": 2, "ts": 2, "dur": 5, "name": "gamma"},
 *	 {"ph": "E", "pid": 1, "tid": 2, "ts": 14},
 *	 {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "main"}}]
 *
 * B, E and X are spans of a thread (shape/nesting.h), b and e spans of an asynchronous
 * operation (event async). V8's samples are in the args of Profile and ProfileChunk, or
 * complete in CpuProfile; other samples are in `samples` and stackFrames next to
 * traceEvents. The default event is samples if present, then spans, then async. clang's
 * -ftime-trace has the name of a header, template or function in args.detail, and adds the sum of
 * all spans of a name as "Total NAME", which is left out.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-collapse/chrometrace/callstacks.h"
#include "fg-collapse/chrometrace/tracks.h"
#include "fg-collapse/v8/cpusamples.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/memo.h"
#include "fg-collapse/chrometrace/nesting.h"
#include "fg-collapse/shape/scan.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* Slots of the memo of names: initially, and at most. */
#define MEMO_SLOTS (1u << 6)
#define MEMO_MAX (1u << 16)

/* V8's samples of a thread; their chunks have the same pid and id. */
struct cpu {
	uint32_t track;
	struct cpusamples samples;
};

/* The current event. */
struct event {
	char phase;
	struct text name, pid, tid, id, category, title; /* title: args.name */
	struct text callers; /* args."Call stack" */
	struct text subject; /* args.detail */
	bool summary; /* args has an average */
	struct json_number time, lasts, cpu_lasts;
	uint64_t detail;
	uint64_t frame; /* key sf: frame_id of a stack frame */
};

struct trace {
	struct reader *reader;
	bool is_object; /* not a bare array of events */
	struct event event;
	struct cpusamples piece; /* samples in the args of the current event */
	struct tracks tracks;
	struct memo names; /* names of spans: their numbers in the tree */
	struct callstacks callers;
	struct cpu *cpu;
	uint32_t ncpu, capcpu;
	struct slice *slice;
	size_t nslice, capslice;
	struct v8 frames; /* stackFrames */
	struct taken { /* a sample that refers to stackFrames */
		int64_t time;
		uint64_t frame;
		uint32_t track;
	} * sample;
	size_t nsample, capsample;
	uint64_t partial; /* events without a needed key */
	uint64_t odd; /* ends without a matching open span */
	struct text python; /* a Python name, rewritten */
};

/* Track of the current event. */
static uint32_t
track_of(struct trace *t, enum track_kind kind)
{
	const struct event *e = &t->event;
	struct track_ids ids = {text_as_str(&e->pid), text_as_str(&e->tid), text_as_str(&e->id),
	    text_as_str(&e->category)};

	return tracks_find(&t->tracks, &ids, kind);
}

/* Reads args.data, which may contain a piece of a profile. */
static void
read_data(struct json *j, struct trace *t)
{
	struct str key;

	if (json_kind(j) != JSON_OBJECT) {
		json_digest(j, &t->event.detail);
		return;
	}
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "cpuProfile"))
			cpusamples_read(j, &t->piece);
		else if (str_is(key, "timeDeltas"))
			json_numbers(j, &t->piece.deltas);
		else if (str_is(key, "startTime"))
			json_number(j, &t->piece.start);
		else if (str_is(key, "endTime"))
			json_number(j, &t->piece.end);
		else
			json_digest(j, &t->event.detail);
}

static void
read_args(struct json *j, struct trace *t)
{
	struct str key;

	if (json_kind(j) != JSON_OBJECT) {
		json_digest(j, &t->event.detail);
		return;
	}
	for (bool any = json_object(j); any && json_key(j, &key);) {
		t->event.detail = hash_number(t->event.detail) + hash_bytes(key.s, key.len);
		if (str_is(key, "data"))
			read_data(j, t);
		else if (str_is(key, "name") && json_kind(j) == JSON_STRING) {
			json_keep(j, &t->event.title);
			t->event.detail += hash_bytes(t->event.title.s, t->event.title.len);
		} else if (str_is(key, "Call stack") && json_kind(j) == JSON_STRING)
			json_keep(j, &t->event.callers);
		else if (str_is(key, "detail") && json_kind(j) == JSON_STRING)
			json_keep(j, &t->event.subject);
		else if (str_is(key, "avg ms")) {
			t->event.summary = true;
			json_skip(j);
		} else
			json_digest(j, &t->event.detail);
	}
}

/* Reads {"local": "0x1"} or {"global": "0x1"}. */
static void
read_id(struct json *j, struct text *id)
{
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);)
		json_keep(j, id);
}

/* Hash of a frame's id, which is a string. */
static uint64_t
frame_id(struct str s)
{
	return hash_bytes(s.s, s.len);
}

/* Reads an event or a sample, by hand: a table takes 11 % more instructions for a trace. */
static bool
read_keys(struct json *j, struct trace *t)
{
	struct event *e = &t->event;
	struct text *text[] = {
	    &e->name, &e->pid, &e->tid, &e->id, &e->category, &e->title, &e->callers, &e->subject};
	struct str key, s;

	if (!json_object(j))
		return false;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		text_cut(text[i], 0);
	e->phase = '\0';
	e->time = e->lasts = e->cpu_lasts = JSON_NO_NUMBER;
	e->detail = e->frame = 0;
	e->summary = false;
	while (json_key(j, &key))
		if (str_is(key, "name"))
			json_keep(j, &e->name);
		else if (str_is(key, "pid"))
			json_keep(j, &e->pid);
		else if (str_is(key, "tid"))
			json_keep(j, &e->tid);
		else if (str_is(key, "id"))
			json_keep(j, &e->id);
		else if (str_is(key, "id2"))
			read_id(j, &e->id);
		else if (str_is(key, "cat"))
			json_keep(j, &e->category);
		else if (str_is(key, "ph"))
			e->phase = json_text(j, &s) && s.len == 1 ? s.s[0] : '\0';
		else if (str_is(key, "ts"))
			json_number(j, &e->time);
		else if (str_is(key, "dur"))
			json_number(j, &e->lasts);
		else if (str_is(key, "tdur"))
			json_number(j, &e->cpu_lasts);
		else if (str_is(key, "sf"))
			e->frame = json_text(j, &s) ? frame_id(s) : 0;
		else if (str_is(key, "args"))
			read_args(j, t);
		else
			json_skip(j);
	return true;
}

/* Number of the event's name in the tree. */
static uint32_t
name_of(struct trace *t)
{
	struct frame f = {.function = text_as_str(&t->event.name)};
	bool python = str_is(text_as_str(&t->event.category), "python_function");
	XXH128_hash_t hash = hash_bytes128(f.function.s, f.function.len);
	struct memo_key key = {hash.low64 ^ python, hash.high64};
	uint32_t name = memo_find(&t->names, key);

	if (name == 0) {
		if (python)
			f.function = callstacks_frame_text(&t->python, f.function);
		name = sample_name(t->reader->sampler, &f);
		if (memo_full(&t->names))
			memo_clear(&t->names);
		memo_put(&t->names, key, name);
	}
	return name;
}

static void
add_slice(struct trace *t, enum slice_kind kind, uint32_t track)
{
	const struct event *e = &t->event;
	struct slice s = {json_us(e->time), json_us(e->lasts.v > 0 ? e->lasts : e->cpu_lasts),
	    e->detail, 0, track, kind};

	if (s.lasts < 0)
		s.lasts = 0;
	if (kind != SLICE_END || e->name.len > 0)
		s.name = name_of(t);
	vec_fit(t->slice, t->capslice, t->nslice + 1);
	if (t->nslice == UINT32_MAX)
		cli_die("%s: too many events", lines_name(t->reader->lines));
	if (kind == SLICE_WHOLE)
		callstacks_add(&t->callers, text_as_str(&e->callers), (uint32_t)t->nslice);
	t->slice[t->nslice++] = s;
	t->tracks.track[track].slices++;
	t->tracks.track[track].python |= str_is(text_as_str(&e->category), "python_function");
}

static void
add_metadata(struct trace *t)
{
	struct event *e = &t->event;
	struct text *name;
	uint32_t track;

	if (!str_is(text_as_str(&e->name), "thread_name") &&
	    !str_is(text_as_str(&e->name), "process_name"))
		return;
	track = track_of(t, e->name.s[0] == 't' ? TRACK_THREAD : TRACK_PROCESS);
	name = &t->tracks.track[track].name;
	text_cut(name, 0);
	text_str(name, text_as_str(&e->title));
}

static struct cpu *
add_cpu(struct trace *t, uint32_t track)
{
	struct cpu *c;

	vec_fit(t->cpu, t->capcpu, (size_t)t->ncpu + 1);
	c = &t->cpu[t->ncpu++];
	*c = (struct cpu){.track = track};
	cpusamples_init(&c->samples, t->reader);
	return c;
}

/* Appends the piece to the V8 samples of its thread. */
static void
handle_piece(struct trace *t)
{
	struct str name = text_as_str(&t->event.name);
	uint32_t track = track_of(t, TRACK_THREAD), key;
	struct cpu *c;

	if (str_is(name, "CpuProfile")) {
		c = add_cpu(t, track);
	} else if (str_is(name, "Profile") || str_is(name, "ProfileChunk")) {
		key = track_of(t, TRACK_CPU);
		if (t->tracks.track[key].cpu == 0) {
			add_cpu(t, track);
			t->tracks.track[key].cpu = t->ncpu;
		}
		c = &t->cpu[t->tracks.track[key].cpu - 1];
		if (str_is(name, "Profile")) /* chunks are written by another thread */
			c->track = track;
	} else {
		return;
	}
	cpusamples_append(&c->samples, &t->piece);
}

static void
add_whole(struct trace *t)
{
	struct event *e = &t->event;

	if (e->summary && text_starts(e->name.s, e->name.len, "Total ")) {
		sample_leave_out(t->reader->sampler, 1);
		return;
	}
	if (t->is_object && e->subject.len > 0) { /* clang writes no bare array */
		text_puts(&e->name, ": ");
		text_str(&e->name, text_as_str(&e->subject));
	}
	add_slice(t, SLICE_WHOLE, track_of(t, TRACK_THREAD));
}

/* True for a span without its name, thread, or operation; the end of a span needs no name. */
static bool
is_partial(const struct event *e)
{
	switch (e->phase) {
	case 'B':
	case 'X': return e->name.len == 0 || e->pid.len == 0 || e->tid.len == 0;
	case 'E': return e->pid.len == 0 || e->tid.len == 0;
	case 'b': return e->name.len == 0 || e->id.len == 0;
	case 'e': return e->id.len == 0;
	default: return false;
	}
}

static void
read_event(struct json *j, void *to)
{
	struct trace *t = to;

	if (!read_keys(j, t))
		return;
	if (t->event.phase == '\0' ||
	    (strchr("BEXbe", t->event.phase) != NULL && !json_is_number(t->event.time)) ||
	    (t->event.phase == 'X' && !json_is_number(t->event.lasts) &&
		!json_is_number(t->event.cpu_lasts))) {
		json_malformed(j, "an event without its phase, time or duration");
		return;
	}
	t->partial += is_partial(&t->event);
	switch (t->event.phase) {
	case 'B': add_slice(t, SLICE_BEGIN, track_of(t, TRACK_THREAD)); break;
	case 'E': add_slice(t, SLICE_END, track_of(t, TRACK_THREAD)); break;
	case 'X': add_whole(t); break;
	case 'b': add_slice(t, SLICE_BEGIN, track_of(t, TRACK_OPERATION)); break;
	case 'e': add_slice(t, SLICE_END, track_of(t, TRACK_OPERATION)); break;
	case 'M': add_metadata(t); break;
	case 'I':
	case 'P': handle_piece(t); break;
	}
}

/* Reads "7": {"name": "f", "category": "JavaScript", "parent": 3}. */
static void
read_frames(struct json *j, void *to)
{
	struct trace *t = to;
	struct text *name = &t->event.name;
	struct str key, s;

	for (bool any = json_object(j); any && json_key(j, &key);) {
		uint64_t id = frame_id(key), parent = 0;
		bool below = false;

		text_cut(name, 0);
		for (bool more = json_object(j); more && json_key(j, &key);)
			if (str_is(key, "name")) {
				json_keep(j, name);
			} else if (str_is(key, "parent")) {
				below = json_text(j, &s);
				parent = below ? frame_id(s) : 0;
			} else {
				json_skip(j);
			}
		v8_add(&t->frames, id, text_as_str(name), below ? &parent : NULL);
	}
}

static void
read_sample(struct json *j, void *to)
{
	struct trace *t = to;

	if (!read_keys(j, t))
		return;
	vec_fit(t->sample, t->capsample, t->nsample + 1);
	t->sample[t->nsample++] =
	    (struct taken){json_us(t->event.time), t->event.frame, track_of(t, TRACK_THREAD)};
}

static void
read_trace(struct json *j, struct trace *t)
{
	static const struct json_field fields[] = {
	    JSON_EACH("traceEvents", read_event),
	    JSON_EACH("samples", read_sample),
	    JSON_READ("stackFrames", read_frames),
	};

	t->is_object = json_kind(j) != JSON_ARRAY;
	if (t->is_object)
		json_fields(j, fields, t);
	else
		for (bool any = json_array(j); any && json_item(j);)
			read_event(j, t);
}

static void
pass_cpu(struct trace *t)
{
	for (uint32_t i = 0; i < t->ncpu; i++) {
		struct cpu *c = &t->cpu[i];
		struct sample_task task = tracks_task(&t->tracks, c->track);

		cpusamples_take(&c->samples, &task, false);
		cpusamples_free(&c->samples);
	}
}

static int
compare_samples(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return (x->time > y->time) - (x->time < y->time);
}

/* Takes the samples of stackFrames. A sample lasts until the next one of its thread. */
static void
pass_samples(struct trace *t)
{
	struct sampler *s = t->reader->sampler;
	uint32_t samples, us;

	if (t->nsample == 0)
		return;
	samples = sampler_event(s, str_of("samples"), str_of("samples"));
	us = sampler_event(s, str_of("us"), str_of("us"));
	sampler_values(s, samples, FOLDED_SAMPLED);
	sampler_values(s, us, FOLDED_SAMPLED);
	v8_join(&t->frames);
	sort_items(t->sample, t->nsample, sizeof *t->sample, compare_samples);
	for (size_t i = 0; i < t->nsample; i++) {
		const struct taken *x = &t->sample[i], *next = x + 1;
		struct sample_task task = tracks_task(&t->tracks, x->track);
		struct sample_weight w[] = {{samples, VALUE_ONE}, {us, 0}};

		if (i + 1 < t->nsample && next->track == x->track)
			w[1].weight = (value)(next->time - x->time) * (VALUE_ONE / 1000);
		prefixtable_task(&t->frames.tree, &task);
		prefixtable_sample(&t->frames.tree,
		    x->frame == 0 ? PREFIXTABLE_NONE : v8_node(&t->frames, x->frame), w, 2,
		    x->time >= 0 ? (uint64_t)x->time : SAMPLE_NO_TIME);
	}
}

/* Inserts the slices of operators' callers. */
static void
add_callers(struct trace *t)
{
	bool *skip = cli_alloc((size_t)t->tracks.n + 1, sizeof *skip);

	for (uint32_t i = 0; i < t->tracks.n; i++) {
		skip[i] = t->tracks.track[i].python;
		t->tracks.track[i].slices = 0;
	}
	t->slice = callstacks_insert(&t->callers, t->slice, &t->nslice, skip);
	if (t->nslice > UINT32_MAX)
		cli_die("%s: too many events", lines_name(t->reader->lines));
	for (size_t i = 0; i < t->nslice; i++)
		t->tracks.track[t->slice[i].track].slices++;
	free(skip);
}

/* Takes all spans of threads, or of operations, track by track. */
static void
pass_slices(struct trace *t, bool async)
{
	struct sampler *sampler = t->reader->sampler;
	uint32_t *order = cli_alloc(t->nslice, sizeof *order), number = 0;
	size_t *at = cli_alloc(t->tracks.n, sizeof *at), n = 0;
	struct spans spans;
	int64_t first = 0;
	bool any = false;

	for (uint32_t i = 0; i < t->tracks.n; i++) {
		at[i] = n;
		n += t->tracks.track[i].slices;
	}
	for (; number < t->nslice; number++) {
		const struct slice *s = &t->slice[number];

		if (s->time < first)
			first = s->time;
		any |= t->tracks.track[s->track].async == async;
		order[at[s->track]++] = number;
	}
	if (any) {
		uint32_t event =
		    sampler_event(sampler, str_of(async ? "async" : "spans"), str_of("us"));
		uint64_t odd = 0;

		spans_init(&spans, sampler, event, 1000);
		for (uint32_t i = 0; i < t->tracks.n; i++) {
			const struct track *k = &t->tracks.track[i];
			struct sample_task task = tracks_task(&t->tracks, i);

			if (k->async == async && k->slices > 0)
				odd += nesting_take(&spans, &task, t->slice,
				    order + at[i] - k->slices, k->slices, first);
		}
		spans_free(&spans);
		if (sampler_has_column(sampler, event)) /* not of events that are left out */
			t->odd += odd;
	}
	free(order);
	free(at);
}

static void
free_trace(struct trace *t)
{
	struct text *text[] = {&t->event.name, &t->event.pid, &t->event.tid, &t->event.id,
	    &t->event.category, &t->event.title, &t->event.callers, &t->event.subject, &t->python};

	for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
		text_free(text[i]);
	cpusamples_free(&t->piece);
	v8_free(&t->frames);
	tracks_free(&t->tracks);
	memo_free(&t->names);
	callstacks_free(&t->callers);
	free(t->cpu);
	free(t->slice);
	free(t->sample);
}

static void
read_document(struct reader *r, struct json *j)
{
	struct trace t = {.reader = r};

	json_open_ended(j);
	cpusamples_init(&t.piece, r);
	v8_init(&t.frames, r->sampler);
	memo_init(&t.names, MEMO_SLOTS, MEMO_MAX);
	callstacks_init(&t.callers, r->sampler);
	read_trace(j, &t);
	pass_cpu(&t);
	pass_samples(&t);
	add_callers(&t);
	pass_slices(&t, false);
	pass_slices(&t, true);
	if (t.partial > 0)
		cli_note("%s: %llu begin or end events have no name, pid, tid or id",
		    lines_name(r->lines), (unsigned long long)t.partial);
	if (t.odd > 0)
		cli_note("%s: %llu begin or end events without a counterpart were skipped",
		    lines_name(r->lines), (unsigned long long)t.odd);
	free_trace(&t);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "traceEvents", "*.ph", "traceEvents.*.ph", "stackFrames.*.name", "samples.*.sf"};

	return json_find(data, len, path) != 0 ? 97 : 0;
}

const struct format chrometrace_format = {
    .provides = DATA_TASK | DATA_SOURCE | DATA_TIMES | DATA_EVENT | DATA_COUNT,
    .single = true,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
