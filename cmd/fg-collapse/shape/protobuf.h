/*
 * protobuf: reads protocol buffers in bounded memory. protobuf-c decodes a complete
 * message, which takes many times its size, and reports neither the position of an error nor
 * the data before it. So the fields of the outermost messages, which are as long as the
 * profile, are iterated here; protobuf-c decodes only the message in each field, which is
 * freed before the next.
 *
 *	struct protobuf p;
 *	struct protobuf_field f;
 *
 *	protobuf_init(&p, r, bytes, offset);
 *	while (protobuf_next(&p, &f))
 *		if (f.number == 2 && (m = protobuf_unpack(&pprof__sample__descriptor, &p, &f)))
 *			read the sample
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct reader;

enum protobuf_wire {
	PROTOBUF_VARINT,
	PROTOBUF_FIXED64,
	PROTOBUF_BYTES,
	PROTOBUF_FIXED32 = 5,
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_wire wire;
	uint64_t n; /* the value, except of PROTOBUF_BYTES */
	struct str bytes; /* the value of PROTOBUF_BYTES, in the input */
	uint64_t offset; /* offset of the field in the input */
};

struct protobuf {
	struct reader *reader; /* NULL: do not report errors, as for sniffing */
	struct str bytes; /* the message */
	uint64_t offset; /* offset of bytes in the input */
	size_t at; /* offset of the next field in bytes */
	bool broken; /* the next field was malformed */
	bool cut; /* or truncated by the end of the message */
};

/* Starts to iterate over a message; offset is that of its bytes in the input. */
void protobuf_init(struct protobuf *p, struct reader *r, struct str bytes, uint64_t offset);

/* Starts to iterate over a message that is a field of another one. */
void protobuf_enter(
    struct protobuf *p, const struct protobuf *outer, const struct protobuf_field *f);

/* Reads the next field; false after the last one or, after reporting it, if the next is
 * malformed. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *f);

/* Iterates over the numbers of a field, packed or not; *at is 0 at first. */
bool protobuf_number(const struct protobuf_field *f, size_t *at, uint64_t *n);

/*
 * Decodes a field as a message of a generated type; valid until the next call. Reports it
 * and returns NULL if it is malformed. (ProtobufCMessageDescriptor is declared in builds
 * with protobuf-c.)
 */
struct ProtobufCMessageDescriptor;
void *protobuf_unpack(const struct ProtobufCMessageDescriptor *descriptor, const struct protobuf *p,
    const struct protobuf_field *f);

/* Frees the memory that protobuf_unpack uses. */
void protobuf_done(void);

#endif
