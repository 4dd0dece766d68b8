/*
 * perfetto: Perfetto's protobuf traces: perf samples (traced_perf), CPU profiles of Chrome
 * (streaming profiles), heapprofd's dumps, and StackSample, which any profiler may write. A trace
 * is a sequence of packets (protos/perfetto/trace/trace_packet.proto), read one by one; most are
 * not about profiles. Strings, frames and stacks are interned per packet sequence and may be
 * replaced there, so each stack is resolved at its sample. Symbols appended to the file
 * (ModuleSymbols) are used at the end.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/perfetto/sequence.h"
#include "fg-collapse/shape/bytestream.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/protobuf.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

#define INFLATED_MAX ((size_t)64 << 20) /* limit for one packet of compressed packets */

enum packet_field {
	PROCESS_TREE = 2,
	TIMESTAMP = 8,
	SEQUENCE = 10,
	INTERNED_DATA = 12,
	SEQUENCE_FLAGS = 13,
	PROFILE_PACKET = 37,
	STATE_CLEARED = 41,
	THREAD_DESCRIPTOR = 44,
	COMPRESSED = 50,
	STREAMING_PROFILE = 54,
	DEFAULTS = 59,
	MODULE_SYMBOLS = 61,
	PERF_SAMPLE = 66,
	STACK_SAMPLE = 135,
};

/* A message StackSample, or the defaults for the next ones of a sequence. */
struct stack_sample {
	struct str task, stack, primary; /* messages */
	uint64_t task_id, stack_id, primary_id, weight; /* or ABSENT */
	struct protobuf_texts followers; /* counters of further values */
	struct protobuf_numbers follower_ids, values;
};

struct trace {
	struct reader *reader;
	struct places places;
	struct latestacks stacks;
	struct intmap sequences; /* by id: struct sequence */
	struct intmap threads; /* by tid: struct who */
	struct intmap processes; /* by pid: struct who */
	uint64_t lost, skipped;
	struct stack_sample sample, defaults; /* the current ones */
	struct text pid, tid;
	unsigned depth; /* nesting of compressed packets */
};

struct who {
	char *name;
	uint64_t pid;
};

/* Flag of a number that is a pid, not a tid: samples of heapprofd belong to processes. */
#define WHOLE_PROCESS (UINT64_C(1) << 63)

static struct who *
who_of(struct intmap *m, uint64_t id)
{
	void **at = intmap_at(m, id);

	if (*at == NULL)
		*at = cli_alloc(1, sizeof(struct who));
	return *at;
}

static void
set_name(struct who *w, struct str name)
{
	if (name.len == 0)
		return;
	free(w->name);
	w->name = str_copy(name);
}

static struct sequence *
sequence_of(struct trace *t, uint64_t id)
{
	void **at = intmap_at(&t->sequences, id);

	if (*at == NULL)
		*at = cli_alloc(1, sizeof(struct sequence));
	return *at;
}

/* Processes and threads, in a ProcessTree. */
struct named {
	uint64_t id, pid;
	struct protobuf_texts name;
};
static const struct protobuf_member process_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct named, id),
    [3] = PROTOBUF_MEMBER(TEXTS, struct named, name), /* command line */
};
static const struct protobuf_member thread_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct named, id),
    [2] = PROTOBUF_MEMBER(TEXTS, struct named, name),
    [3] = PROTOBUF_MEMBER(NUMBER, struct named, pid),
};

static void
read_process_tree(struct trace *t, const struct protobuf *outer, const struct protobuf_field *field)
{
	struct named m = {0};
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) {
		struct who *w;

		m.id = m.pid = m.name.n = 0;
		if (f.number == 1 && protobuf_message(&walk, &f, process_members, &m)) {
			w = who_of(&t->processes, m.id);
		} else if (f.number == 2 && protobuf_message(&walk, &f, thread_members, &m)) {
			w = who_of(&t->threads, m.id);
			w->pid = m.pid;
		} else {
			continue;
		}
		if (m.name.n > 0)
			set_name(w, m.name.at[0]);
	}
	free(m.name.at);
}

