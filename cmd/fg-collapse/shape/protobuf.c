/*
 * protobuf: the field iterator, and the reader of small messages.
 */
#include "fg-collapse/shape/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/reader.h"

void
protobuf_init(struct protobuf *p, struct reader *r, struct str bytes, uint64_t offset)
{
	*p = (struct protobuf){.reader = r, .bytes = bytes, .offset = offset};
}

void
protobuf_enter(struct protobuf *p, const struct protobuf *outer, const struct protobuf_field *f)
{
	protobuf_init(
	    p, outer->reader, f->bytes, outer->offset + (uint64_t)(f->bytes.s - outer->bytes.s));
}

/* A number and the end of its bytes, in registers; NULL if they are not terminated. */
struct varint {
	const unsigned char *end;
	uint64_t n;
};

/* Reads a varint of at most ten bytes, 7 bits each, lowest first. */
static __attribute__((noinline)) struct varint
long_varint(const unsigned char *at, const unsigned char *end)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
		uint64_t byte = *at++;

		if (shift == 63 && byte > 1)
			break;
		n |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return (struct varint){at, n};
	}
	return (struct varint){NULL, 0};
}

static inline struct varint
varint(const unsigned char *at, const unsigned char *end)
{
	if (at < end && *at < 0x80)
		return (struct varint){at + 1, *at};
	if (end - at > 1 && at[1] < 0x80)
		return (struct varint){at + 2, (*at & 0x7f) | (uint64_t)at[1] << 7};
	return long_varint(at, end);
}

static struct varint
fixed(const unsigned char *at, const unsigned char *end, unsigned size)
{
	struct varint v = {at + size, 0};

	if ((size_t)(end - at) < size)
		return (struct varint){NULL, 0};
	for (unsigned i = 0; i < size; i++)
		v.n |= (uint64_t)at[i] << 8 * i;
	return v;
}

static const unsigned char *
begin_of(struct str s)
{
	return (const unsigned char *)s.s;
}

static bool
fault(struct protobuf *p, size_t at, bool cut, const char *why)
{
	p->broken = !cut;
	p->cut = cut;
	p->at = p->bytes.len;
	if (p->reader != NULL)
		reader_malformed_byte(p->reader, p->offset + at, why);
	return false;
}

bool
protobuf_next(struct protobuf *p, struct protobuf_field *f)
{
	const unsigned char *begin, *end;
	struct varint tag, v = {NULL, 0};

	if (p->at >= p->bytes.len)
		return false;
	begin = begin_of(p->bytes) + p->at;
	end = begin_of(p->bytes) + p->bytes.len;
	tag = varint(begin, end);
	if (tag.end == NULL) /* ten bytes are not a number even if more follow */
		return fault(p, p->at, end - begin < 10, "not a field of a protocol buffer");
	*f = (struct protobuf_field){.wire = (enum protobuf_wire)(tag.n & 7),
	    .offset = p->offset + p->at,
	    .reader = p->reader};
	if (tag.n >> 3 == 0 || tag.n >> 3 > UINT32_C(0x1fffffff))
		return fault(p, p->at, false, "not a field of a protocol buffer");
	f->number = (uint32_t)(tag.n >> 3);
	switch (f->wire) {
	case PROTOBUF_VARINT: v = varint(tag.end, end); break;
	case PROTOBUF_FIXED64: v = fixed(tag.end, end, 8); break;
	case PROTOBUF_FIXED32: v = fixed(tag.end, end, 4); break;
	case PROTOBUF_BYTES:
		v = varint(tag.end, end);
		if (v.end == NULL)
			break;
		if (v.n > (uint64_t)(end - v.end))
			return fault(p, p->at, true,
			    "a field that extends past the end of its "
			    "message");
		f->bytes = (struct str){(const char *)v.end, (size_t)v.n};
		p->at = (size_t)(v.end + v.n - begin_of(p->bytes));
		return true;
	default: return fault(p, p->at, false, "not a field of a protocol buffer");
	}
	if (v.end == NULL)
		return fault(p, p->at, end - tag.end < 10, "an unterminated number");
	f->n = v.n;
	p->at = (size_t)(v.end - begin_of(p->bytes));
	return true;
}

bool
protobuf_number(const struct protobuf_field *f, size_t *at, uint64_t *n)
{
	struct varint v;

	if (f->wire != PROTOBUF_BYTES) {
		*n = f->n;
		return (*at)++ == 0;
	}
	if (*at >= f->bytes.len)
		return false;
	v = varint(begin_of(f->bytes) + *at, begin_of(f->bytes) + f->bytes.len);
	*n = v.n;
	*at = v.end == NULL ? f->bytes.len : (size_t)(v.end - begin_of(f->bytes));
	if (v.end == NULL && f->reader != NULL)
		reader_malformed_byte(f->reader, f->offset, "a list with a damaged number");
	return v.end != NULL;
}

