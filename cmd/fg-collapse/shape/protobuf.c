/*
 * protobuf: the field iterator, and the memory for protobuf-c: one block, reused for each
 * message. If a message needs more, the excess is allocated separately, and the block is
 * enlarged for the next message.
 */
#include "fg-collapse/shape/protobuf.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/source.h"
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

/* Reads a varint of at most ten bytes, 7 bits each, lowest first; false if it is not
 * terminated. */
static bool
long_varint(struct str s, size_t *at, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; shift < 70 && *at < s.len; shift += 7) {
		uint64_t byte = (unsigned char)s.s[(*at)++];

		if (shift == 63 && byte > 1)
			return false;
		*n |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static inline bool
varint(struct str s, size_t *at, uint64_t *n)
{
	if (*at >= s.len || (unsigned char)s.s[*at] >= 0x80)
		return long_varint(s, at, n);
	*n = (unsigned char)s.s[(*at)++];
	return true;
}

static bool
fixed(struct str s, size_t *at, unsigned size, uint64_t *n)
{
	*n = 0;
	if (s.len - *at < size)
		return false;
	for (unsigned i = 0; i < size; i++)
		*n |= (uint64_t)(unsigned char)s.s[(*at)++] << 8 * i;
	return true;
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
	struct str s = p->bytes;
	size_t begin = p->at, at = begin;
	uint64_t tag, n;
	bool good;

	if (at >= s.len)
		return false;
	if (!varint(s, &at, &tag))
		return fault(p, begin, at == s.len, "not a field of a protocol buffer");
	*f = (struct protobuf_field){
	    .wire = (enum protobuf_wire)(tag & 7), .offset = p->offset + begin};
	if (tag >> 3 == 0 || tag >> 3 > UINT32_C(0x1fffffff))
		return fault(p, begin, false, "not a field of a protocol buffer");
	f->number = (uint32_t)(tag >> 3);
	switch (f->wire) {
	case PROTOBUF_VARINT: good = varint(s, &at, &f->n); break;
	case PROTOBUF_FIXED64: good = fixed(s, &at, 8, &f->n); break;
	case PROTOBUF_FIXED32: good = fixed(s, &at, 4, &f->n); break;
	case PROTOBUF_BYTES:
		good = varint(s, &at, &n);
		if (good && n > s.len - at)
			return fault(p, begin, true,
			    "a field that extends past the end of its "
			    "message");
		if (good)
			f->bytes = (struct str){s.s + at, (size_t)n};
		at += f->bytes.len;
		break;
	default: return fault(p, begin, false, "not a field of a protocol buffer");
	}
	if (!good)
		return fault(p, begin, at == s.len, "an unterminated number");
	p->at = at;
	return true;
}

bool
protobuf_number(const struct protobuf_field *f, size_t *at, uint64_t *n)
{
	if (f->wire == PROTOBUF_BYTES)
		return *at < f->bytes.len && varint(f->bytes, at, n);
	*n = f->n;
	return (*at)++ == 0;
}

#ifdef HAVE_PROTOBUF
#include <protobuf-c/protobuf-c.h>

struct beside {
	struct beside *next;
};

static struct {
	char *block;
	size_t len, cap;
	size_t wanted; /* bytes that this message needs, separate allocations included */
	struct beside *beside;
} memory;

static void
forget(void)
{
	for (struct beside *b = memory.beside, *next; b != NULL; b = next) {
		next = b->next;
		free(b);
	}
	memory.beside = NULL;
	memory.len = memory.wanted = 0;
}

static void *
allocate(void *data, size_t size)
{
	struct beside *b;
	void *at;

	(void)data;
	size = (size + 15) & ~(size_t)15;
	if (size > source_bound(0) || memory.wanted > source_bound(0))
		return NULL;
	memory.wanted += size;
	if (memory.cap - memory.len >= size) {
		at = memory.block + memory.len;
		memory.len += size;
		return at;
	}
	b = malloc(sizeof(struct beside) + 8 + size);
	if (b == NULL)
		return NULL;
	b->next = memory.beside;
	memory.beside = b;
	return (char *)b + 16;
}

static void
release(void *data, void *p)
{
	(void)data;
	(void)p;
}

void *
protobuf_unpack(const struct ProtobufCMessageDescriptor *descriptor, const struct protobuf *p,
    const struct protobuf_field *f)
{
	static ProtobufCAllocator allocator = {.alloc = allocate, .free = release};
	size_t wanted = memory.wanted;
	void *m = NULL;

	forget();
	if (wanted > memory.cap) {
		free(memory.block);
		memory.cap = wanted + wanted / 2;
		memory.block = cli_alloc(memory.cap, 1);
	}
	if (f->wire == PROTOBUF_BYTES)
		m = protobuf_c_message_unpack(
		    descriptor, &allocator, f->bytes.len, (const uint8_t *)f->bytes.s);
	if (m == NULL && p->reader != NULL)
		reader_malformed_byte(p->reader, f->offset, "not a message of this kind");
	return m;
}

void
protobuf_done(void)
{
	forget();
	free(memory.block);
	memory.block = NULL;
	memory.cap = 0;
}
#endif
