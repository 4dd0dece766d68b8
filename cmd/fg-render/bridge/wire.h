/*
 * wire: fields of a protocol buffer message too large to be built in memory
 * (<https://protobuf.dev/programming-guides/encoding>), written or only counted.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#include "base/text.h"

struct wire {
	void (*sink)(void *to, const void *bytes, size_t len); /* NULL: bytes are only counted */
	void *to;
	uint64_t n; /* number of bytes so far */
	struct text message, number; /* scratch */
};

void wire_free(struct wire *w);

void wire_number(struct wire *w, unsigned field, uint64_t v);
void wire_bytes(struct wire *w, unsigned field, const void *s, size_t len);
void wire_message(struct wire *w, unsigned field, const ProtobufCMessage *m);

/* Writes the header of a message of len bytes; the caller writes these. */
void wire_begin(struct wire *w, unsigned field, uint64_t len);

#endif
