/*
 * wire: fields of a protocol buffer message too large to be built in memory
 * (<https://protobuf.dev/programming-guides/encoding>), written or only counted.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct wire {
	void (*sink)(void *to, const void *bytes, size_t len); /* NULL: bytes are only counted */
	void *to;
	uint64_t n; /* number of bytes so far */
	struct text message, list, number; /* of wire_part; of wire_list; scratch */
};

void wire_free(struct wire *w);

void wire_number(struct wire *w, unsigned field, uint64_t v);
void wire_bytes(struct wire *w, unsigned field, const void *s, size_t len);

/*
 * Messages that are built in memory: wire_part returns the text for one, to which the functions
 * below add fields in the order of their numbers; wire_end writes it.
 */
struct text *wire_part(struct wire *w);
void wire_end(struct wire *w, unsigned field);
/* Writes a message whose fields 1 and 2 are these numbers. */
void wire_pair(struct wire *w, unsigned field, uint64_t first, uint64_t second);
void part_number(struct text *m, unsigned field, uint64_t v); /* nothing for 0, the default */
void part_bytes(struct text *m, unsigned field, const void *s, size_t len);
/* A list of numbers, which payload_varint adds to the text that wire_list returns. */
struct text *wire_list(struct wire *w);
void part_list(struct text *m, unsigned field, struct str list); /* nothing if empty */

/* Writes a number as in such a list, for dictionary_path. */
size_t wire_code(char *to, uint32_t number);

/* Writes the header of a message of len bytes; the caller writes these. */
void wire_begin(struct wire *w, unsigned field, uint64_t len);

#endif
