/*
 * heapdump: binary heap dumps of Java (jmap -dump, jcmd GC.heap_dump, -XX:+HeapDumpOnOutOfMemory):
 * the objects that roots reach, by the path of their dominators. A frame's value is its retained
 * size: the bytes that are free without it.
 *
 *	"JAVA PROFILE 1.0.2\0", u4 bytes of an ID, u8 time; then records: u1 tag, u4 time, u4
 *length: 1 STRING id, text 2 LOAD CLASS u4 number, id of the class object, u4 stack, id of the name
 *	12, 28 HEAP DUMP, HEAP DUMP SEGMENT with records of their own: u1 tag, then roots, classes
 *	    with the types of their fields, objects with their fields, arrays
 *
 * All numbers are big-endian. References of soft, weak and phantom references are not followed,
 * so that objects that only these reach are unreachable, as after a collection.
 */
#include "fg-collapse/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/heapdump/classes.h"
#include "fg-collapse/heapdump/dominators.h"
#include "fg-collapse/heapdump/objects.h"
#include "fg-collapse/heapdump/retained.h"
#include "fg-collapse/shape/bytestream.h"

#define MAGIC "JAVA PROFILE 1.0."
#define PIECE 65536 /* bytes of an array that are read at once */

enum record { STRING = 1, LOAD_CLASS = 2, HEAP_DUMP = 12, HEAP_SEGMENT = 28 };

enum part {
	ROOT_JNI_GLOBAL = 1,
	ROOT_JNI_LOCAL,
	ROOT_FRAME,
	ROOT_NATIVE_STACK,
	ROOT_STICKY_CLASS,
	ROOT_THREAD_BLOCK,
	ROOT_MONITOR,
	ROOT_THREAD,
	CLASS = 0x20,
	INSTANCE,
	OBJECT_ARRAY,
	PRIMITIVE_ARRAY,
	ROOT_UNKNOWN = 0xff
};

/* Roots: bytes after the ID; and if the first four of them are the number of a thread. */
static const struct root {
	unsigned char tag, bytes;
	bool ids; /* the bytes are IDs, not numbers */
	bool local; /* of a thread */
} roots[] = {{ROOT_JNI_GLOBAL, 1, true, false}, {ROOT_JNI_LOCAL, 8, false, true},
    {ROOT_FRAME, 8, false, true}, {ROOT_NATIVE_STACK, 4, false, true},
    {ROOT_STICKY_CLASS, 0, false, false}, {ROOT_THREAD_BLOCK, 4, false, true},
    {ROOT_MONITOR, 0, false, false}, {ROOT_THREAD, 8, false, false},
    {ROOT_UNKNOWN, 0, false, false},
    /* Android: interned string, finalizing, debugger, cleanup, VM, monitor of JNI, unreachable */
    {0x89, 0, false, false}, {0x8a, 0, false, false}, {0x8b, 0, false, false},
    {0x8c, 0, false, false}, {0x8d, 0, false, false}, {0x8e, 8, false, true}};

struct dump {
	struct reader *reader;
	struct bytestream in;
	unsigned id_size;
	uint64_t left; /* bytes of the current record */
	struct classes classes;
	struct objects objects;
	struct retained retained;
	/* Instances of classes that come later: ID, class, length (u4), fields. */
	struct text late;
	uint64_t nlate;
};

static uint64_t
number(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	return v;
}

static uint64_t
id_at(const struct dump *d, const unsigned char *p)
{
	return number(p, d->id_size);
}

/* The next n bytes of the current record; NULL beyond its end, or that of the input. */
static const unsigned char *
take(struct dump *d, uint64_t n)
{
	if (n > d->left)
		return NULL;
	d->left -= n;
	return bytestream_read(&d->in, n);
}

static bool
pass(struct dump *d, uint64_t n)
{
	if (n > d->left)
		return false;
	d->left -= n;
	return n == 0 || bytestream_skip(&d->in, n);
}

/* ---- Classes ---- */

/* Reads the constants and static fields of a class, whose references are its edges. */
static bool
read_statics(struct dump *d, struct class *c)
{
	const unsigned char *p = take(d, 2);
	unsigned n = p != NULL ? (unsigned)number(p, 2) : 0;

	for (unsigned i = 0; p != NULL && i < n; i++) { /* the constant pool */
		p = take(d, 3);
		if (p == NULL || !pass(d, type_size(p[2], d->id_size)) ||
		    type_size(p[2], d->id_size) == 0)
			return false;
	}
	if (p == NULL || (p = take(d, 2)) == NULL)
		return false;
	n = (unsigned)number(p, 2);
	for (unsigned i = 0; i < n; i++) {
		unsigned type, size;

		if ((p = take(d, d->id_size + 1)) == NULL)
			return false;
		type = p[d->id_size];
		size = type_size(type, d->id_size);
		if (size == 0 || (p = take(d, size)) == NULL)
			return false;
		if (type == TYPE_OBJECT) {
			c->static_shape.references++;
			if (!objects_refer(&d->objects, id_at(d, p)))
				return false;
		} else {
			c->static_shape.bytes += size;
		}
	}
	return true;
}

