/*
 * attrs: the events of a recording: their perf_event_attr(2), their names and the ids in
 * records.
 */
#ifndef ATTRS_H
#define ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "kernel/perfabi.h"
#include "base/text.h"
#include "trace/recording.h"

#define ATTRS_MAX 65536 /* limit of events, more than any recording has */

struct attr {
	struct perf_event_attr attr; /* fields unknown to an older perf are zero */
	struct recording_event ev; /* its format and, after timesources_choose, its role */
	char *name; /* name as in perf script; owned */
	bool named; /* name is from the recording */
	uint32_t event; /* number of the event in the sampler */
	/* Offsets in the body of samples; -1 if absent. */
	int id_at, time_at;
	/* Offsets in other records, in bytes before the end; 0 if absent. */
	int id_back, time_back;
};

struct attrs {
	struct attr *attr;
	size_t n, cap;
	struct intmap ids; /* by id: index in attr, plus 1 */
};

/*
 * Adds an attribute of `size` bytes as stored in the file, byte-swapped if `swapped`.
 * Returns its index, or -1 if it is malformed or exceeds ATTRS_MAX.
 */
int attrs_add(struct attrs *a, const void *bytes, size_t size, bool swapped);
void attrs_add_id(struct attrs *a, uint64_t id, size_t number);
void attrs_name(struct attrs *a, size_t number, struct str name);
void attrs_free(struct attrs *a);

/* The attribute with that id, or NULL. */
struct attr *attrs_of_id(struct attrs *a, uint64_t id);

/*
 * Attribute of a kernel record; only its header is in our byte order. NULL if its id is
 * unknown, or the record is too short to have one.
 */
struct attr *attrs_of(struct attrs *a, const struct perf_event_header *h, bool swapped);

/* Time of a record, in ns; false if it has none. */
bool attrs_time(
    const struct attr *a, const struct perf_event_header *h, bool swapped, uint64_t *time);

#endif
