/*
 * wire: varints and length-delimited fields.
 */
#ifdef HAVE_PROTOBUF
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

void
wire_message(struct wire *w, unsigned field, const ProtobufCMessage *m)
{
	size_t len = protobuf_c_message_get_packed_size(m);

	if (w->sink != NULL) {
		text_cut(&w->message, 0);
		text_reserve(&w->message, len);
		protobuf_c_message_pack(m, (uint8_t *)w->message.s);
	}
	wire_bytes(w, field, w->message.s, len);
}

void
wire_free(struct wire *w)
{
	text_free(&w->message);
	text_free(&w->number);
}
#else
typedef int wire_left_out; /* ISO C forbids an empty translation unit */
#endif
