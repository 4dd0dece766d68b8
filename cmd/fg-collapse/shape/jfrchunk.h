/*
 * jfrchunk: a chunk of a Java flight recording: its header, what its metadata say of
 * each type, and where the constants lie that its events refer to. Nothing is unpacked
 * but what is asked for.
 *
 * All numbers are of the recording: types and constants, which stand for values that are
 * used often. They are of a chunk alone; the next has its own.
 */
#ifndef JFRCHUNK_H
#define JFRCHUNK_H

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
	bool fixed; /* integers have all their bytes, else they are varints */
	uint64_t
	    steps; /* values that may still be skipped: hostile types have some without bytes */
};

struct jfr_field {
	struct str name;
	uint64_t type;
	bool constant; /* the number of one */
	bool array;
};

struct jfr_type {
	uint64_t number;
	struct str name; /* jdk.ExecutionSample */
	struct jfr_field *field;
	size_t nfield, capfield;
	struct intmap constants; /* by number: where they are in the input, plus 1 */
	bool primitive; /* one of: */
	char primitive_kind; /* z b s c i l f d, or S for a text */
};

struct jfr_chunk {
	struct reader *reader;
	const unsigned char *data;
	size_t begin, end; /* in the input */
	bool fixed;
	uint64_t start_ns, start_ticks, ticks_per_second;
	struct jfr_type *type;
	size_t ntype, captype;
	struct intmap by_number; /* index in type, plus 1 */
	bool quiet; /* nothing is said of faults */
	bool cut; /* an event has no end, which has been said */
	struct str *string; /* of the metadata: */
	size_t nstring, capstring;
	char **owned; /* those that are no bytes of the input */
	size_t nowned, capowned;
};

/*
 * The chunk that begins at `at`, with its types and constants; false when there is none,
 * which is said. c->end is where the next may begin. JFR_TYPES: no constants, and nothing
 * is said of faults.
 */
enum jfr_part { JFR_TYPES, JFR_ALL };
bool jfr_chunk_read(struct jfr_chunk *c, struct reader *r, const unsigned char *data, size_t len,
    size_t at, enum jfr_part part);
void jfr_chunk_free(struct jfr_chunk *c);

/* Walk the events: *at begins as 0. The cursor stands behind the number of the type. */
bool jfr_chunk_event(struct jfr_chunk *c, size_t *at, struct jfr_cursor *event, uint64_t *type);

struct jfr_type *jfr_type(const struct jfr_chunk *c, uint64_t number);
struct jfr_type *jfr_type_named(const struct jfr_chunk *c, const char *name);

/* Where a constant of a type lies; false when there is none of that number. */
bool jfr_constant(
    const struct jfr_chunk *c, const struct jfr_type *t, uint64_t number, struct jfr_cursor *at);

uint64_t jfr_int(struct jfr_cursor *c);
uint64_t jfr_long(struct jfr_cursor *c);

/*
 * Take a text: t is cut and holds it, where it is one of two bytes a letter, or the input
 * itself does. Empty for null.
 */
struct str jfr_text(const struct jfr_chunk *chunk, struct jfr_cursor *c, struct text *t);

/* Pass over the value of a field. */
void jfr_skip(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f);

/* A field's value as a number; whatever else it is, is passed over and 0. */
uint64_t jfr_number(const struct jfr_chunk *chunk, struct jfr_cursor *c, const struct jfr_field *f);

/* ns since 1970 of a time in ticks. */
uint64_t jfr_time(const struct jfr_chunk *c, uint64_t ticks);
uint64_t jfr_ticks_ns(const struct jfr_chunk *c, uint64_t ticks);

#endif
