/*
 * nettrace: recordings by .NET's EventPipe, version 4 (dotnet-trace,
 * DOTNET_EnableEventPipe):
 *
 *	Nettrace, i32 20, !FastSerialization.1, then objects: tags 5 5 1, i32 version,
 *	i32 minimum reader, i32 length, type name, tag 6, content, tag 6; tag 1 is the end
 *
 * (microsoft/perfview, TraceEvent/EventPipe/EventPipeFormat.md). Samples refer to stacks
 * by id; stacks are addresses; the methods at these addresses come last, in the rundown.
 * Version 6 (.NET 10, NetTraceFormat.md) has blocks instead of objects, and a table of threads:
 *
 *	Nettrace, u32 0, u32 6, u32 minor version, then blocks: u24 size, u8 kind, content
 *
 * A recording of all processes (dotnet-trace collect-linux) is of version 6, with samples and names
 * of its own: see universal.h.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>
#include <strings.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/intmap.h"
#include "base/utf8.h"
#include "fg-collapse/nettrace/coderanges.h"
#include "fg-collapse/nettrace/universal.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/bytestream.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define MAGIC "Nettrace"
#define FAST "!FastSerialization.1"
#define TRACE_SIZE 48
#define NAME_MAX_BYTES 64
#define CPU "cpu" /* the event of samples in Universal.Events */
#define BLOCKS 6 /* version since which a file is of blocks */

enum { TAG_NULL = 1, TAG_BEGIN = 5, TAG_END = 6 };

/* Kinds of blocks of version 6. */
enum {
	BLOCK_END,
	BLOCK_TRACE,
	BLOCK_EVENTS,
	BLOCK_METADATA,
	BLOCK_POINT,
	BLOCK_STACKS,
	BLOCK_THREADS,
};

/* Kinds of events; 0 is unknown. */
enum event_kind {
	OTHER = 1,
	SAMPLE,
	METHOD,
	/* Of universal.h. VALUE is the first number of an event, by its place in `values`. */
	PROCESS,
	MAPPING,
	MAPPING_OF, /* with a process of its own */
	SYMBOL,
	VALUE,
};

/* States of a sampled thread. */
enum { SAMPLE_ERROR, SAMPLE_EXTERNAL, SAMPLE_MANAGED };

/* An event with samples. */
struct value_event {
	char *name; /* owned */
	uint32_t event; /* the sampler's number, plus 1; 0: had no sample */
};

struct recording {
	struct reader *reader;
	struct latestacks stacks;
	struct intmap nodes; /* by stack id, until the next sequence point: node, plus 1 */
	struct intmap kinds; /* by metadata id */
	struct coderanges methods;
	struct universal universal;
	struct value_event profiler, *values; /* of the sampler, and of Universal.Events */
	size_t nvalue, capvalue;
	struct text text, tid, pid, thread;
	uint64_t start, frequency;
	bool blocks; /* version 6 */
	value period; /* ns between samples of a processor; 0: unknown */
	struct intmap threads; /* by index: struct thread */
	struct intmap thread_names; /* by OS number: char *, owned */
	uint32_t pointer, process;
	struct intmap names; /* by address: name in the sampler, plus 1 */
};

struct thread {
	uint64_t tid, pid;
};

/* Header fields of an event. */
struct event {
	uint64_t metadata, thread, stack, time;
	uint64_t offset; /* in the file */
	struct cursor payload;
};

/* Appends a NUL-terminated UTF-16 string. */
static void
add_utf16(struct cursor *c, struct text *t)
{
	uint32_t unit, low;

	while ((unit = cursor_u16(c)) != 0 && !c->bad) {
		if (unit >> 10 == 0xd800 >> 10 && (low = cursor_u16(c)) >> 10 == 0xdc00 >> 10)
			unit = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
		utf8_add(t, unit);
	}
}

