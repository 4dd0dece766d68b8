/*
 * wire: varints and length-delimited fields.
 */
#include "fg-render/bridge/wire.h"

#include "fg-render/bridge/bridge.h"
#include "fg-render/picture/payload.h"

enum { VARINT, BYTES = 2 };

static void
put(struct wire *w, const void *s, size_t len)
{
	w->n += len;
	if (w->sink != NULL)
		w->sink(w->to, s, len);
}

static void
varint(struct wire *w, uint64_t v)
{
	text_cut(&w->number, 0);
	payload_varint(&w->number, v);
	put(w, w->number.s, w->number.len);
}

void
wire_number(struct wire *w, unsigned field, uint64_t v)
{
	varint(w, field << 3 | VARINT);
	varint(w, v);
}

void
wire_begin(struct wire *w, unsigned field, uint64_t len)
{
	varint(w, field << 3 | BYTES);
	varint(w, len);
}

void
wire_bytes(struct wire *w, unsigned field, const void *s, size_t len)
{
	wire_begin(w, field, len);
	put(w, s, len);
}

struct text *
wire_part(struct wire *w)
{
	text_cut(&w->message, 0);
	return &w->message;
}

void
wire_end(struct wire *w, unsigned field)
{
	wire_bytes(w, field, w->message.s, w->message.len);
}

void
wire_pair(struct wire *w, unsigned field, uint64_t first, uint64_t second)
{
	struct text *m = wire_part(w);

	part_number(m, 1, first);
	part_number(m, 2, second);
	wire_end(w, field);
}

void
part_number(struct text *m, unsigned field, uint64_t v)
{
	if (v == 0)
		return;
	payload_varint(m, field << 3 | VARINT);
	payload_varint(m, v);
}

void
part_bytes(struct text *m, unsigned field, const void *s, size_t len)
{
	payload_varint(m, field << 3 | BYTES);
	payload_varint(m, len);
	text_add(m, s, len);
}

struct text *
wire_list(struct wire *w)
{
	text_cut(&w->list, 0);
	return &w->list;
}

void
part_list(struct text *m, unsigned field, struct str list)
{
	if (list.len > 0)
		part_bytes(m, field, list.s, list.len);
}

size_t
wire_code(char *to, uint32_t number)
{
	return (size_t)(payload_put(to, number) - to);
}

void
wire_free(struct wire *w)
{
	text_free(&w->message);
	text_free(&w->list);
	text_free(&w->number);
}
