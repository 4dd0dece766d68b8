/*
 * jfrchunk: parses header, metadata and constant pools of flight recordings as written by
 * the JDK's hotspot/share/jfr and jdk.jfr.internal.
 */
#include "fg-collapse/jfr/jfrchunk.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/jfr/jfrold.h"
#include "fg-collapse/shape/scan.h"

#define HEADER 68
#define SMALLEST 16 /* header of version 0.9 */
#define DEEPEST 16 /* levels of metadata */
#define FIELDS_MAX 10000 /* fields of one type */

enum { METADATA, CHECKPOINT }; /* event types that all chunks have */

static struct str
string_of(const struct jfr_chunk *c, uint64_t n)
{
	return n < c->nstring ? c->string[n] : (struct str){0};
}

/*
 * Reads a metadata element and its children, at most DEEPEST levels; a class has fields.
 */
static void
read_element(struct jfr_chunk *c, struct jfr_cursor *at, size_t class, int depth)
{
	struct str element = string_of(c, jfr_int(at)), name = {0};
	uint64_t attributes = jfr_int(at), children, id = 0;
	struct jfr_field f = {0};
	bool has_id = false;

	if (depth == DEEPEST)
		at->in.bad = true;
	for (; attributes > 0 && !at->in.bad; attributes--) {
		struct str key = string_of(c, jfr_int(at)), v = string_of(c, jfr_int(at)),
			   digits = v;

		if (str_is(key, "id"))
			has_id = scan_number(&digits, &id);
		else if (str_is(key, "name"))
			name = v;
		else if (str_is(key, "class"))
			scan_number(&digits, &f.type);
		else if (str_is(key, "constantPool"))
			f.constant = str_is(v, "true");
		else if (str_is(key, "dimension"))
			f.array = !str_is(v, "0");
	}
	if (str_is(element, "class")) {
		class = has_id && jfr_type_add(c, id, name) != NULL ? c->ntype : 0;
	} else if (str_is(element, "field") && class != 0) {
		struct jfr_type *t = &c->type[class - 1];

		f.name = name;
		if (t->nfield == FIELDS_MAX)
			at->in.bad = true;
		vec_fit(t->field, t->capfield, t->nfield + 1);
		t->field[t->nfield++] = f;
		class = 0; /* children of a field are annotations */
	} else if (depth > 1) {
		class = 0;
	}
	for (children = jfr_int(at); children > 0 && !at->in.bad; children--)
		read_element(c, at, class, depth + 1);
}

void
jfr_chunk_free(struct jfr_chunk *c)
{
	jfr_forget_types(c);
	free(c->type);
	free(c->string);
	free(c->owned);
}

static void
read_metadata(struct jfr_chunk *c, struct jfr_cursor *at)
{
	size_t begin = at->in.at;
	uint64_t n;

	jfr_forget_types(c); /* an earlier metadata event, which this one supersedes */
	jfr_long(at);
	jfr_long(at);
	jfr_long(at);
	for (n = jfr_int(at); n > 0 && !at->in.bad; n--) {
		vec_fit(c->string, c->capstring, c->nstring + 1);
		c->string[c->nstring++] = jfr_kept_text(c, at);
	}
	read_element(c, at, 0, 0);
	if (at->in.bad)
		jfr_chunk_fault(c, begin, "truncated or malformed metadata of a chunk");
}

/* Skips the constants, type after type, and records the position of each. */
static void
read_constants(struct jfr_chunk *c, struct jfr_cursor *at)
{
	size_t begin = at->in.at;
	uint64_t pools;

	jfr_long(at);
	jfr_long(at);
	jfr_long(at);
	cursor_u8(&at->in);
	for (pools = jfr_int(at); pools > 0 && !at->in.bad; pools--) {
		struct jfr_type *t = jfr_type(c, jfr_long(at));
		struct jfr_field one = {.type = t == NULL ? 0 : t->number};

		if (t == NULL)
			at->in.bad = true;
		for (uint64_t n = jfr_int(at); n > 0 && !at->in.bad; n--) {
			uint64_t number = jfr_long(at);
			size_t where = at->in.at;

			jfr_skip(c, at, &one);
			if (!at->in.bad && at->in.at > where)
				*intmap_at(&t->constants, number) = (void *)(uintptr_t)(where + 1);
		}
	}
	if (at->in.bad)
		jfr_chunk_fault(c, begin, "constants that are truncated or of an unknown type");
}

bool
jfr_chunk_read(struct jfr_chunk *c, struct reader *r, const unsigned char *data, size_t len,
    size_t at, enum jfr_part part)
{
	struct cursor head = cursor_of(data, len, CURSOR_BIG);
	struct jfr_cursor event;
	uint64_t size, type;
	size_t next = 0;
	unsigned major, minor;

	*c = (struct jfr_chunk){
	    .reader = r, .data = data, .begin = at, .end = len, .quiet = part == JFR_TYPES};
	if (len - at < SMALLEST || memcmp(data + at, "FLR", 4) != 0) {
		jfr_chunk_fault(c, at, "not a chunk of a flight recording");
		return false;
	}
	head.at = at + 4;
	major = cursor_u16(&head);
	if (major == 0) {
		jfrold_read(c, part);
		return true;
	}
	if (len - at < HEADER) {
		jfr_chunk_fault(c, at, "a truncated chunk of a flight recording");
		return false;
	}
	c->first = at + HEADER;
	minor = cursor_u16(&head);
	if (at == 0 && part == JFR_ALL)
		reader_version(r, VERSION_JFR, major, minor);
	size = cursor_u64(&head);
	head.at += 16;
	c->start_ns = cursor_u64(&head);
	head.at += 8;
	c->start_ticks = cursor_u64(&head);
	c->ticks_per_second = cursor_u64(&head);
	c->fixed = (data[at + HEADER - 1] & 1) == 0;
	if (size > HEADER && size <= len - at)
		c->end = at + (size_t)size;
	else if (size != 0)
		jfr_chunk_fault(c, at, "a chunk that extends past the end of the input");
	while (jfr_chunk_event(c, &next, &event, &type))
		if (type == METADATA)
			read_metadata(c, &event);
	next = 0;
	while (part == JFR_ALL && jfr_chunk_event(c, &next, &event, &type))
		if (type == CHECKPOINT)
			read_constants(c, &event);
	return true;
}