void
protobuf_numbers_free(struct protobuf_numbers *x)
{
	free(x->at);
	*x = (struct protobuf_numbers){0};
}

/* Appends the varints of a list. */
static bool
add_packed(struct protobuf_numbers *x, struct str packed)
{
	const unsigned char *at = begin_of(packed), *end = at + packed.len;
	uint64_t *to;

	if (packed.len == 0)
		return true;
	vec_fit(x->at, x->cap, x->n + packed.len); /* a byte each at least */
	for (to = x->at + x->n; at < end; to++) {
		struct varint v = varint(at, end);

		if (v.end == NULL)
			return false;
		*to = v.n;
		at = v.end;
	}
	x->n = (size_t)(to - x->at);
	return true;
}

/* Appends a message; its members are zero at first. */
static bool
add_item(struct protobuf_items *x, const struct protobuf_member *m, struct str bytes)
{
	char *item;

	if (x->n == x->cap) {
		x->cap = x->cap * 2 + 4;
		x->at = cli_realloc(x->at, x->cap, m->size);
	}
	item = (char *)x->at + x->n++ * m->size;
	memset(item, 0, m->size);
	return protobuf_read(bytes, m->table, m->n, item);
}

static bool
add_text(struct protobuf_texts *x, struct str bytes)
{
	vec_fit(x->at, x->cap, x->n + 1);
	x->at[x->n++] = bytes;
	return true;
}

static inline bool
store_bytes(const struct protobuf_member *m, void *to, struct str bytes)
{
	switch (m->type) {
	case PROTOBUF_SKIP: return true;
	case PROTOBUF_TEXT: *(struct str *)to = bytes; return true;
	case PROTOBUF_TEXTS: return add_text(to, bytes);
	case PROTOBUF_NUMBERS: return add_packed(to, bytes);
	case PROTOBUF_ITEMS: return add_item(to, m, bytes);
	case PROTOBUF_NUMBER: break;
	}
	return false;
}

static inline bool
store_number(const struct protobuf_member *m, void *to, uint64_t n)
{
	struct protobuf_numbers *x = to;

	if (m->type == PROTOBUF_NUMBER) {
		memcpy(to, &n, sizeof n);
	} else if (m->type == PROTOBUF_NUMBERS) {
		vec_fit(x->at, x->cap, x->n + 1);
		x->at[x->n++] = n;
	}
	return m->type == PROTOBUF_SKIP || m->type == PROTOBUF_NUMBER ||
	       m->type == PROTOBUF_NUMBERS;
}

bool
protobuf_read(struct str s, const struct protobuf_member *table, size_t n, void *to)
{
	static const struct protobuf_member skip;
	const unsigned char *at = begin_of(s), *end = s.len > 0 ? at + s.len : at;

	while (at < end) {
		const struct varint tag = varint(at, end);
		const uint64_t field = tag.n >> 3;
		const struct protobuf_member *m = field < n ? &table[field] : &skip;
		void *member = (char *)to + m->member;
		struct varint v = {NULL, 0};

		if (tag.end == NULL || field == 0 || field > UINT32_C(0x1fffffff))
			return false;
		switch (tag.n & 7) {
		case PROTOBUF_VARINT:
			v = varint(tag.end, end);
			if (v.end == NULL || !store_number(m, member, v.n))
				return false;
			break;
		case PROTOBUF_BYTES:
			v = varint(tag.end, end);
			if (v.end == NULL || v.n > (uint64_t)(end - v.end) ||
			    !store_bytes(m, member, (struct str){(const char *)v.end, (size_t)v.n}))
				return false;
			v.end += v.n;
			break;
		case PROTOBUF_FIXED64:
		case PROTOBUF_FIXED32:
			if (m->type == PROTOBUF_SKIP)
				v = fixed(tag.end, end, (tag.n & 7) == PROTOBUF_FIXED64 ? 8 : 4);
			break;
		}
		if (v.end == NULL)
			return false;
		at = v.end;
	}
	return true;
}

bool
protobuf_message_of(const struct protobuf *p, const struct protobuf_field *f,
    const struct protobuf_member *table, size_t n, void *to)
{
	if (f->wire == PROTOBUF_BYTES && protobuf_read(f->bytes, table, n, to))
		return true;
	if (p->reader != NULL)
		reader_malformed_byte(p->reader, f->offset, "not a message of this kind");
	return false;
}