struct thread_descriptor {
	uint64_t pid, tid, time; /* us */
	struct str name;
};
static const struct protobuf_member thread_descriptor[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct thread_descriptor, pid),
    [2] = PROTOBUF_MEMBER(NUMBER, struct thread_descriptor, tid),
    [5] = PROTOBUF_MEMBER(TEXT, struct thread_descriptor, name),
    [6] = PROTOBUF_MEMBER(NUMBER, struct thread_descriptor, time),
};

/* Reads a ThreadDescriptor: the thread that the samples of a sequence belong to. */
static void
read_thread(struct trace *t, struct sequence *s, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	struct thread_descriptor m = {.pid = s->pid, .tid = s->tid, .time = s->time / 1000};

	if (!protobuf_message(outer, f, thread_descriptor, &m))
		return;
	s->pid = m.pid;
	s->tid = m.tid;
	s->time = m.time * 1000;
	who_of(&t->threads, s->tid)->pid = s->pid;
	set_name(who_of(&t->threads, s->tid), m.name);
}

static uint32_t
event(struct trace *t, const char *name, const char *unit)
{
	uint32_t event = sampler_event(t->reader->sampler, str_of(name), str_of(unit));

	if (strcmp(unit, FOLDED_SAMPLES) == 0)
		sampler_values(t->reader->sampler, event, FOLDED_SAMPLED);
	return event;
}

#define ABSENT UINT64_MAX

struct perf_sample {
	uint64_t pid, tid, stack, lost, skipped; /* skipped: its reason, or ABSENT */
};
static const struct protobuf_member perf_sample[] = {
    [2] = PROTOBUF_MEMBER(NUMBER, struct perf_sample, pid),
    [3] = PROTOBUF_MEMBER(NUMBER, struct perf_sample, tid),
    [4] = PROTOBUF_MEMBER(NUMBER, struct perf_sample, stack),
    [17] = PROTOBUF_MEMBER(NUMBER, struct perf_sample, lost),
    [18] = PROTOBUF_MEMBER(NUMBER, struct perf_sample, skipped),
};

static void
read_perf_sample(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	struct perf_sample m = {.skipped = ABSENT};

	if (!protobuf_message(outer, f, perf_sample, &m))
		return;
	t->lost += m.lost;
	t->skipped += m.skipped != ABSENT;
	if (m.skipped != ABSENT || m.lost > 0)
		return;
	if (m.pid != 0)
		who_of(&t->threads, m.tid)->pid = m.pid;
	latestacks_add(&t->stacks, m.tid, event(t, "perf", FOLDED_SAMPLES),
	    sequence_stack(s, &t->stacks, m.stack), time, VALUE_ONE);
}

/* Messages of StackSample. */
struct task_context {
	uint64_t pid, tid;
};
static const struct protobuf_member task_context[] = {
    [2] = PROTOBUF_MEMBER(NUMBER, struct task_context, pid),
    [3] = PROTOBUF_MEMBER(NUMBER, struct task_context, tid),
};

struct counter {
	struct str name, unit;
	uint64_t known_unit, factor;
};
static const struct protobuf_member counter[] = {
    [2] = PROTOBUF_MEMBER(TEXT, struct counter, name),
    [3] = PROTOBUF_MEMBER(NUMBER, struct counter, known_unit),
    [4] = PROTOBUF_MEMBER(TEXT, struct counter, unit),
    [5] = PROTOBUF_MEMBER(NUMBER, struct counter, factor),
};