/* Stores the kind of an event type. */
static void
define(struct recording *p, uint64_t id, struct str name, uint64_t number)
{
	uintptr_t kind = OTHER;

	if (str_is(name, "Microsoft-DotNETCore-SampleProfiler") && number == 0)
		kind = SAMPLE;
	else if ((str_is(name, "Microsoft-Windows-DotNETRuntime") ||
		     str_is(name, "Microsoft-Windows-DotNETRuntimeRundown")) &&
		 (number == 143 || number == 144))
		kind = METHOD;
	*intmap_at(&p->kinds, id) = (void *)kind;
}

/* Reads the definition of an event type. */
static void
read_metadata(struct recording *p, struct cursor *c)
{
	uint32_t id = cursor_u32(c), number;
	struct text provider = {0};

	add_utf16(c, &provider);
	number = cursor_u32(c);
	define(p, id, c->bad ? (struct str){0} : text_as_str(&provider), number);
	text_free(&provider);
}

/* Takes a string of version 6. */
static struct str
read_string(struct cursor *c)
{
	uint64_t len = cursor_varint(c);
	const char *s = cursor_read(c, len);

	return (struct str){s, s != NULL ? (size_t)len : 0};
}

/* The name of the field with that number, from 0, of a definition; empty if there is none. */
static struct str
field_of(struct cursor row, unsigned number)
{
	uint16_t n = cursor_u16(&row);
	struct cursor field;

	for (unsigned i = 0; i < n && !row.bad; i++) {
		uint16_t size = cursor_u16(&row);
		const void *bytes = cursor_read(&row, size);

		field = cursor_of(bytes, bytes != NULL ? size : 0, CURSOR_LITTLE);
		if (i == number)
			return read_string(&field);
	}
	return (struct str){0};
}

/* Stores the kind of an event type of Universal.System; fields: the rest of its definition. */
static void
define_system(struct recording *p, uint64_t id, struct str event, struct cursor fields)
{
	uintptr_t kind = OTHER;

	if (str_is(event, "ProcessCreate") || str_is(event, "ExistingProcess"))
		kind = PROCESS;
	else if (str_is(event, "ProcessMapping"))
		kind = str_is(field_of(fields, 1), "ProcessId") ? MAPPING_OF : MAPPING;
	else if (str_is(event, "ProcessSymbol"))
		kind = SYMBOL;
	*intmap_at(&p->kinds, id) = (void *)kind;
}

/* Reads a block of definitions of version 6. */
static void
read_definitions(struct recording *p, struct cursor *c)
{
	cursor_read(c, cursor_u16(c));
	while (cursor_left(c) > 0) {
		uint16_t size = cursor_u16(c);
		const void *bytes = cursor_read(c, size);
		struct cursor row = cursor_of(bytes, bytes != NULL ? size : 0, CURSOR_LITTLE);
		uint64_t id = cursor_varint(&row);
		struct str provider = read_string(&row), event;
		uint64_t number = cursor_varint(&row);

		event = read_string(&row);
		if (str_is(provider, "Universal.System")) {
			define_system(p, id, event, row);
		} else if (str_is(provider, "Universal.Events")) {
			vec_fit(p->values, p->capvalue, p->nvalue + 1);
			p->values[p->nvalue] = (struct value_event){.name = str_copy(event)};
			*intmap_at(&p->kinds, id) = (void *)(uintptr_t)(VALUE + p->nvalue++);
		} else {
			define(p, id, provider, number);
		}
	}
}

