/*
 * jfrtype: values of flight recordings as written by the JDK's hotspot/share/jfr and
 * jdk.jfr.internal.
 */
#include "fg-collapse/jfr/jfrtype.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/scan.h"
#include "base/utf8.h"

#define DEEPEST 16 /* nesting of types */

enum { NULL_TEXT, EMPTY_TEXT, CONSTANT_TEXT, UTF8_TEXT, CHARS_TEXT, LATIN1_TEXT };

void
jfr_chunk_fault(struct jfr_chunk *c, size_t at, const char *why)
{
	if (!c->quiet)
		reader_malformed_byte(c->reader, at, why);
}

/* Reads a varint: 7 bits per byte, lowest first; the ninth byte has eight. */
static uint64_t
varint(struct jfr_cursor *c)
{
	uint64_t n = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = cursor_u8(&c->in);

		if (c->in.bad)
			return 0;
		if (shift == 56)
			return n | byte << 56;
		n |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
}

uint64_t
jfr_int(struct jfr_cursor *c)
{
	return c->fixed ? cursor_u32(&c->in) : (uint32_t)varint(c);
}

uint64_t
jfr_long(struct jfr_cursor *c)
{
	return c->fixed ? cursor_u64(&c->in) : varint(c);
}

static struct str
bytes(struct jfr_cursor *c, uint64_t n)
{
	const char *s = cursor_read(&c->in, n);

	return s == NULL ? (struct str){0} : (struct str){s, (size_t)n};
}

/* Reads UTF-16 after its length. */
static struct str
chars(struct jfr_cursor *c, struct text *t)
{
	text_cut(t, 0);
	for (uint64_t n = jfr_int(c); n > 0 && !c->in.bad; n--)
		utf8_add(t, c->fixed ? cursor_u16(&c->in) : varint(c));
	return text_as_str(t);
}

static struct str
tagged_text(const struct jfr_chunk *chunk, struct jfr_cursor *c, struct text *t)
{
	uint64_t kind = cursor_u8(&c->in);
	struct jfr_cursor at;
	struct str s;

	switch (kind) {
	case NULL_TEXT:
	case EMPTY_TEXT: return (struct str){0};
	case CONSTANT_TEXT:
		if (!jfr_constant(
			chunk, jfr_type_named(chunk, "java.lang.String"), jfr_long(c), &at) ||
		    at.in.data[at.in.at] == CONSTANT_TEXT)
			return (struct str){0};
		return tagged_text(chunk, &at, t);
	case UTF8_TEXT: return bytes(c, jfr_int(c));
	case CHARS_TEXT: return chars(c, t);
	case LATIN1_TEXT:
		s = bytes(c, jfr_int(c));
		text_cut(t, 0);
		for (size_t i = 0; i < s.len; i++)
			utf8_add(t, (unsigned char)s.s[i]);
		return text_as_str(t);
	}
	c->in.bad = true;
	return (struct str){0};
}

struct str
jfr_text(
    const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f, struct text *t)
{
	const struct jfr_type *type = jfr_type(chunk, f->type);

	if (type != NULL && type->primitive_kind == 'u')
		return bytes(c, cursor_u16(&c->in));
	if (type != NULL && type->primitive_kind == 'w')
		return chars(c, t);
	return tagged_text(chunk, c, t);
}

static void
skip_text(struct jfr_cursor *c)
{
	uint64_t kind = cursor_u8(&c->in);

	if (kind == CONSTANT_TEXT)
		jfr_long(c);
	else if (kind == UTF8_TEXT || kind == LATIN1_TEXT)
		bytes(c, jfr_int(c));
	else if (kind == CHARS_TEXT)
		for (uint64_t n = jfr_int(c); n > 0 && !c->in.bad; n--)
			c->fixed ? cursor_u16(&c->in) : varint(c);
	else if (kind > CHARS_TEXT)
		c->in.bad = true;
}

struct str
jfr_kept_text(struct jfr_chunk *chunk, struct jfr_cursor *c)
{
	struct text t = {0};
	struct str s = tagged_text(chunk, c, &t);

	if (t.s != NULL) {
		vec_fit(chunk->owned, chunk->capowned, chunk->nowned + 1);
		chunk->owned[chunk->nowned++] = t.s;
	}
	return s;
}

struct jfr_type *
jfr_type(const struct jfr_chunk *c, uint64_t number)
{
	uintptr_t n = (uintptr_t)intmap_get(&c->by_number, number);

	return n == 0 ? NULL : &c->type[n - 1];
}

/* JDK 9 names the types of constants com.oracle.jfr.types.X, later ones jdk.types.X. */
struct jfr_type *
jfr_type_named(const struct jfr_chunk *c, const char *name)
{
	struct str rest = str_of(name);
	bool constant = scan_word(&rest, "jdk.types.");

	for (size_t i = 0; i < c->ntype; i++) {
		struct str s = c->type[i].name;

		if (str_is(s, name) ||
		    (constant && scan_word(&s, "com.oracle.jfr.types.") && str_equal(s, rest)))
			return &c->type[i];
	}
	return NULL;
}

bool
jfr_constant(
    const struct jfr_chunk *c, const struct jfr_type *t, uint64_t number, struct jfr_cursor *at)
{
	uintptr_t where = t == NULL ? 0 : (uintptr_t)intmap_get(&t->constants, number);

	if (where == 0)
		return false;
	*at = (struct jfr_cursor){.in = cursor_of(c->data, c->end, CURSOR_BIG),
	    .fixed = c->fixed,
	    .steps = 64 + 16 * (uint64_t)(c->end - (where - 1))};
	at->in.at = where - 1;
	return true;
}