static const struct protobuf_member stack_sample_members[] = {
    [1] = PROTOBUF_MEMBER(TEXT, struct stack_sample, task),
    [2] = PROTOBUF_MEMBER(NUMBER, struct stack_sample, task_id),
    [5] = PROTOBUF_MEMBER(TEXT, struct stack_sample, stack),
    [6] = PROTOBUF_MEMBER(NUMBER, struct stack_sample, stack_id),
    [9] = PROTOBUF_MEMBER(TEXT, struct stack_sample, primary),
    [10] = PROTOBUF_MEMBER(NUMBER, struct stack_sample, primary_id),
    [11] = PROTOBUF_MEMBER(NUMBER, struct stack_sample, weight),
    [12] = PROTOBUF_MEMBER(TEXTS, struct stack_sample, followers),
    [13] = PROTOBUF_MEMBER(NUMBERS, struct stack_sample, follower_ids),
    [14] = PROTOBUF_MEMBER(NUMBERS, struct stack_sample, values),
};
/* StackSampleDefaults, for the next ones of the sequence. */
static const struct protobuf_member stack_defaults[] = {
    [2] = PROTOBUF_MEMBER(TEXT, struct stack_sample, primary),
    [3] = PROTOBUF_MEMBER(TEXTS, struct stack_sample, followers),
};
static const struct protobuf_member packet_defaults[] = {
    [100] = PROTOBUF_MEMBER(TEXT, struct stack_sample, stack), /* StackSampleDefaults */
};

/* Reads a TaskContext into *thread, the thread of a sample, for latestacks. */
static bool
read_task(struct trace *t, struct str bytes, uint64_t *thread)
{
	struct task_context m = {0};

	if (!protobuf_read(bytes, task_context, PROTOBUF_ROWS(task_context), &m))
		return false;
	*thread = m.tid == 0 ? m.pid | WHOLE_PROCESS : m.tid;
	if (m.tid != 0 && m.pid != 0)
		who_of(&t->threads, m.tid)->pid = m.pid;
	return true;
}

/* Reads a CounterDescriptor: its event, and the factor of its weights. */
static bool
read_counter(struct trace *t, struct str bytes, uint32_t *number, uint64_t *factor)
{
	static const char *const units[] = {"", "ns", "cycles", "instructions", "bytes",
	    "page-faults", "cache-misses", "cache-references", "branch-misses", ""};
	struct sampler *s = t->reader->sampler;
	struct counter m = {.factor = 1};

	if (!protobuf_read(bytes, counter, PROTOBUF_ROWS(counter), &m))
		return false;
	if (m.unit.s == NULL && m.known_unit < sizeof units / sizeof units[0])
		m.unit = str_of(units[m.known_unit]);
	*number = sampler_event(s, m.name.len > 0 ? m.name : str_of("weight"), m.unit);
	*factor = m.factor;
	sampler_values(s, *number, FOLDED_SAMPLED);
	return true;
}

/* The counter of value i of a sample: in it, interned, or a default; no bytes: none. */
static struct str
follower(const struct sequence *s, const struct stack_sample *m,
    const struct stack_sample *defaults, size_t i)
{
	const struct protobuf_texts *x = m->followers.n > 0 ? &m->followers : &defaults->followers;

	if (m->followers.n == 0 && m->follower_ids.n > 0)
		return i < m->follower_ids.n
			   ? sequence_message(s, INTERNED_COUNTER, m->follower_ids.at[i])
			   : (struct str){0};
	return i < x->n ? x->at[i] : (struct str){0};
}

/*
 * Adds a StackSample. Its weight is that of the primary counter, else 1; further counters are
 * events too. Task, stack and counters are in the message, or interned; the sequence has default
 * counters. False if one of them is malformed.
 */