/* Reads a block of threads. */
static void
read_threads(struct recording *p, struct cursor *c)
{
	while (cursor_left(c) > 0) {
		uint16_t size = cursor_u16(c);
		const void *bytes = cursor_read(c, size);
		struct cursor row = cursor_of(bytes, bytes != NULL ? size : 0, CURSOR_LITTLE);
		struct thread t = {0}, **at;
		uint64_t index = cursor_varint(&row);
		struct str name = {0};

		while (cursor_left(&row) > 0)
			switch (cursor_u8(&row)) {
			case 1: name = read_string(&row); break;
			case 2: t.pid = cursor_varint(&row); break;
			case 3: t.tid = cursor_varint(&row); break;
			case 4: /* a pair of strings */
				read_string(&row);
				read_string(&row);
				break;
			default: row.at = row.end;
			}
		at = (struct thread **)intmap_at(&p->threads, index);
		if (*at == NULL)
			*at = cli_alloc(1, sizeof **at);
		**at = t;
		if (name.len > 0) {
			void **named = intmap_at(&p->thread_names, t.tid);

			free(*named);
			*named = str_copy(name);
		}
	}
}

static void
read_method(struct recording *p, struct cursor *c)
{
	size_t name = p->text.len;
	uint64_t start, last;
	uint32_t size;

	cursor_u64(c);
	cursor_u64(c);
	start = cursor_u64(c);
	size = cursor_u32(c);
	cursor_u64(c);
	add_utf16(c, &p->text);
	if (p->text.len > name)
		text_char(&p->text, '.');
	add_utf16(c, &p->text);
	if (c->bad || size == 0 || __builtin_add_overflow(start, size - 1, &last))
		text_cut(&p->text, name);
	else
		coderanges_add(&p->methods, start, last, name, p->text.len - name);
}

static bool
is_wanted(const struct recording *p, uint32_t type)
{
	static const char *const name[] = {"error", "external", "managed"};
	const char *list = p->reader->options->state;

	for (; list != NULL && *list != '\0'; list += strcspn(list, ","), list += *list == ',')
		if (type <= SAMPLE_MANAGED && strcspn(list, ",") == strlen(name[type]) &&
		    strncasecmp(list, name[type], strlen(name[type])) == 0)
			return true;
	return list == NULL;
}

/* ns of a time in the recording's ticks, which it must define. */
static uint64_t
to_ns(const struct recording *p, uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000 / p->frequency;

	return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX - 1;
}

static void
add_sample(struct recording *p, const struct event *e, uint64_t thread, struct value_event *v,
    const char *unit, uint64_t weight)
{
	struct sampler *s = p->reader->sampler;
	uintptr_t node = (uintptr_t)intmap_get(&p->nodes, e->stack);
	uint64_t ticks = e->time > p->start ? e->time - p->start : 0;

	if (v->event == 0) {
		v->event = sampler_event(s, str_of(v->name), str_of(unit)) + 1;
		if (strcmp(unit, FOLDED_SAMPLES) == 0)
			sampler_period(s, v->event - 1, p->period, p->period > 0 ? "ns" : NULL);
	}
	latestacks_add(&p->stacks, thread, v->event - 1,
	    node > 0	    ? (uint32_t)(node - 1)
	    : e->stack == 0 ? LATESTACKS_ROOT
			    : latestacks_child(&p->stacks, LATESTACKS_ROOT, LATESTACKS_MISSING),
	    p->frequency == 0 ? SAMPLE_NO_TIME : to_ns(p, ticks), value_of(weight));
}

static void
pass_sample(struct recording *p, struct event *e)
{
	const struct thread *t = p->blocks ? intmap_get(&p->threads, e->thread) : NULL;

	if (!is_wanted(p, cursor_u32(&e->payload)))
		return;
	if (t != NULL && p->process == 0)
		p->process = (uint32_t)t->pid;
	add_sample(
	    p, e, t != NULL && t->tid != 0 ? t->tid : e->thread, &p->profiler, FOLDED_SAMPLES, 1);
}

