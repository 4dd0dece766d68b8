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

struct trace {
	struct reader *reader;
	struct places places;
	struct latestacks stacks;
	struct intmap sequences; /* by id: struct sequence */
	struct intmap threads; /* by tid: struct who */
	struct intmap processes; /* by pid: struct who */
	uint64_t lost, skipped;
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

static void
read_process_tree(struct trace *t, const struct protobuf *outer, const struct protobuf_field *field)
{
	struct protobuf walk, inner;
	struct protobuf_field f, g;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) {
		uint64_t id = 0, pid = 0;
		struct str name = {0};

		if (f.wire != PROTOBUF_BYTES || (f.number != 1 && f.number != 2))
			continue;
		protobuf_enter(&inner, &walk, &f);
		while (protobuf_next(&inner, &g)) {
			if (g.number == 1)
				id = g.n;
			else if (g.number == (f.number == 1 ? 3 : 2) && name.len == 0)
				name = g.bytes;
			else if (f.number == 2 && g.number == 3)
				pid = g.n;
		}
		if (f.number == 1) {
			set_name(who_of(&t->processes, id), name);
		} else {
			who_of(&t->threads, id)->pid = pid;
			set_name(who_of(&t->threads, id), name);
		}
	}
}

/* Reads a ThreadDescriptor: the thread that the samples of a sequence belong to. */
static void
read_thread(struct trace *t, struct sequence *s, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct protobuf walk;
	struct protobuf_field f;
	struct str name = {0};

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case 1: s->pid = f.n; break;
		case 2: s->tid = f.n; break;
		case 5: name = f.bytes; break;
		case 6: s->time = f.n * 1000; break;
		}
	who_of(&t->threads, s->tid)->pid = s->pid;
	set_name(who_of(&t->threads, s->tid), name);
}

static uint32_t
event(struct trace *t, const char *name, const char *unit)
{
	uint32_t event = sampler_event(t->reader->sampler, str_of(name), str_of(unit));

	if (strcmp(unit, FOLDED_SAMPLES) == 0)
		sampler_values(t->reader->sampler, event, FOLDED_SAMPLED);
	return event;
}

static void
read_perf_sample(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	uint64_t pid = 0, tid = 0, stack = 0, lost = 0;
	struct protobuf walk;
	struct protobuf_field f;
	bool skipped = false;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case 2: pid = f.n; break;
		case 3: tid = f.n; break;
		case 4: stack = f.n; break;
		case 17: lost = f.n; break;
		case 18: skipped = true; break;
		}
	t->lost += lost;
	t->skipped += skipped;
	if (skipped || lost > 0)
		return;
	if (pid != 0)
		who_of(&t->threads, tid)->pid = pid;
	latestacks_add(&t->stacks, tid, event(t, "perf", FOLDED_SAMPLES),
	    sequence_stack(s, &t->stacks, stack), time, VALUE_ONE);
}

/* Reads a TaskContext: the thread of a sample, for latestacks. */
static uint64_t
read_task(struct trace *t, struct str bytes)
{
	uint64_t pid = 0, tid = 0;
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f))
		if (f.number == 2)
			pid = f.n;
		else if (f.number == 3)
			tid = f.n;
	if (tid == 0)
		return pid | WHOLE_PROCESS;
	if (pid != 0)
		who_of(&t->threads, tid)->pid = pid;
	return tid;
}

/* Returns the event of a CounterDescriptor, and the factor of its weights. */
static uint32_t
read_counter(struct trace *t, struct str bytes, uint64_t *factor)
{
	static const char *const units[] = {"", "ns", "cycles", "instructions", "bytes",
	    "page-faults", "cache-misses", "cache-references", "branch-misses", ""};
	struct str name = {0}, unit = {0};
	struct protobuf walk;
	struct protobuf_field f;
	uint32_t number;

	*factor = 1;
	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case 2: name = f.bytes; break;
		case 3:
			if (f.n < sizeof units / sizeof units[0])
				unit = str_of(units[f.n]);
			break;
		case 4: unit = f.bytes; break;
		case 5: *factor = f.n; break;
		}
	number = sampler_event(t->reader->sampler, name.len > 0 ? name : str_of("weight"), unit);
	sampler_values(t->reader->sampler, number, FOLDED_SAMPLED);
	return number;
}

/* The counters of a sample: the descriptors of its weights, in their order. */
struct counters {
	struct str descriptor[16];
	size_t n;
};

static void
add_counter(struct counters *c, struct str descriptor)
{
	if (c->n < sizeof c->descriptor / sizeof c->descriptor[0])
		c->descriptor[c->n++] = descriptor;
}

/*
 * Reads a StackSample. Its weight is that of the primary counter, else 1; further counters are
 * events too. Task, stack and counters are in the message, or interned; the sequence has default
 * counters.
 */