static bool
add_stack_sample(struct trace *t, struct sequence *s, uint64_t time, const struct stack_sample *m,
    const struct stack_sample *defaults)
{
	struct str task = m->task, primary = m->primary.s != NULL ? m->primary : defaults->primary;
	uint64_t thread, factor = 1, weight = m->weight == ABSENT ? 1 : m->weight;
	uint32_t node = LATESTACKS_ROOT, number;

	if (m->task_id != ABSENT)
		task = sequence_message(s, INTERNED_TASK, m->task_id);
	if (m->primary_id != ABSENT)
		primary = sequence_message(s, INTERNED_COUNTER, m->primary_id);
	if (!read_task(t, task, &thread))
		return false;
	if (m->weight == ABSENT)
		number = event(t, "samples", FOLDED_SAMPLES);
	else if (!read_counter(t, primary, &number, &factor))
		return false;
	if (m->stack_id != ABSENT)
		node = sequence_stack(s, &t->stacks, m->stack_id);
	else if (m->stack.s != NULL)
		node = sequence_inline_stack(&t->places, &t->stacks, m->stack);
	latestacks_add(
	    &t->stacks, thread, number, node, time, humannumber_scale(value_of(weight), factor, 1));
	for (size_t i = 0; i < m->values.n; i++) {
		struct str bytes = follower(s, m, defaults, i);

		if (bytes.s == NULL || !read_counter(t, bytes, &number, &factor))
			return false;
		latestacks_add(&t->stacks, thread, number, node, time,
		    humannumber_scale(value_of(m->values.at[i]), factor, 1));
	}
	return true;
}

static void
read_stack_sample(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	struct stack_sample *m = &t->sample, *defaults = &t->defaults;

	*m = (struct stack_sample){.task_id = ABSENT,
	    .stack_id = ABSENT,
	    .primary_id = ABSENT,
	    .weight = ABSENT,
	    .followers = m->followers,
	    .follower_ids = m->follower_ids,
	    .values = m->values};
	m->followers.n = m->follower_ids.n = m->values.n = 0;
	defaults->primary = (struct str){0};
	defaults->followers.n = 0;
	if (protobuf_message(outer, f, stack_sample_members, m) &&
	    (!protobuf_read(text_as_str(&s->defaults), stack_defaults,
		 PROTOBUF_ROWS(stack_defaults), defaults) ||
		!add_stack_sample(t, s, time, m, defaults)))
		reader_malformed_byte(
		    t->reader, f->offset, "a stack sample with a damaged task or counter");
}

/* Stores the StackSampleDefaults of TracePacketDefaults. */
static void
read_defaults(struct trace *t, struct sequence *s, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	struct str *bytes = &t->sample.stack;

	*bytes = (struct str){0};
	if (protobuf_message(outer, f, packet_defaults, &t->sample) && bytes->s != NULL) {
		text_cut(&s->defaults, 0);
		text_str(&s->defaults, *bytes);
	}
}

struct streaming {
	struct protobuf_numbers stack, time; /* time: us since the previous one */
};
static const struct protobuf_member streaming[] = {
    [1] = PROTOBUF_MEMBER(NUMBERS, struct streaming, stack),
    [2] = PROTOBUF_MEMBER(NUMBERS, struct streaming, time),
};

static void
read_streaming(struct trace *t, struct sequence *s, const struct protobuf *outer,
    const struct protobuf_field *f)
{
	struct streaming m = {0};
	uint32_t number = event(t, "cpu profile", FOLDED_SAMPLES);

	if (!protobuf_message(outer, f, streaming, &m))
		m.stack.n = 0;
	for (size_t i = 0; i < m.stack.n; i++) {
		if (i < m.time.n)
			s->time += m.time.at[i] * 1000;
		latestacks_add(&t->stacks, s->tid, number,
		    sequence_stack(s, &t->stacks, m.stack.at[i]),
		    i < m.time.n || s->time > 0 ? s->time : SAMPLE_NO_TIME, VALUE_ONE);
	}
	protobuf_numbers_free(&m.stack);
	protobuf_numbers_free(&m.time);
}

/* A process dump of heapprofd. */
struct dump {
	uint64_t pid, time;
	struct str heap;
};
static const struct protobuf_member dump_members[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct dump, pid),
    [9] = PROTOBUF_MEMBER(NUMBER, struct dump, time),
    [11] = PROTOBUF_MEMBER(TEXT, struct dump, heap),
};

struct heap_sample {
	uint64_t stack, allocated, freed, allocations, peak;
};
static const struct protobuf_member heap_sample[] = {
    [1] = PROTOBUF_MEMBER(NUMBER, struct heap_sample, stack),
    [2] = PROTOBUF_MEMBER(NUMBER, struct heap_sample, allocated),
    [3] = PROTOBUF_MEMBER(NUMBER, struct heap_sample, freed),
    [5] = PROTOBUF_MEMBER(NUMBER, struct heap_sample, allocations),
    [8] = PROTOBUF_MEMBER(NUMBER, struct heap_sample, peak),
};

