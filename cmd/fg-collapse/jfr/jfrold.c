/*
 * jfrold: parses metadata and constants of version 0.9. The layout was derived from recordings
 * of JDK 7u40, 8u0 and 8u60 and JMC's printouts of them. Integers are big-endian and of fixed
 * size. A chunk is
 *
 *     "FLR\0", u16 major 0, u16 minor 9, u64 offset of the metadata; records
 *
 * and a record is i32 size, i32 type: 0 metadata (the last record), 1 constants, else an event.
 */
#include "fg-collapse/jfr/jfrold.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"

#define HEADER 16 /* bytes */
#define CONSTANTS 1 /* type of such a record */
#define ADDED_MAX 1000000 /* limit of fields: event types can share one structure */

/* Data types of fields. */
enum { INT = 6, LONG = 7, UTF8 = 11, UTF16, ARRAY, STRUCT, STRUCTS };
static const char kinds[] = "zbbssiillfduw"; /* primitive_kind of each up to UTF16 */

/* The numbers of types are those of events, and these plus a number of their own. */
#define CONTENT (UINT64_C(1) << 32) /* content types: types of constants */
#define PRIMITIVE (UINT64_C(2) << 32) /* data types */
#define STRUCTURE (UINT64_C(3) << 32) /* structures, counted over all producers */

struct field {
	struct str name;
	uint8_t kind; /* data type */
	uint32_t content; /* content type, or 0 or another number for a plain value */
	uint32_t structure; /* for STRUCT and STRUCTS: index in the producer's structures */
	uint32_t element; /* for ARRAY: data type */
};

struct structure {
	size_t first, n; /* range in metadata.field */
};

/* An event type or content type. */
struct named {
	uint32_t id;
	struct str name; /* of an event: its path */
	uint8_t kind; /* of a content type: data type of its constants' numbers */
	bool start, thread, stack; /* the event has these */
	size_t structure; /* index in metadata.structure */
};

struct metadata {
	struct jfr_chunk *chunk;
	struct field *field;
	struct structure *structure;
	struct named *event, *content;
	size_t nadded; /* fields of all types of the chunk */
	uint64_t threads, stacks; /* numbers of these types */
	size_t nfield, capfield, nstructure, capstructure, nevent, capevent, ncontent, capcontent;
};

/* Names in later versions; type: the content type of a field. */
struct rename {
	const char *old, *new, *type;
};

static const struct rename events[] = {
    {"vm/prof/execution_sample", "jdk.ExecutionSample", NULL},
    {"java/object_alloc_in_new_TLAB", "jdk.ObjectAllocationInNewTLAB", NULL},
    {"java/object_alloc_outside_TLAB", "jdk.ObjectAllocationOutsideTLAB", NULL},
    {"java/monitor_enter", "jdk.JavaMonitorEnter", NULL},
    {"java/monitor_wait", "jdk.JavaMonitorWait", NULL},
    {"java/thread_park", "jdk.ThreadPark", NULL},
    {"java/thread_sleep", "jdk.ThreadSleep", NULL},
    {"java/socket_read", "jdk.SocketRead", NULL},
    {"java/socket_write", "jdk.SocketWrite", NULL},
    {"java/file_read", "jdk.FileRead", NULL},
    {"java/file_write", "jdk.FileWrite", NULL},
    {"java/exception_throw", "jdk.JavaExceptionThrow", NULL},
    {"java/error_throw", "jdk.JavaErrorThrow", NULL},
    {"vm/class/load", "jdk.ClassLoad", NULL},
    {NULL, NULL, NULL},
};
static const struct rename contents[] = {
    {"Thread", "java.lang.Thread", NULL},
    {"StackTrace", "jdk.types.StackTrace", NULL},
    {"Method", "jdk.types.Method", NULL},
    {"Class", "java.lang.Class", NULL},
    {"ThreadState", "jdk.types.ThreadState", NULL},
    {"FrameType", "jdk.types.FrameType", NULL},
    {NULL, NULL, NULL},
};
static const struct rename fields[] = {
    {"name", "javaName", "Thread"},
    {"line", "lineNumber", "frame"},
    {"class", "type", "Method"},
    {"desc", "description", "FrameType"},
    {NULL, NULL, NULL},
};

/* Later name of an event, a content type, or the field of a content type. */
static struct str
renamed(const struct rename *r, struct str type, struct str name)
{
	for (; r->old != NULL; r++)
		if (str_is(name, r->old) && (r->type == NULL || str_is(type, r->type)))
			return str_of(r->new);
	return name;
}

/* A string in the metadata: u16 length, UTF-8. */
static struct str
read_string(struct cursor *c)
{
	size_t n = cursor_u16(c);
	const char *s = cursor_read(c, n);

	return s == NULL ? (struct str){0} : (struct str){s, n};
}

