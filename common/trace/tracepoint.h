/*
 * tracepoint: locates fields in a tracepoint's raw data (PERF_SAMPLE_RAW) by its tracefs file
 * events/SYSTEM/NAME/format. The text comes from tracefs, or from a recording's copy
 * (HEADER_TRACING_DATA of perf.data).
 */
#ifndef TRACEPOINT_H
#define TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* One field; size 0: the tracepoint does not have this field. */
struct tracepoint_field {
	uint16_t offset, size; /* bytes of the raw data */
	bool is_signed;
};

/* Find the field with that name; false, and *f all zero, if it is not in the text. */
bool tracepoint_field(struct str format, const char *name, struct tracepoint_field *f);

/*
 * The next field of the text that is a number: not an array, a string, a pointer, or one of the
 * fields common_* that all tracepoints have. False at the end.
 */
bool tracepoint_next_number(struct str *format, struct str *name, struct tracepoint_field *f);

/* Offset of the field with that name, of any size, also 0 (an array that ends with the data). */
bool tracepoint_offset(struct str format, const char *name, uint16_t *offset);

/* The tracepoint's id, perf_event_attr.config; false if it is not in the text. */
bool tracepoint_id(struct str format, uint64_t *id);

/*
 * Bits of a flag field by their letters in "print fmt": OR of the values of all pairs { 0x10, "X" }
 * whose string is one of the letters. 0 if there are none.
 */
uint64_t tracepoint_flags(struct str format, const char *letters);

/* Read a field from raw data of n bytes; false if it does not fit in them. */
bool tracepoint_value(const struct tracepoint_field *f, const unsigned char *raw, size_t n,
    bool swapped, uint64_t *value);

/* The value of a field as a weight: negative values, mostly errors, are 0. */
bool tracepoint_weight(const struct tracepoint_field *f, const unsigned char *raw, size_t n,
    bool swapped, uint64_t *weight);

/* NAME in the first line, "name: NAME"; false if the text has none. */
bool tracepoint_name(struct str format, struct str *name);

/* Reader of the formats in tracing data. The data belong to the caller. */
struct tracing {
	struct str left; /* at the end: the bytes after the formats */
	struct str system;
	uint64_t systems, events; /* number of systems, and of formats of this one, still to come */
	bool listed; /* systems is known: ftrace's own formats are read */
	bool swapped; /* the data have the other byte order */
	bool bad; /* the data ended too early */
};

/* Begins to read; false if the data are malformed. */
bool tracing_begin(struct tracing *t, struct str data);

/* The next format text and its system; false at the end, or if the data are malformed. */
bool tracing_next(struct tracing *t, struct str *system, struct str *format);

/*
 * Format text of system:name in a recording's tracing data; empty if it is absent or the data are
 * malformed. The text is part of `data`.
 */
struct str tracepoint_find(struct str data, const char *system, const char *name);

#endif
