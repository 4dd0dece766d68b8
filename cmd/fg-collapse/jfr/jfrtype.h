/*
 * jfrtype: the types and constants of a chunk of a Java flight recording, and its values by
 * their types. Values are decoded only on request.
 *
 * Type and constant numbers are those in the recording. A constant is a shared value that
 * events refer to by number. The numbers are valid in one chunk only.
 */
#ifndef JFRTYPE_H
#define JFRTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/intmap.h"
#include "base/text.h"
#include "fg-collapse/reader.h"

/* A position in the input, which is big-endian. */
struct jfr_cursor {
	struct cursor in; /* offsets are those in the whole input */
	bool fixed; /* integers have a fixed size, else they are varints */
	uint64_t steps; /* values that may still be skipped; a limit, because hostile types can have
			   values without bytes */
};

struct jfr_field {
	struct str name;
	uint64_t type;
	bool constant; /* the value is the number of a constant */
	char key; /* primitive kind of that number; 0: a long */
	bool array;
};

struct jfr_type {
	uint64_t number;
	struct str name; /* jdk.ExecutionSample */
	struct jfr_field *field;
	size_t nfield, capfield;
	struct intmap constants; /* by number: offset in the input, plus 1 */
	bool primitive; /* a type built into the format */
	char primitive_kind; /* z b s c i l f d, or S for a string; of version 0.9 also u (UTF-8)
				and w (UTF-16) */
	char key; /* version 0.9: primitive kind of the numbers of its constants */
};

struct jfr_chunk {
	struct reader *reader;
	const unsigned char *data;
	size_t begin, first, end; /* offsets in the input: of the chunk and its first event */
	bool fixed;
	bool old; /* version 0.9, see jfrold.h */
	uint64_t start_ns, start_ticks, ticks_per_second;
	struct jfr_type *type;
	size_t ntype, captype;
	struct intmap by_number; /* by type number: index in type, plus 1 */
	bool quiet; /* do not report malformed data */
	bool cut; /* an event is truncated; already reported */
	struct str *string; /* strings of the metadata: */
	size_t nstring, capstring;
	char **owned; /* allocated strings, which are not bytes of the input */
	size_t nowned, capowned;
};

/* The part of a chunk to read: JFR_TYPES skips its constants and reports nothing. */
enum jfr_part { JFR_TYPES, JFR_ALL };

/* Iterates over the events: *at is 0 at first. Leaves the cursor after the type number. */
bool jfr_chunk_event(struct jfr_chunk *c, size_t *at, struct jfr_cursor *event, uint64_t *type);

/* Reports malformed data at an offset, unless c->quiet. */
void jfr_chunk_fault(struct jfr_chunk *c, size_t at, const char *why);

/* Forgets the types and constants; c can be used again. */
void jfr_forget_types(struct jfr_chunk *c);

/* Adds a type without fields, the last of c->type; NULL if its number is in use. */
struct jfr_type *jfr_type_add(struct jfr_chunk *c, uint64_t number, struct str name);

struct jfr_type *jfr_type(const struct jfr_chunk *c, uint64_t number);
struct jfr_type *jfr_type_named(const struct jfr_chunk *c, const char *name);

/* Sets the cursor to a constant of a type; false if it has none of that number. */
bool jfr_constant(
    const struct jfr_chunk *c, const struct jfr_type *t, uint64_t number, struct jfr_cursor *at);

uint64_t jfr_int(struct jfr_cursor *c);
uint64_t jfr_long(struct jfr_cursor *c);

/*
 * Reads a string of a field, which is not a constant; null is empty. The result points into the
 * input or, if the string is UTF-16, into t, which is overwritten.
 */
struct str jfr_text(
    const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f, struct text *t);

/* A string whose form is in its first byte; it stays valid as long as the chunk. */
struct str jfr_kept_text(struct jfr_chunk *chunk, struct jfr_cursor *c);

/* Skips the value of a field. */
void jfr_skip(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f);

/* Reads a field's value as a number; skips a value of any other type and returns 0. */
uint64_t jfr_number(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f);

/* Converts a time in ticks to ns since 1970. */
uint64_t jfr_time(const struct jfr_chunk *c, uint64_t ticks);
uint64_t jfr_ticks_ns(const struct jfr_chunk *c, uint64_t ticks);

#endif