static void
read_structures(struct metadata *m, struct cursor *c)
{
	for (uint32_t n = cursor_u32(c); n > 0 && !c->bad; n--) {
		struct structure *s;

		vec_fit(m->structure, m->capstructure, m->nstructure + 1);
		s = &m->structure[m->nstructure++];
		*s = (struct structure){.first = m->nfield};
		for (uint32_t left = cursor_u32(c); left > 0 && !c->bad; left--) {
			struct field f = {.name = read_string(c)};

			read_string(c); /* a label */
			read_string(c); /* a description */
			cursor_u8(c); /* transition */
			f.kind = cursor_u8(c);
			f.content = cursor_u32(c);
			f.structure = cursor_u32(c);
			f.element = cursor_u32(c);
			vec_fit(m->field, m->capfield, m->nfield + 1);
			m->field[m->nfield++] = f;
			s->n++;
		}
	}
}

/* Reads a producer of events: its structures, event types and content types. */
static void
read_producer(struct metadata *m, struct cursor *c)
{
	const size_t first = m->nstructure;

	cursor_u32(c);
	for (int i = 0; i < 3; i++) /* name, description, URI */
		read_string(c);
	for (uint32_t n = cursor_u32(c); n > 0 && !c->bad; n--)
		read_string(c); /* a relation */
	read_structures(m, c);
	for (size_t i = first; i < m->nstructure; i++)
		for (size_t k = 0; k < m->structure[i].n; k++)
			m->field[m->structure[i].first + k].structure += (uint32_t)first;
	for (uint32_t n = cursor_u32(c); n > 0 && !c->bad; n--) {
		struct named e = {.id = cursor_u32(c)};

		read_string(c); /* a label */
		read_string(c); /* a description */
		e.name = read_string(c);
		e.start = cursor_u8(c) != 0;
		e.thread = cursor_u8(c) != 0;
		e.stack = cursor_u8(c) != 0;
		cursor_u8(c); /* "requestable" */
		e.structure = first + cursor_u32(c);
		cursor_u32(c); /* period */
		vec_fit(m->event, m->capevent, m->nevent + 1);
		m->event[m->nevent++] = e;
	}
	for (uint32_t n = cursor_u32(c); n > 0 && !c->bad; n--) {
		struct named t = {.id = cursor_u32(c)};

		t.name = read_string(c);
		read_string(c); /* a description */
		t.kind = cursor_u8(c);
		t.structure = first + cursor_u32(c);
		vec_fit(m->content, m->capcontent, m->ncontent + 1);
		m->content[m->ncontent++] = t;
	}
}

/* Adds a field to a type of the chunk. */
static void
add_field(struct metadata *m, size_t type, struct jfr_field f)
{
	struct jfr_type *t = &m->chunk->type[type];

	vec_fit(t->field, t->capfield, t->nfield + 1);
	t->field[t->nfield++] = f;
	m->nadded++;
}

/* Adds the fields of a structure to a type; content: name of that content type, or empty. */
static void
add_fields(struct metadata *m, size_t type, size_t structure, struct str content)
{
	const struct structure *s;

	if (structure >= m->nstructure)
		return;
	s = &m->structure[structure];
	for (size_t i = 0; i < s->n && m->nadded < ADDED_MAX; i++) {
		const struct field *f = &m->field[s->first + i];
		const struct jfr_type *of = jfr_type(m->chunk, CONTENT + f->content);
		struct jfr_field new = {
		    .name = renamed(fields, content, f->name), .type = PRIMITIVE + f->kind};

		if (f->kind == STRUCT || f->kind == STRUCTS) {
			new.type = STRUCTURE + f->structure;
			new.array = f->kind == STRUCTS;
		} else if (f->kind == ARRAY) {
			new.type = PRIMITIVE + f->element;
			new.array = true;
		} else if (f->content != 0 && of != NULL && f->kind < UTF8) {
			new.type = of->number;
			new.constant = true;
			new.key = kinds[f->kind];
		}
		add_field(m, type, new);
	}
}

/* Adds the fields that all events of a type have before those of its structure. */
static void
add_event_fields(struct metadata *m, size_t type, const struct named *e)
{
	const struct jfr_field end = {.name = str_of("startTime"), .type = PRIMITIVE + LONG};
	const struct jfr_field thread = {
	    .name = str_of("eventThread"), .type = m->threads, .constant = true, .key = kinds[INT]};
	const struct jfr_field stack = {
	    .name = str_of("stackTrace"), .type = m->stacks, .constant = true, .key = kinds[LONG]};

	if (e->start) {
		add_field(
		    m, type, (struct jfr_field){.name = str_of(JFROLD_END), .type = end.type});
		add_field(m, type, end);
	} else {
		add_field(m, type, end);
	}
	if (e->thread)
		add_field(m, type, thread);
	if (e->stack)
		add_field(m, type, stack);
	add_fields(m, type, e->structure, (struct str){0});
}

/* Number of the type of a structure: the elements of a stack's frames have a name. */
static void
add_structures(struct metadata *m)
{
	size_t frames = SIZE_MAX;

	for (size_t i = 0; i < m->ncontent && frames == SIZE_MAX; i++) {
		const struct named *t = &m->content[i];
		const struct structure *s;

		if (!str_is(t->name, "StackTrace") || t->structure >= m->nstructure)
			continue;
		s = &m->structure[t->structure];
		for (size_t k = s->first; k < s->first + s->n; k++)
			if (m->field[k].kind == STRUCTS)
				frames = m->field[k].structure;
	}
	for (size_t i = 0; i < m->nstructure; i++)
		if (jfr_type_add(
			m->chunk, STRUCTURE + i, str_of(i == frames ? "jdk.types.StackFrame" : "")))
			add_fields(m, m->chunk->ntype - 1, i, str_of(i == frames ? "frame" : ""));
}