/* Passes an event of Universal.Events: cpu is a number of samples, cswitch a time. */
static void
pass_value(struct recording *p, struct event *e, const struct thread *t, struct value_event *v)
{
	uint64_t n = cursor_varint(&e->payload);
	bool waits = strcmp(v->name, "cswitch") == 0;

	if (e->payload.bad)
		return;
	if (p->reader->options->state != NULL)
		cli_die("%s: a recording of all processes has no states for --state",
		    lines_name(p->reader->lines));
	p->universal.used = true;
	if (t == NULL || t->pid > UINT32_MAX || t->tid > UINT32_MAX)
		reader_malformed_byte(p->reader, e->offset, "a sample of an unknown thread");
	else if (waits && p->frequency == 0)
		reader_malformed_byte(p->reader, e->offset, "a time without a frequency");
	else
		add_sample(p, e, t->pid << 32 | t->tid, v,
		    waits			? "ns"
		    : strcmp(v->name, CPU) == 0 ? FOLDED_SAMPLES
						: "",
		    waits ? to_ns(p, n) : n);
}

static void
handle_event(struct recording *p, struct event *e, bool metadata)
{
	uintptr_t kind = metadata ? 0 : (uintptr_t)intmap_get(&p->kinds, e->metadata);
	const struct thread *t = kind >= PROCESS ? intmap_get(&p->threads, e->thread) : NULL;
	uint64_t pid = t != NULL ? t->pid : 0;

	if (metadata) {
		read_metadata(p, &e->payload);
		return;
	}
	switch (kind) {
	case 0:
	case OTHER: return;
	case SAMPLE: pass_sample(p, e); return;
	case METHOD: read_method(p, &e->payload); return;
	case PROCESS: universal_read_process(&p->universal, pid, &e->payload); break;
	case MAPPING:
	case MAPPING_OF:
		universal_read_mapping(&p->universal, pid, &e->payload, kind == MAPPING_OF);
		break;
	case SYMBOL: universal_read_symbol(&p->universal, &e->payload, e->offset); break;
	default: pass_value(p, e, t, &p->values[kind - VALUE]);
	}
	if (e->payload.bad)
		reader_malformed_byte(p->reader, e->offset, "an event that is too short");
}

/* Reads a compressed event header, which has only the fields that differ from the previous one. */
static uint32_t
read_compressed(struct cursor *c, struct event *e, uint32_t size, bool blocks)
{
	uint8_t flags = cursor_u8(c);

	if (flags & 1)
		e->metadata = cursor_varint(c);
	if (flags & 2) {
		cursor_varint(c);
		cursor_varint(c);
		cursor_varint(c);
	}
	if (flags & 4)
		e->thread = cursor_varint(c);
	if (flags & 8)
		e->stack = cursor_varint(c);
	e->time += cursor_varint(c);
	if (flags & 16 && blocks)
		cursor_varint(c); /* a list of labels */
	else if (flags & 16)
		cursor_read(c, 16);
	if (flags & 32 && !blocks)
		cursor_read(c, 16);
	return flags & 128 ? (uint32_t)cursor_varint(c) : size;
}

static uint32_t
read_uncompressed(struct cursor *c, struct event *e, bool blocks)
{
	cursor_u32(c);
	e->metadata = cursor_u32(c) & INT32_MAX;
	cursor_u32(c);
	e->thread = cursor_u64(c);
	cursor_u64(c);
	cursor_u32(c);
	e->stack = cursor_u32(c);
	e->time = cursor_u64(c);
	cursor_read(c, blocks ? 4 : 32);
	return cursor_u32(c);
}

static void
read_events(struct recording *p, struct cursor *c, uint64_t offset, bool metadata)
{
	uint16_t head = cursor_u16(c), flags = cursor_u16(c);
	struct event e = {0};
	uint32_t size = 0;

	if (head < sizeof head + sizeof flags || head > c->end) {
		reader_malformed_byte(p->reader, offset, "not a block of events");
		return;
	}
	c->at = head;
	while (cursor_left(c) > 0) {
		size_t begin = c->at;

		size = flags & 1 ? read_compressed(c, &e, size, p->blocks)
				 : read_uncompressed(c, &e, p->blocks);
		const void *payload = cursor_read(c, size);

		if (payload == NULL) {
			reader_malformed_byte(p->reader, offset + begin,
			    "an event that extends past the end of "
			    "its block");
			return;
		}
		e.offset = offset + begin;
		e.payload = cursor_of(payload, size, CURSOR_LITTLE);
		handle_event(p, &e, metadata);
		if (!(flags & 1) && !p->blocks)
			cursor_read(c, -c->at & 3);
	}
}