/* Adds a HeapSample of heapprofd: allocations of a process since its start, and frees of them. */
static void
add_heap_sample(
    struct trace *t, struct sequence *s, const struct dump *d, const struct heap_sample *m)
{
	const struct {
		const char *what, *unit;
		uint64_t weight;
	} kinds[] = {
	    {"unreleased bytes", "bytes", m->allocated > m->freed ? m->allocated - m->freed : 0},
	    {"allocated bytes", "bytes", m->allocated},
	    {"allocations", "allocations", m->allocations},
	    {"bytes at the peak", "bytes", m->peak}};
	struct text name = {0};
	uint32_t node = sequence_stack(s, &t->stacks, m->stack);

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (kinds[i].weight == 0)
			continue;
		text_cut(&name, 0);
		text_str(&name, d->heap.len > 0 ? d->heap : str_of("libc.malloc"));
		text_printf(&name, " %s", kinds[i].what);
		latestacks_add(&t->stacks, d->pid | WHOLE_PROCESS, event(t, name.s, kinds[i].unit),
		    node, d->time, value_of(kinds[i].weight));
	}
	text_free(&name);
}

static void
read_dump(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct dump d = {.time = time};
	struct protobuf walk;
	struct protobuf_field f;

	if (!protobuf_message(outer, field, dump_members, &d))
		return;
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) {
		struct heap_sample m = {0};

		if (f.number == 2 && protobuf_message(&walk, &f, heap_sample, &m))
			add_heap_sample(t, s, &d, &m);
	}
}

/*
 * Reads a ProfilePacket, which has its own tables or uses those of the sequence. If a dump
 * continues in further packets, the tables may be in the last one: packets are stored until then.
 */
static void
read_profile(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct protobuf walk;
	struct protobuf_field f;
	bool continued = false;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		if (f.number == 6)
			continued = f.n != 0;
	sequence_wait(s, field->bytes, walk.offset, time);
	if (continued)
		return;
	for (size_t i = 0; i < s->nwaiting; i++) {
		protobuf_init(
		    &walk, t->reader, text_as_str(&s->waiting[i].bytes), s->waiting[i].offset);
		while (protobuf_next(&walk, &f))
			if (f.number >= 1 && f.number <= 4 && f.wire == PROTOBUF_BYTES)
				sequence_profile_table(s, &t->places, f.number, &walk, &f);
	}
	for (size_t i = 0; i < s->nwaiting; i++) {
		protobuf_init(
		    &walk, t->reader, text_as_str(&s->waiting[i].bytes), s->waiting[i].offset);
		while (protobuf_next(&walk, &f))
			if (f.number == 5 && f.wire == PROTOBUF_BYTES)
				read_dump(t, s, s->waiting[i].time, &walk, &f);
	}
	sequence_wait_end(s);
}

static void read_packets(struct trace *t, struct str bytes, uint64_t offset);

/* Decompresses the packets in a packet, a zlib stream, and reads them. */
static void
read_compressed(struct trace *t, struct str bytes, uint64_t offset)
{
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.s, .avail_in = (uInt)bytes.len};
	struct text out = {0};
	int status = Z_OK;

	if (t->depth > 0 || bytes.len > INFLATED_MAX || inflateInit(&z) != Z_OK)
		return;
	while (status == Z_OK && out.len < INFLATED_MAX) {
		text_reserve(&out, (size_t)1 << 18);
		z.next_out = (unsigned char *)out.s + out.len;
		z.avail_out = 1 << 18;
		status = inflate(&z, Z_NO_FLUSH);
		out.len += ((size_t)1 << 18) - z.avail_out;
	}
	inflateEnd(&z);
	if (status != Z_STREAM_END)
		reader_malformed_byte(t->reader, offset, "damaged compressed packets");
	t->depth++;
	read_packets(t, text_as_str(&out), offset);
	t->depth--;
	text_free(&out);
}

