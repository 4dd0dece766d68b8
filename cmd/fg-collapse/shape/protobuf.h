/*
 * protobuf: messages of protocol buffers. protobuf-c unpacks a message as a whole,
 * which costs many times its size, and says of a fault neither where it is nor what
 * came before. So the outermost messages, which are as long as the profile, are walked
 * here field by field, and what lies in them is unpacked by protobuf-c, read, and
 * forgotten before the next.
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
	uint64_t n; /* of all but bytes */
	struct str bytes; /* of PROTOBUF_BYTES, in the input */
	uint64_t offset; /* of the field in the input */
};

struct protobuf {
	struct reader *reader; /* NULL: nothing is said of faults, as for sniffing */
	struct str bytes; /* of the message */
	uint64_t offset; /* of these in the input */
	size_t at; /* the next field */
	bool broken; /* what followed was no field, */
	bool cut; /* or one that the message ended within */
};

/* Walk a message; offset is where its bytes are in the input. */
void protobuf_init(struct protobuf *p, struct reader *r, struct str bytes, uint64_t offset);

/* The same for one that is a field of another. */
void protobuf_enter(
    struct protobuf *p, const struct protobuf *outer, const struct protobuf_field *f);

/* The next field; false after the last, or when what follows is none, which is malformed then. */
bool protobuf_next(struct protobuf *p, struct protobuf_field *f);

/* For fields of numbers, which may be packed: the next of them from *at, which begins as 0. */
bool protobuf_number(const struct protobuf_field *f, size_t *at, uint64_t *n);

/*
 * A field as a message of the generated kind, good until the next call; NULL, and said
 * to be malformed, when it is none. (A ProtobufCMessageDescriptor, which is declared
 * where there is protobuf-c.)
 */
struct ProtobufCMessageDescriptor;
void *protobuf_unpack(const struct ProtobufCMessageDescriptor *descriptor, const struct protobuf *p,
    const struct protobuf_field *f);

/* The memory that protobuf_unpack uses. */
void protobuf_done(void);

#endif