static void
read_stack_sample(struct trace *t, struct sequence *s, uint64_t time, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct str task = {0}, primary = {0};
	struct counters inlined = {0}, interned = {0}, defaults = {0}, *followers;
	uint32_t node = LATESTACKS_ROOT, number;
	uint64_t weight = 1, factor = 1, n, thread;
	struct protobuf walk;
	struct protobuf_field f;
	bool weighed = false;
	size_t i = 0;

	protobuf_init(&walk, NULL, text_as_str(&s->defaults), 0);
	while (protobuf_next(&walk, &f))
		if (f.number == 2)
			primary = f.bytes;
		else if (f.number == 3)
			add_counter(&defaults, f.bytes);
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case 1: task = f.bytes; break;
		case 2: task = sequence_message(s, INTERNED_TASK, f.n); break;
		case 5: node = sequence_inline_stack(&t->places, &t->stacks, &walk, &f); break;
		case 6: node = sequence_stack(s, &t->stacks, f.n); break;
		case 9: primary = f.bytes; break;
		case 10: primary = sequence_message(s, INTERNED_COUNTER, f.n); break;
		case 11:
			weight = f.n;
			weighed = true;
			break;
		case 12: add_counter(&inlined, f.bytes); break;
		case 13:
			for (size_t at = 0; protobuf_number(&f, &at, &n);)
				add_counter(&interned, sequence_message(s, INTERNED_COUNTER, n));
			break;
		}
	thread = read_task(t, task);
	number = weighed ? read_counter(t, primary, &factor) : event(t, "samples", FOLDED_SAMPLES);
	latestacks_add(
	    &t->stacks, thread, number, node, time, humannumber_scale(value_of(weight), factor, 1));
	followers = inlined.n > 0 ? &inlined : interned.n > 0 ? &interned : &defaults;
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		for (size_t at = 0;
		     f.number == 14 && protobuf_number(&f, &at, &n) && i < followers->n; i++) {
			number = read_counter(t, followers->descriptor[i], &factor);
			latestacks_add(&t->stacks, thread, number, node, time,
			    humannumber_scale(value_of(n), factor, 1));
		}
}

/* Stores the StackSampleDefaults of TracePacketDefaults. */
static void
read_defaults(struct sequence *s, const struct protobuf *outer, const struct protobuf_field *field)
{
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		if (f.number == 100 && f.wire == PROTOBUF_BYTES) {
			text_cut(&s->defaults, 0);
			text_str(&s->defaults, f.bytes);
		}
}

static void
read_streaming(struct trace *t, struct sequence *s, const struct protobuf *outer,
    const struct protobuf_field *field)
{
	struct protobuf walk;
	struct protobuf_field f;
	uint64_t *stack = NULL, n;
	size_t nstack = 0, cap = 0, i = 0;
	uint32_t number = event(t, "cpu profile", FOLDED_SAMPLES);

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		for (size_t at = 0; f.number == 1 && protobuf_number(&f, &at, &n);) {
			vec_fit(stack, cap, nstack + 1);
			stack[nstack++] = n;
		}
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f)) /* the time of each, relative to the previous one */
		for (size_t at = 0; f.number == 2 && protobuf_number(&f, &at, &n) && i < nstack;
		     i++) {
			s->time += n * 1000;
			latestacks_add(&t->stacks, s->tid, number,
			    sequence_stack(s, &t->stacks, stack[i]), s->time, VALUE_ONE);
		}
	for (; i < nstack; i++)
		latestacks_add(&t->stacks, s->tid, number, sequence_stack(s, &t->stacks, stack[i]),
		    s->time > 0 ? s->time : SAMPLE_NO_TIME, VALUE_ONE);
	free(stack);
}

/* Reads a HeapSample of heapprofd: allocations of a process since its start, and frees of them. */
static void
read_heap_sample(struct trace *t, struct sequence *s, const struct dump *d,
    const struct protobuf *outer, const struct protobuf_field *field)
{
	static const struct {
		const char *what, *unit;
	} kinds[] = {{"unreleased bytes", "bytes"}, {"allocated bytes", "bytes"},
	    {"allocations", "allocations"}, {"bytes at the peak", "bytes"}};
	uint64_t v[10] = {0}, weight[4];
	struct protobuf walk;
	struct protobuf_field f;
	struct text name = {0};
	uint32_t node;

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		if (f.number < sizeof v / sizeof v[0])
			v[f.number] = f.n;
	weight[0] = v[2] > v[3] ? v[2] - v[3] : 0;
	weight[1] = v[2];
	weight[2] = v[5];
	weight[3] = v[8];
	node = sequence_stack(s, &t->stacks, v[1]);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (weight[i] == 0)
			continue;
		text_cut(&name, 0);
		text_str(&name, d->heap.len > 0 ? d->heap : str_of("libc.malloc"));
		text_printf(&name, " %s", kinds[i].what);
		latestacks_add(&t->stacks, d->pid | WHOLE_PROCESS, event(t, name.s, kinds[i].unit),
		    node, d->time, value_of(weight[i]));
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

	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		switch (f.number) {
		case 1: d.pid = f.n; break;
		case 9: d.time = f.n; break;
		case 11: d.heap = f.bytes; break;
		}
	protobuf_enter(&walk, outer, field);
	while (protobuf_next(&walk, &f))
		if (f.number == 2 && f.wire == PROTOBUF_BYTES)
			read_heap_sample(t, s, &d, &walk, &f);
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
			read_defaults(s, &walk, &f);
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
