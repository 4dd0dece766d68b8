/*
 * attrs: what was measured: the events of a recording, as perf_event_attr(2) has
 * them, their names and the ids that tell which one a record is of.
 */
#ifndef ATTRS_H
#define ATTRS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"
#include "trace/recording.h"

#define ATTRS_MAX 65536 /* more events than any recording has */

struct attr {
	struct perf_event_attr attr; /* zero where an older perf knew less */
	struct recording_event ev; /* its format, and from times_choose on its role */
	char *name; /* as perf script says it; owned */
	bool named; /* the recording says so */
	uint32_t event; /* the sampler's number of it */
	/* Where bytes of its samples have them, -1 for nowhere: */
	int id_at, time_at;
	/* Where other records have them, in bytes before their end; 0 for nowhere. */
	int id_back, time_back;
};

struct attrs {
	struct attr *attr;
	size_t n, cap;
	struct intmap ids; /* number in attr, plus one */
};

/*
 * Add one of `size` bytes as they lie in a file, perhaps of the other byte order; returns
 * its number, or -1 when it is none, or one too many.
 */
int attrs_add(struct attrs *a, const void *bytes, size_t size, bool swapped);
void attrs_add_id(struct attrs *a, uint64_t id, size_t number);
void attrs_name(struct attrs *a, size_t number, struct str name);
void attrs_free(struct attrs *a);

/* The attribute with that id, or NULL. */
struct attr *attrs_of_id(struct attrs *a, uint64_t id);

/*
 * What a record of the kernel's, whose header alone is in our byte order, is of; NULL
 * when its id is of none, or it is too short to have one.
 */
struct attr *attrs_of(struct attrs *a, const struct perf_event_header *h, bool swapped);

/* When it was written, in ns; false when it does not say. */
bool attrs_time(
    const struct attr *a, const struct perf_event_header *h, bool swapped, uint64_t *time);

#endif