static void
read_packet(struct trace *t, struct str bytes, uint64_t offset)
{
	uint64_t time = SAMPLE_NO_TIME, id = 0, flags = 0, cleared = 0;
	struct protobuf walk;
	struct protobuf_field f;
	struct sequence *s;
	bool profile = false;

	protobuf_init(&walk, t->reader, bytes, offset);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case TIMESTAMP: time = f.n; break;
		case SEQUENCE: id = f.n; break;
		case SEQUENCE_FLAGS: flags = f.n; break;
		case STATE_CLEARED: cleared = f.n; break;
		case INTERNED_DATA:
		case PROFILE_PACKET:
		case THREAD_DESCRIPTOR:
		case STREAMING_PROFILE:
		case DEFAULTS:
		case STACK_SAMPLE:
		case PERF_SAMPLE: profile = true; break;
		case PROCESS_TREE: read_process_tree(t, &walk, &f); break;
		case MODULE_SYMBOLS: places_symbols(&t->places, &walk, &f); break;
		case COMPRESSED: read_compressed(t, f.bytes, f.offset); break;
		}
	if (walk.broken || walk.cut || (!profile && (flags & 1) == 0 && cleared == 0))
		return;
	s = sequence_of(t, id);
	if ((flags & 1) || cleared != 0)
		sequence_clear(s);
	protobuf_init(&walk, t->reader, bytes, offset);
	while (protobuf_next(&walk, &f)) /* these apply to the samples of the same packet too */
		if (f.number == INTERNED_DATA && f.wire == PROTOBUF_BYTES)
			sequence_interned(s, &t->places, &walk, &f);
		else if (f.number == DEFAULTS && f.wire == PROTOBUF_BYTES)
			read_defaults(t, s, &walk, &f);
		else if (f.number == THREAD_DESCRIPTOR && f.wire == PROTOBUF_BYTES)
			read_thread(t, s, &walk, &f);
	protobuf_init(&walk, t->reader, bytes, offset);
	while (protobuf_next(&walk, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		switch (f.number) {
		case PROFILE_PACKET: read_profile(t, s, time, &walk, &f); break;
		case STREAMING_PROFILE: read_streaming(t, s, &walk, &f); break;
		case PERF_SAMPLE: read_perf_sample(t, s, time, &walk, &f); break;
		case STACK_SAMPLE: read_stack_sample(t, s, time, &walk, &f); break;
		}
	}
}

static void
read_packets(struct trace *t, struct str bytes, uint64_t offset)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, t->reader, bytes, offset);
	while (protobuf_next(&walk, &f))
		if (f.number == 1 && f.wire == PROTOBUF_BYTES)
			read_packet(t, f.bytes, offset + (uint64_t)(f.bytes.s - bytes.s));
}

static struct sample_task
task_of(void *caller, uint64_t thread)
{
	struct trace *t = caller;
	bool whole = (thread & WHOLE_PROCESS) != 0;
	const struct who *w;
	uint64_t id = thread & ~WHOLE_PROCESS, pid = id;
	const char *name = NULL;

	text_cut(&t->pid, 0);
	text_cut(&t->tid, 0);
	if (!whole) {
		w = intmap_get(&t->threads, id);
		pid = w != NULL ? w->pid : 0;
		name = w != NULL ? w->name : NULL;
		if (id != 0)
			text_printf(&t->tid, "%llu", (unsigned long long)id);
	}
	if (name == NULL && (w = intmap_get(&t->processes, pid)) != NULL)
		name = w->name;
	if (pid != 0)
		text_printf(&t->pid, "%llu", (unsigned long long)pid);
	return (struct sample_task){.comm = str_of(name != NULL ? name : ""),
	    .pid = text_as_str(&t->pid),
	    .tid = text_as_str(&t->tid)};
}

static void
add_frame(void *caller, uint64_t place)
{
	struct trace *t = caller;

	places_frames(&t->places, t->reader->sampler, (uint32_t)place);
}