static void
read_stacks(struct recording *p, struct cursor *c, uint64_t offset)
{
	uint32_t first = cursor_u32(c), count = cursor_u32(c);

	for (uint32_t i = 0; i < count; i++) {
		bool ended = cursor_left(c) == 0; /* numbers after the end are 0 */
		uint32_t bytes = cursor_u32(c), node = LATESTACKS_ROOT;
		struct cursor stack;
		const unsigned char *s = cursor_read(c, bytes);

		if (ended || s == NULL) {
			reader_malformed_byte(p->reader, offset + c->at,
			    "a stack that extends past the end of "
			    "its block");
			return;
		}
		for (uint32_t at = bytes / p->pointer; at-- > 0;) { /* root first */
			stack = cursor_of(s + at * p->pointer, p->pointer, CURSOR_LITTLE);
			node = latestacks_child(&p->stacks, node,
			    p->pointer == 8 ? cursor_u64(&stack) : cursor_u32(&stack));
		}
		*intmap_at(&p->nodes, first + i) = (void *)((uintptr_t)node + 1);
	}
}

static void
forget_stacks(struct recording *p)
{
	free(p->nodes.slot);
	p->nodes = (struct intmap){0};
}

static bool
read_trace(struct recording *p, struct bytestream *b)
{
	const unsigned char *head = bytestream_read(b, TRACE_SIZE);
	struct cursor c = cursor_of(head, head == NULL ? 0 : TRACE_SIZE, CURSOR_LITTLE);
	uint32_t rate;

	cursor_read(&c, 16);
	p->start = cursor_u64(&c);
	p->frequency = cursor_u64(&c);
	p->pointer = cursor_u32(&c);
	p->process = cursor_u32(&c);
	cursor_u32(&c);
	rate = cursor_u32(&c);
	if (p->pointer != 4)
		p->pointer = 8;
	p->period = value_of(rate);
	return !c.bad;
}

/* Reads the content of an object; false if it is truncated. */
static bool
read_object(struct recording *p, struct bytestream *b, struct str type)
{
	bool ok = true;
	uint32_t size;
	uint64_t offset;
	const unsigned char *block;
	struct cursor c;

	if (str_is(type, "Trace"))
		return read_trace(p, b);
	size = bytestream_u32(b, &ok);
	if (!bytestream_skip(b, -b->offset & 3) || !ok)
		return false;
	offset = b->offset;
	if ((block = bytestream_read(b, size)) == NULL)
		return false;
	c = cursor_of(block, size, CURSOR_LITTLE);
	if (str_is(type, "EventBlock"))
		read_events(p, &c, offset, false);
	else if (str_is(type, "MetadataBlock"))
		read_events(p, &c, offset, true);
	else if (str_is(type, "StackBlock"))
		read_stacks(p, &c, offset);
	else if (str_is(type, "SPBlock"))
		forget_stacks(p);
	return true;
}