static uint64_t
primitive(struct jfr_cursor *c, char kind)
{
	switch (kind) {
	case 'z':
	case 'b': return cursor_u8(&c->in);
	case 's':
	case 'c': return c->fixed ? cursor_u16(&c->in) : varint(c);
	case 'i': return jfr_int(c);
	case 'l': return jfr_long(c);
	case 'f': cursor_u32(&c->in); return 0;
	case 'd': cursor_u64(&c->in); return 0;
	case 'S': skip_text(c); return 0;
	case 'u': bytes(c, cursor_u16(&c->in)); return 0;
	case 'w': bytes(c, 2 * jfr_int(c)); return 0;
	}
	return 0;
}

static uint64_t
constant_number(struct jfr_cursor *c, const struct jfr_field *f)
{
	return f->key == 0 ? jfr_long(c) : primitive(c, f->key);
}

static void
skip(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f, int depth)
{
	uint64_t n = f->array ? jfr_int(c) : 1;
	const struct jfr_type *t = f->constant ? NULL : jfr_type(chunk, f->type);

	if (!f->constant && (t == NULL || depth == DEEPEST))
		c->in.bad = true;
	for (; n > 0 && !c->in.bad; n--) {
		if (c->steps-- == 0) {
			c->in.bad = true;
			c->steps = 0;
		} else if (f->constant) {
			constant_number(c, f);
		} else if (t->primitive) {
			primitive(c, t->primitive_kind);
		} else {
			for (size_t i = 0; i < t->nfield && !c->in.bad; i++)
				skip(chunk, c, &t->field[i], depth + 1);
		}
	}
}

void
jfr_skip(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f)
{
	skip(chunk, c, f, 0);
}

uint64_t
jfr_number(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f)
{
	const struct jfr_type *t = jfr_type(chunk, f->type);

	if (!f->array && f->constant)
		return constant_number(c, f);
	if (!f->array && t != NULL && t->primitive)
		return primitive(c, t->primitive_kind);
	jfr_skip(chunk, c, f);
	return 0;
}

struct jfr_type *
jfr_type_add(struct jfr_chunk *c, uint64_t number, struct str name)
{
	static const struct {
		const char *name;
		char kind;
	} primitives[] = {{"boolean", 'z'}, {"byte", 'b'}, {"short", 's'}, {"char", 'c'},
	    {"int", 'i'}, {"long", 'l'}, {"float", 'f'}, {"double", 'd'},
	    {"java.lang.String", 'S'}};
	void **at = intmap_at(&c->by_number, number);
	struct jfr_type *t;

	if (*at != NULL)
		return NULL;
	if (str_starts(name, "com.oracle.jdk.")) /* an event type of JDK 9 */
		scan_word(&name, "com.oracle.");
	vec_fit(c->type, c->captype, c->ntype + 1);
	t = &c->type[c->ntype++];
	*t = (struct jfr_type){.number = number, .name = name};
	for (size_t i = 0; i < sizeof primitives / sizeof primitives[0]; i++)
		if (str_is(name, primitives[i].name)) {
			t->primitive = true;
			t->primitive_kind = primitives[i].kind;
		}
	*at = (void *)(uintptr_t)c->ntype;
	return t;
}

void
jfr_forget_types(struct jfr_chunk *c)
{
	for (size_t i = 0; i < c->ntype; i++) {
		free(c->type[i].field);
		free(c->type[i].constants.slot);
	}
	for (size_t i = 0; i < c->nowned; i++)
		free(c->owned[i]);
	free(c->by_number.slot);
	c->by_number = (struct intmap){0};
	c->ntype = c->nowned = c->nstring = 0;
}

bool
jfr_chunk_event(struct jfr_chunk *c, size_t *at, struct jfr_cursor *event, uint64_t *type)
{
	struct jfr_cursor e = {.in = cursor_of(c->data, c->end, CURSOR_BIG), .fixed = c->fixed};
	uint64_t size;

	if (*at == 0)
		*at = c->first;
	if (*at >= c->end)
		return false;
	e.in.at = *at;
	size = jfr_int(&e);
	if (e.in.bad || size < 2 || size < e.in.at - *at || size > c->end - *at) {
		/* The JVM did not finish this chunk: its end is zeros. */
		size_t i = *at;

		while (i < c->end && c->data[i] == 0)
			i++;
		if (i < c->end && !c->cut)
			jfr_chunk_fault(c, *at, "an event that extends past the end of its chunk");
		c->cut = true;
		*at = c->end;
		return false;
	}
	e.in.end = *at + (size_t)size;
	e.steps = 64 + 16 * size;
	*type = c->old ? jfr_int(&e) : jfr_long(&e);
	*at = e.in.end;
	*event = e;
	return true;
}

uint64_t
jfr_ticks_ns(const struct jfr_chunk *c, uint64_t ticks)
{
	return c->ticks_per_second == 0
		   ? 0
		   : (uint64_t)((unsigned __int128)ticks * 1000000000 / c->ticks_per_second);
}

uint64_t
jfr_time(const struct jfr_chunk *c, uint64_t ticks)
{
	return ticks < c->start_ticks ? c->start_ns - jfr_ticks_ns(c, c->start_ticks - ticks)
				      : c->start_ns + jfr_ticks_ns(c, ticks - c->start_ticks);
}