static void
free_who(struct intmap *m)
{
	for (size_t i = 0; i < m->size; i++) {
		struct who *w = m->slot[i].value;

		if (w != NULL)
			free(w->name);
		free(w);
	}
	free(m->slot);
}

static void
free_trace(struct trace *t)
{
	for (size_t i = 0; i < t->sequences.size; i++) {
		if (t->sequences.slot[i].value != NULL)
			sequence_free(t->sequences.slot[i].value);
		free(t->sequences.slot[i].value);
	}
	free(t->sequences.slot);
	free_who(&t->threads);
	free_who(&t->processes);
	places_free(&t->places);
	latestacks_free(&t->stacks);
	free(t->sample.followers.at);
	protobuf_numbers_free(&t->sample.follower_ids);
	protobuf_numbers_free(&t->sample.values);
	free(t->defaults.followers.at);
	text_free(&t->pid);
	text_free(&t->tid);
}

static void
read_input(struct reader *r)
{
	static const struct latestacks_names names = {task_of, add_frame};
	struct trace t = {.reader = r};
	struct bytestream b;
	const unsigned char *packet;
	uint64_t tag, size;

	bytestream_init(&b, lines_source(r->lines));
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	latestacks_init(&t.stacks, r->sampler);
	while (bytestream_varint(&b, &tag)) {
		uint64_t offset = b.offset;

		if ((tag & 7) != PROTOBUF_BYTES || !bytestream_varint(&b, &size) ||
		    (tag >> 3 != 1 && !bytestream_skip(&b, size))) {
			reader_malformed_byte(r, offset, "not a packet; the rest");
			break;
		}
		if (tag >> 3 != 1)
			continue;
		if ((packet = bytestream_read(&b, size)) == NULL) {
			reader_malformed_byte(
			    r, offset, "a packet that extends past the end of the input");
			break;
		}
		read_packet(&t, (struct str){(const char *)packet, (size_t)size}, b.offset - size);
	}
	latestacks_give(&t.stacks, &names, &t);
	if (t.lost > 0 || t.skipped > 0)
		cli_note("%s: %llu %s lost, %llu skipped by the recorder", lines_name(r->lines),
		    (unsigned long long)t.lost, text_form(t.lost, "sample was", "samples were"),
		    (unsigned long long)t.skipped);
	if (t.stacks.nsample == 0)
		cli_die("%s: the trace has no profile (perf samples, CPU profile, stack samples or "
			"heapprofd dump)",
		    lines_name(r->lines));
	bytestream_free(&b);
	free_trace(&t);
}

/*
 * Detects packets: field numbers and wire types are those of a packet, and most packets have a
 * sequence id and a time.
 */
static int
sniff(const char *data, size_t len)
{
	struct protobuf walk, packet;
	struct protobuf_field f, g;
	unsigned packets = 0, known = 0;

	protobuf_init(&walk, NULL, (struct str){data, len}, 0);
	while (packets < 64 && protobuf_next(&walk, &f)) {
		bool sequence = false;

		if (f.number != 1 || f.wire != PROTOBUF_BYTES)
			return 0;
		protobuf_init(&packet, NULL, f.bytes, 0);
		while (protobuf_next(&packet, &g)) {
			if ((g.number == TIMESTAMP || g.number == SEQUENCE ||
				g.number == SEQUENCE_FLAGS) &&
			    g.wire != PROTOBUF_VARINT)
				return 0;
			/* Profiles of OpenTelemetry have field numbers up to 3. */
			sequence |= g.number >= TIMESTAMP && g.number < 1000;
		}
		if (packet.broken || packet.cut)
			return 0;
		packets++;
		known += sequence;
	}
	/* The first packet may extend past the available bytes. */
	return walk.broken || known == 0 || 2 * known < packets ? 0 : 90;
}

const struct format perfetto_format = {
    .provides =
	DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_SOURCE | DATA_TIMES | DATA_EVENT,
    .bytes = FORMAT_BINARY,
    .sniff = sniff,
    .read = read_input,
};