/* Reads an object; false at the end of the file, or if the object is truncated or unknown. */
static bool
next_object(struct recording *p, struct bytestream *b)
{
	char type[NAME_MAX_BYTES];
	const unsigned char *name;
	bool ok = true;
	uint32_t len;
	uint64_t offset = b->offset;
	uint8_t tag = bytestream_u8(b, &ok);

	if (ok && tag == TAG_NULL)
		return false;
	if (!ok || tag != TAG_BEGIN || bytestream_u8(b, &ok) != TAG_BEGIN ||
	    bytestream_u8(b, &ok) != TAG_NULL)
		goto malformed;
	bytestream_u32(b, &ok);
	bytestream_u32(b, &ok);
	len = bytestream_u32(b, &ok);
	if (!ok || len >= sizeof type || (name = bytestream_read(b, len)) == NULL)
		goto malformed;
	memcpy(type, name, len);
	if (bytestream_u8(b, &ok) != TAG_END || !read_object(p, b, (struct str){type, len}) ||
	    bytestream_u8(b, &ok) != TAG_END)
		goto malformed;
	return true;
malformed:
	reader_malformed_byte(p->reader, offset, "not a complete object; the rest");
	return false;
}

/* Reads the block Trace of version 6. */
static void
read_trace_block(struct recording *p, struct cursor *c)
{
	uint32_t n;

	cursor_read(c, 16);
	p->start = cursor_u64(c);
	p->frequency = cursor_u64(c);
	p->pointer = cursor_u32(c) == 4 ? 4 : 8;
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->bad; i++) {
		struct str key = read_string(c), text = read_string(c);
		uint64_t number;

		if (!scan_number(&text, &number))
			continue;
		if (str_is(key, "ProcessId"))
			p->process = (uint32_t)number;
		else if (str_is(key, "ExpectedCPUSamplingRate") && number > 0)
			p->period = value_of(number);
	}
}

/* Reads a block of version 6; false at the end of the file, or if the block is truncated. */
static bool
next_block(struct recording *p, struct bytestream *b)
{
	bool ok = true;
	uint64_t offset = b->offset;
	uint32_t head = bytestream_u32(b, &ok), size = head & 0xffffff;
	const unsigned char *block;
	struct cursor c;

	if (ok && head >> 24 == BLOCK_END)
		return false;
	if (!ok || (block = bytestream_read(b, size)) == NULL) {
		reader_malformed_byte(p->reader, offset, "not a complete block; the rest");
		return false;
	}
	c = cursor_of(block, size, CURSOR_LITTLE);
	switch (head >> 24) {
	case BLOCK_TRACE: read_trace_block(p, &c); break;
	case BLOCK_EVENTS: read_events(p, &c, offset + 4, false); break;
	case BLOCK_METADATA: read_definitions(p, &c); break;
	case BLOCK_STACKS: read_stacks(p, &c, offset + 4); break;
	case BLOCK_POINT:
		forget_stacks(p);
		cursor_u64(&c);
		if (cursor_u32(&c) & 1)
			intmap_free_values(&p->threads);
		break;
	case BLOCK_THREADS: read_threads(p, &c); break;
	}
	if (c.bad)
		reader_malformed_byte(p->reader, offset, "a block that is too short");
	return true;
}

static struct sample_task
task_of(void *caller, uint64_t thread)
{
	struct recording *p = caller;
	struct str comm = {0};

	if (p->universal.used) { /* a thread's key has its process, too */
		p->process = (uint32_t)(thread >> 32);
		thread = (uint32_t)thread;
		comm = universal_process(&p->universal, p->process);
		text_cut(&p->pid, 0);
		text_count(&p->pid, p->process);
	}
	text_cut(&p->tid, 0);
	text_cut(&p->thread, 0);
	text_printf(&p->tid, "%llu", (unsigned long long)thread);
	if (p->reader->options->threads && intmap_get(&p->thread_names, thread) != NULL)
		text_puts(&p->thread, intmap_get(&p->thread_names, thread));
	else if (p->reader->options->threads)
		text_printf(&p->thread, "Thread (%llu)", (unsigned long long)thread);
	return (struct sample_task){.comm = p->thread.len > 0 ? text_as_str(&p->thread) : comm,
	    .pid = text_as_str(&p->pid),
	    .tid = text_as_str(&p->tid)};
}