static bool
read_class(struct dump *d)
{
	const unsigned id = d->id_size;
	const unsigned char *p = take(d, 7 * (uint64_t)id + 8);
	struct class *c;
	unsigned n;

	if (p == NULL)
		return false;
	c = classes_get(&d->classes, id_at(d, p));
	if (c->dumped)
		d->objects.duplicates++;
	c->super = id_at(d, p + id + 4);
	c->static_shape = (struct object_shape){0};
	if (!objects_add(&d->objects, c->id, c->number | OF_CLASS, NULL, 0))
		return false;
	for (unsigned i = 1; i <= 4; i++) /* superclass, loader, signers, protection domain */
		if (!objects_refer(&d->objects, id_at(d, p + 4 + i * id)))
			return false;
	if (!read_statics(d, c) || (p = take(d, 2)) == NULL)
		return false;
	n = (unsigned)number(p, 2);
	if ((p = take(d, n * ((uint64_t)id + 1))) == NULL && n > 0)
		return false;
	free(c->type);
	c->type = cli_alloc(n > 0 ? n : 1, 1);
	c->ntype = n;
	for (unsigned i = 0; i < n; i++) {
		c->type[i] = p[i * (id + 1) + id];
		if (type_size(c->type[i], id) == 0)
			return false;
		if (classes_is_referent(&d->classes, c, id_at(d, p + i * (id + 1))))
			c->referent = i + 1;
	}
	c->dumped = true;
	return true;
}

/* ---- Objects ---- */

/* Adds an instance of a known class. False if its length is not that of its fields. */
static bool
add_instance(struct dump *d, uint64_t id, struct class *c, const unsigned char *field, uint32_t n)
{
	if (!classes_flatten(&d->classes, c, n, d->id_size))
		return false;
	if (!objects_add(&d->objects, id, c->number, &c->shape, 0) ||
	    !objects_refer(&d->objects, c->id))
		return false;
	for (uint32_t i = 0; i < c->nreference; i++)
		if (!objects_refer(&d->objects, id_at(d, field + c->reference[i])))
			return false;
	return true;
}

static bool
read_instance(struct dump *d)
{
	const unsigned id = d->id_size;
	const unsigned char *p = take(d, 2 * (uint64_t)id + 8);
	uint64_t object, class;
	struct class *c;
	uint32_t n;

	if (p == NULL)
		return false;
	object = id_at(d, p);
	class = id_at(d, p + id + 4);
	n = (uint32_t)number(p + 2 * id + 4, 4);
	if ((p = take(d, n)) == NULL && n > 0)
		return false;
	c = classes_find(&d->classes, class);
	if (c == NULL || !classes_is_complete(&d->classes, c)) {
		d->nlate++;
		text_add(&d->late, (const char *)&object, sizeof object);
		text_add(&d->late, (const char *)&class, sizeof class);
		text_add(&d->late, (const char *)&n, sizeof n);
		text_add(&d->late, (const char *)p, n);
		return true;
	}
	return add_instance(d, object, c, p, n);
}

/* Adds the instances whose classes came later. */
static void
add_late(struct dump *d)
{
	uint64_t wrong = 0;

	for (size_t at = 0; at < d->late.len;) {
		uint64_t object, class;
		struct class *c;
		uint32_t n;

		memcpy(&object, d->late.s + at, sizeof object);
		memcpy(&class, d->late.s + at + 8, sizeof class);
		memcpy(&n, d->late.s + at + 16, sizeof n);
		at += 20;
		c = classes_find(&d->classes, class);
		if (c == NULL || !classes_is_complete(&d->classes, c) ||
		    !add_instance(d, object, c, (const unsigned char *)d->late.s + at, n))
			wrong++;
		at += n;
	}
	if (wrong > 0)
		reader_malformed_bytes(d->reader, d->in.offset, wrong,
		    "objects whose class, or a superclass of it, is not in the dump");
}

static bool
read_object_array(struct dump *d)
{
	const unsigned id = d->id_size;
	const unsigned char *p = take(d, 2 * (uint64_t)id + 8);
	const struct object_shape shape = {.array = true};
	uint64_t object, class, n;
	struct class *c;

	if (p == NULL)
		return false;
	object = id_at(d, p);
	n = number(p + id + 4, 4);
	class = id_at(d, p + id + 8);
	c = classes_get(&d->classes, class);
	if (n * id > d->left || !objects_add(&d->objects, object, c->number, &shape, (uint32_t)n) ||
	    !objects_refer(&d->objects, class))
		return false;
	while (n > 0) {
		const uint64_t part = n < PIECE / id ? n : PIECE / id;

		if ((p = take(d, part * id)) == NULL)
			return false;
		for (uint64_t i = 0; i < part; i++)
			if (!objects_refer(&d->objects, id_at(d, p + i * id)))
				return false;
		n -= part;
	}
	return true;
}

