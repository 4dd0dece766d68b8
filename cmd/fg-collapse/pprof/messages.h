/*
 * messages: the messages of a pprof profile, proto/profile.proto of google/pprof, as far as they
 * make stacks. Strings are indices into the string table.
 */
#ifndef PPROF_MESSAGES_H
#define PPROF_MESSAGES_H

#include "fg-collapse/shape/protobuf.h"

struct pprof_label {
	int64_t key, str, num;
};

struct pprof_sample {
	struct protobuf_numbers location; /* ids, leaf first */
	struct protobuf_numbers value; /* int64_t, one for each sample type */
	struct protobuf_items label; /* struct pprof_label */
};

struct pprof_line {
	uint64_t function; /* id */
	int64_t line;
};

struct pprof_location {
	uint64_t id, mapping, address;
	struct protobuf_items line; /* struct pprof_line: the innermost inlined function first */
};

struct pprof_function {
	uint64_t id;
	int64_t name, system_name, file;
};

struct pprof_mapping {
	uint64_t id;
	int64_t file;
};

struct pprof_type {
	int64_t type, unit;
};

extern const struct protobuf_member pprof_function[5], pprof_mapping[6], pprof_type[3];

/*
 * Read a message into *s or *l, whose memory is used again; all zero at first. False for a
 * malformed one.
 */
bool pprof_read_sample(struct str bytes, struct pprof_sample *s);
bool pprof_read_location(struct str bytes, struct pprof_location *l);

static inline const struct pprof_label *
pprof_label(const struct pprof_sample *s, size_t i)
{
	return (const struct pprof_label *)s->label.at + i;
}

static inline int64_t
pprof_value(const struct pprof_sample *s, size_t i)
{
	return (int64_t)s->value.at[i];
}

/*
 * The number of a sample type or, if all samples of a profile have 0 of it, of the first type that
 * has others; field: the profile's field of samples. s: memory.
 */
size_t pprof_valued(
    struct pprof_sample *s, struct str profile, uint32_t field, size_t types, size_t type);

void pprof_sample_free(struct pprof_sample *s);

#endif