static void
add_frame(void *caller, uint64_t address)
{
	struct recording *p = caller;
	void **known;

	if (p->universal.used) {
		sample_frame_named(p->reader->sampler,
		    universal_frame(&p->universal, p->reader->sampler, p->process, address));
		return;
	}
	known = intmap_at(&p->names, address);
	if (*known == NULL) {
		const struct coderange *m = coderanges_at(&p->methods, address);
		struct frame f = {.address = address, .has_address = true};

		if (m != NULL) {
			f.function = (struct str){m->len > 0 ? p->text.s + m->name : "", m->len};
			f.kind = FRAME_JIT;
		}
		*known = (void *)((uintptr_t)sample_name(p->reader->sampler, &f) + 1);
	}
	sample_frame_named(p->reader->sampler, (uint32_t)((uintptr_t)*known - 1));
}

/* Reads the version after the magic; exits with 2 if it is not known. */
static void
read_version(struct recording *p, struct bytestream *b)
{
	bool ok = true;
	uint32_t first = bytestream_u32(b, &ok), major = 0;
	const unsigned char *head = NULL;

	p->blocks = ok && first == 0;
	if (p->blocks) {
		major = bytestream_u32(b, &ok);
		bytestream_u32(b, &ok);
	} else if (first == 20) {
		head = bytestream_read(b, strlen(FAST));
	}
	if (ok && p->blocks)
		reader_version(p->reader, VERSION_NETTRACE, major, 0);
	if (!ok ||
	    (p->blocks ? major < BLOCKS : head == NULL || memcmp(head, FAST, strlen(FAST)) != 0))
		reader_refuse_byte(p->reader, strlen("Nettrace"),
		    "no version of a nettrace file; use dotnet-trace convert --format speedscope");
}

/* A recording of all processes is of the CPU's samples, if it has any. */
static void
choose_event(struct recording *p)
{
	for (size_t i = 0; i < p->nvalue; i++)
		if (p->values[i].event != 0 && strcmp(p->values[i].name, CPU) == 0)
			sampler_default(p->reader->sampler, p->values[i].event - 1);
}

static void
read_input(struct reader *r)
{
	static const struct latestacks_names names = {task_of, add_frame};
	struct recording p = {.reader = r, .pointer = 8, .profiler = {cli_strdup("samples"), 0}};
	struct bytestream b;

	bytestream_init(&b, lines_source(r->lines));
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	latestacks_init(&p.stacks, r->sampler);
	bytestream_read(&b, strlen(MAGIC));
	read_version(&p, &b);
	while (p.blocks ? next_block(&p, &b) : next_object(&p, &b))
		continue;
	universal_end(&p.universal, r);
	coderanges_sort(&p.methods);
	if (p.process != 0)
		text_count(&p.pid, p.process);
	choose_event(&p);
	latestacks_give(&p.stacks, &names, &p);
	if (p.stacks.nsample > 0 && p.methods.n == 0 && !p.universal.used)
		cli_note(
		    "%s: no method names: the recording has no rundown events (it ended early, "
		    "or --rundown was false)",
		    lines_name(r->lines));
	bytestream_free(&b);
	latestacks_free(&p.stacks);
	forget_stacks(&p);
	intmap_free_values(&p.threads);
	intmap_free_values(&p.thread_names);
	free(p.kinds.slot);
	free(p.names.slot);
	free(p.methods.range);
	universal_free(&p.universal);
	for (size_t i = 0; i < p.nvalue; i++)
		free(p.values[i].name);
	free(p.values);
	free(p.profiler.name);
	text_free(&p.text);
	text_free(&p.tid);
	text_free(&p.pid);
	text_free(&p.thread);
}

static int
sniff(const char *data, size_t len)
{
	return text_starts(data, len, MAGIC) ? 100 : 0;
}

const struct format nettrace_format = {
    .provides = DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES | DATA_EVENT |
		DATA_THREAD_NAMES | DATA_STATE,
    .bytes = FORMAT_BINARY,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
