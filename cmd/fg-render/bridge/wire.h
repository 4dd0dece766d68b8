/*
 * wire: fields of a protocol buffer that is too long to be packed as one message
 * (<https://protobuf.dev/programming-guides/encoding>), written or counted.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#include "base/text.h"

struct wire {
	void (*sink)(void *to, const void *bytes, size_t len); /* NULL: they are only counted */
	void *to;
	uint64_t n; /* bytes so far */
	struct text message, number; /* at hand */
};

void wire_free(struct wire *w);

void wire_number(struct wire *w, unsigned field, uint64_t v);
void wire_bytes(struct wire *w, unsigned field, const void *s, size_t len);
void wire_message(struct wire *w, unsigned field, const ProtobufCMessage *m);

/* What stands before a message of so many bytes, which follow. */
void wire_begin(struct wire *w, unsigned field, uint64_t len);

#endif
