/*
 * protobuf: reads protocol buffers in bounded memory. The outermost messages are as long as the
 * profile, so their fields are iterated; a message in such a field is read into a struct, by a
 * table of the struct's members with the number of the field as index:
 *
 *	static const struct protobuf_member label[] = {
 *	    [1] = PROTOBUF_MEMBER(NUMBER, struct label, key),
 *	    [2] = PROTOBUF_MEMBER(NUMBER, struct label, str),
 *	};
 *
 *	protobuf_init(&p, r, bytes, offset);
 *	while (protobuf_next(&p, &f))
 *		if (f.number == 3 && protobuf_message(&p, &f, label, &l))
 *			use l
 */
#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
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
	struct reader *reader; /* of the walk */
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

/*
 * Iterates over the numbers of a field, one or a list; *at is 0 at first. Reports a damaged list.
 */
bool protobuf_number(const struct protobuf_field *f, size_t *at, uint64_t *n);

/* Numbers of a repeated field; freed with protobuf_numbers_free. */
struct protobuf_numbers {
	uint64_t *at;
	size_t n, cap;
};
void protobuf_numbers_free(struct protobuf_numbers *x);

/* Strings or bytes of a repeated field; the caller frees `at`. */
struct protobuf_texts {
	struct str *at;
	size_t n, cap;
};

/* Messages of a repeated field, each a struct of `size` bytes; the caller frees `at`. */
struct protobuf_items {
	void *at;
	size_t n, cap;
};

struct protobuf_member {
	enum protobuf_type {
		PROTOBUF_SKIP, /* any field; it is not stored */
		PROTOBUF_NUMBER, /* uint64_t or int64_t: a varint */
		PROTOBUF_TEXT, /* struct str: bytes in the input */
		PROTOBUF_TEXTS, /* struct protobuf_texts: the same, appended */
		PROTOBUF_NUMBERS, /* struct protobuf_numbers: varints, single or in lists, appended
				   */
		PROTOBUF_ITEMS, /* struct protobuf_items: messages, appended */
	} type;
	uint32_t member; /* its offset */
	/* Of PROTOBUF_ITEMS: */
	uint32_t size; /* of an item, which is zero before its fields are read */
	uint32_t n; /* rows of the table */
	const struct protobuf_member *table;
};

#define PROTOBUF_MEMBER(kind, in, name)                               \
	{                                                             \
		.type = PROTOBUF_##kind, .member = offsetof(in, name) \
	}
#define PROTOBUF_EACH(in, name, item, rows)                                                 \
	{                                                                                   \
		.type = PROTOBUF_ITEMS, .member = offsetof(in, name), .size = sizeof(item), \
		.n = PROTOBUF_ROWS(rows), .table = (rows)                                   \
	}
#define PROTOBUF_ROWS(table) (sizeof(table) / sizeof((table)[0]))

/*
 * Reads a message into the struct `to`. An absent field leaves its member unchanged; a field
 * without a row is skipped. False if a field is malformed or not of the type of its member.
 */
bool protobuf_read(struct str bytes, const struct protobuf_member *table, size_t n, void *to);

/* protobuf_read for the message in a field; reports it if it is malformed. */
#define protobuf_message(p, f, table, to) \
	protobuf_message_of((p), (f), (table), PROTOBUF_ROWS(table), (to))
bool protobuf_message_of(const struct protobuf *p, const struct protobuf_field *f,
    const struct protobuf_member *table, size_t n, void *to);

#endif
