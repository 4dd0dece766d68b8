/*
 * tracepoint: where the fields of a tracepoint's raw data (PERF_SAMPLE_RAW) are, by the text
 * of its tracefs file events/SYSTEM/NAME/format. The text comes from tracefs, or from a
 * recording's own copy (HEADER_TRACING_DATA of perf.data).
 */
#ifndef TRACEPOINT_H
#define TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* One field; size 0: the tracepoint does not have it. */
struct tracepoint_field {
	uint16_t offset, size; /* bytes of the raw data */
	bool is_signed;
};

/* The field of that name; false, and *f all zero, when the text has none. */
bool tracepoint_field(struct str format, const char *name, struct tracepoint_field *f);

/* The tracepoint's number, perf_event_attr.config; false when the text has none. */
bool tracepoint_id(struct str format, uint64_t *id);

/*
 * The bits to which a flag field's letters stand for, of "print fmt": the values of all
 * pairs { 0x10, "X" } whose text is one of the letters. 0 when there are none.
 */
uint64_t tracepoint_flags(struct str format, const char *letters);

/* A field's value out of raw data of n bytes; false when they end before it. */
bool tracepoint_value(const struct tracepoint_field *f, const unsigned char *raw, size_t n,
    bool swapped, uint64_t *value);

/*
 * The format text of system:name in a recording's tracing data; empty when it is not there
 * or the data are malformed. The text is part of `data`.
 */
struct str tracepoint_find(struct str data, const char *system, const char *name);

#endif