static bool
read_primitive_array(struct dump *d)
{
	const unsigned id = d->id_size;
	const unsigned char *p = take(d, (uint64_t)id + 9);
	struct object_shape shape = {.array = true};
	uint64_t n;

	if (p == NULL)
		return false;
	n = number(p + id + 4, 4);
	shape.element = type_size(p[id + 8], id);
	return shape.element != 0 && p[id + 8] != TYPE_OBJECT && n * shape.element <= d->left &&
	       objects_add(&d->objects, id_at(d, p),
		   classes_primitive(&d->classes, p[id + 8])->number, &shape, (uint32_t)n) &&
	       pass(d, n * shape.element);
}

static bool
read_root(struct dump *d, const struct root *r)
{
	const unsigned more = r->ids ? r->bytes * d->id_size : r->bytes;
	const unsigned char *p = take(d, (uint64_t)d->id_size + more);

	if (p == NULL)
		return false;
	if (r->tag == ROOT_THREAD)
		retained_thread(&d->retained, id_at(d, p), (uint32_t)number(p + d->id_size, 4));
	if (r->local)
		retained_local(&d->retained, id_at(d, p), (uint32_t)number(p + d->id_size, 4));
	else
		retained_root(&d->retained, id_at(d, p));
	return true;
}

/* Reads one part of a heap dump; false if it is malformed or unknown. */
static bool
read_part(struct dump *d)
{
	const unsigned char *p = take(d, 1);

	if (p == NULL)
		return false;
	switch (*p) {
	case CLASS: return read_class(d);
	case INSTANCE: return read_instance(d);
	case OBJECT_ARRAY: return read_object_array(d);
	case PRIMITIVE_ARRAY: return read_primitive_array(d);
	case 0x90: return pass(d, d->id_size); /* Android: unreachable */
	case 0xfe: return pass(d, 4 + (uint64_t)d->id_size); /* Android: the heap that follows */
	}
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		if (roots[i].tag == *p)
			return read_root(d, &roots[i]);
	return false;
}

/* ---- The file ---- */

static bool
read_record(struct dump *d, unsigned tag)
{
	const unsigned id = d->id_size;
	const unsigned char *p;
	uint64_t n = d->left, name;

	if (tag == STRING && n >= id && n - id <= CLASSES_NAME) {
		p = take(d, n);
		if (p != NULL)
			classes_string(&d->classes, id_at(d, p),
			    (struct str){(const char *)p + id, (size_t)n - id});
		return p != NULL;
	}
	if (tag == LOAD_CLASS && n >= 2 * (uint64_t)id + 8) {
		p = take(d, 2 * (uint64_t)id + 8);
		if (p == NULL)
			return false;
		name = id_at(d, p + 8 + id);
		classes_get(&d->classes, id_at(d, p + 4))->name = name;
	}
	while ((tag == HEAP_DUMP || tag == HEAP_SEGMENT) && d->left > 0) {
		const uint64_t offset = d->in.offset;

		if (read_part(d))
			continue;
		if (bytestream_peek(&d->in, 1) == NULL)
			return false;
		reader_malformed_byte(d->reader, offset,
		    "a part of a heap dump that is malformed; the rest of its segment is skipped");
		break;
	}
	return pass(d, d->left);
}

static void
read_file(struct dump *d)
{
	const unsigned char *p = bytestream_read(&d->in, strlen(MAGIC) + 2);
	unsigned tag;

	if (p != NULL)
		reader_version(d->reader, VERSION_HEAPDUMP, (unsigned)p[strlen(MAGIC)] - '0', 0);
	if (p == NULL || (p = bytestream_read(&d->in, 12)) == NULL)
		reader_refuse_byte(d->reader, d->in.offset, "the header is truncated");
	d->id_size = (unsigned)number(p, 4);
	if (d->id_size != 4 && d->id_size != 8)
		reader_refuse_byte(d->reader, strlen(MAGIC) + 2, "IDs have 4 or 8 bytes");
	while ((p = bytestream_peek(&d->in, 9)) != NULL) {
		tag = p[0];
		d->left = number(p + 5, 4);
		bytestream_skip(&d->in, 9);
		if (!read_record(d, tag)) {
			reader_malformed_byte(d->reader, d->in.offset,
			    "the heap dump is truncated: objects are missing");
			return;
		}
	}
	if (bytestream_peek(&d->in, 1) != NULL)
		reader_malformed_byte(d->reader, d->in.offset, "the heap dump is truncated");
}

static void
read_input(struct reader *r)
{
	struct dump d = {.reader = r};

	bytestream_init(&d.in, lines_source(r->lines));
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	read_file(&d);
	add_late(&d);
	retained_give(&d.retained, &d.objects, &d.classes, r, d.id_size);
	bytestream_free(&d.in);
	retained_free(&d.retained);
	objects_free(&d.objects);
	classes_free(&d.classes);
	text_free(&d.late);
}

/* The text of the hprof agent has the same start. */
static int
sniff(const char *data, size_t len)
{
	return text_starts(data, len, MAGIC) && len > strlen(MAGIC) + 1 &&
		       data[strlen(MAGIC) + 1] == '\0'
		   ? 100
		   : 0;
}

const struct format heapdump_format = {
    .provides = DATA_EVENT | DATA_PACKAGES,
    .bytes = FORMAT_BINARY,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