/* Adds all types to the chunk. Content types come first: fields refer to them. */
static void
add_types(struct metadata *m)
{
	struct jfr_chunk *c = m->chunk;
	size_t first;

	for (size_t i = 0; i < sizeof kinds - 1; i++)
		if (jfr_type_add(c, PRIMITIVE + i, (struct str){0})) {
			c->type[c->ntype - 1].primitive = true;
			c->type[c->ntype - 1].primitive_kind = kinds[i];
		}
	first = c->ntype;
	for (size_t i = 0; i < m->ncontent; i++) {
		const struct named *t = &m->content[i];

		if (t->kind >= UTF8 ||
		    !jfr_type_add(c, CONTENT + t->id, renamed(contents, t->name, t->name)))
			continue;
		c->type[c->ntype - 1].key = kinds[t->kind];
		m->content[c->ntype - 1 - first] = *t;
		if (str_is(t->name, "Thread"))
			m->threads = CONTENT + t->id;
		else if (str_is(t->name, "StackTrace"))
			m->stacks = CONTENT + t->id;
	}
	m->ncontent = c->ntype - first;
	for (size_t i = 0; i < m->ncontent; i++)
		add_fields(m, first + i, m->content[i].structure, m->content[i].name);
	add_structures(m);
	for (size_t i = 0; i < m->nevent; i++)
		if (jfr_type_add(
			c, m->event[i].id, renamed(events, m->event[i].name, m->event[i].name)))
			add_event_fields(m, c->ntype - 1, &m->event[i]);
}

static void
read_metadata(struct jfr_chunk *chunk, size_t at)
{
	struct metadata m = {.chunk = chunk};
	struct cursor c = cursor_of(chunk->data, chunk->end, CURSOR_BIG);

	c.at = at + 8;
	for (uint32_t n = cursor_u32(&c); n > 0 && !c.bad; n--)
		read_producer(&m, &c);
	chunk->start_ns = cursor_u64(&c) * 1000000;
	cursor_u64(&c); /* end, ms */
	chunk->start_ticks = cursor_u64(&c);
	chunk->ticks_per_second = cursor_u64(&c);
	add_types(&m);
	if (c.bad || m.nadded >= ADDED_MAX)
		jfr_chunk_fault(chunk, at, "truncated or malformed metadata of a chunk");
	free(m.field);
	free(m.structure);
	free(m.event);
	free(m.content);
}

/* Skips the constants of a record and stores the position of each; a later one of the same
 * number replaces an earlier one. */
static void
read_constants(struct jfr_chunk *c, struct jfr_cursor *at)
{
	const size_t begin = at->in.at;

	jfr_long(at); /* time */
	jfr_long(at); /* offset of the previous record of constants */
	while (!at->in.bad && at->in.at < at->in.end) {
		struct jfr_type *t = jfr_type(c, CONTENT + jfr_int(at));
		struct jfr_field key, one;

		if (t == NULL)
			at->in.bad = true;
		for (uint64_t n = jfr_int(at); n > 0 && !at->in.bad; n--) {
			uint64_t number;
			size_t where;

			key =
			    (struct jfr_field){.type = t->number, .constant = true, .key = t->key};
			one = (struct jfr_field){.type = t->number};
			number = jfr_number(c, at, &key);
			where = at->in.at;
			jfr_skip(c, at, &one);
			if (!at->in.bad && at->in.at > where)
				*intmap_at(&t->constants, number) = (void *)(uintptr_t)(where + 1);
		}
	}
	if (at->in.bad)
		jfr_chunk_fault(c, begin, "constants that are truncated or of an unknown type");
}

void
jfrold_read(struct jfr_chunk *c, enum jfr_part part)
{
	struct cursor head = cursor_of(c->data, c->end, CURSOR_BIG);
	struct jfr_cursor event;
	uint64_t metadata, size = 0, type;
	size_t next = 0;

	c->old = c->fixed = true;
	c->first = c->begin + HEADER;
	head.at = c->begin + 8;
	metadata = cursor_u64(&head);
	if (metadata >= HEADER && metadata <= c->end - c->begin - 8) {
		head.at = c->begin + (size_t)metadata;
		size = cursor_u32(&head);
	}
	if (size < 8) { /* its own size and type */
		jfr_chunk_fault(c, c->begin, "a chunk without metadata: no event can be read");
		c->first = c->end;
		return;
	}
	if (size > c->end - c->begin - metadata)
		jfr_chunk_fault(c, c->begin, "a chunk that extends past the end of the input");
	else
		c->end = c->begin + (size_t)(metadata + size);
	read_metadata(c, c->begin + (size_t)metadata);
	while (part == JFR_ALL && jfr_chunk_event(c, &next, &event, &type))
		if (type == CONSTANTS)
			read_constants(c, &event);
}
