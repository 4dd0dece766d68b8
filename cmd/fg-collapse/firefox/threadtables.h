/*
 * threadtables: the tables of a Firefox profile, per thread or shared: rows with a schema, as
 * Gecko writes them, or columns.
 */
#ifndef THREADTABLES_H
#define THREADTABLES_H

#include <stdbool.h>

#include "fg-collapse/shape/jsonarray.h"

struct thread_tables {
	struct json_strings string;
	struct json_indices prefix, frame; /* of stacks */
	struct json_indices location, func, line, depth, category, frame_lib; /* of frames */
	struct json_numbers address;
	struct json_indices name, resource, file, source, func_line; /* of functions */
	struct json_indices lib; /* of resources */
	struct json_indices source_file; /* of sources */
};

/* Samples or allocations: stacks with weights. */
struct thread_samples {
	struct json_indices stack;
	struct json_numbers time, delta; /* ms; delta: since the previous sample */
	struct json_numbers weight,
	    cpu; /* weight: in weight_type; cpu: in meta.sampleUnits, since the previous one */
	struct text weight_type;
};

/* Reads the table of this name and appends it; false if the name is not a known table. */
bool thread_tables_read(struct json *j, struct str name, struct thread_tables *t);
void thread_tables_free(struct thread_tables *t);

/* The tables that apply to a thread: its own or the shared ones. The result borrows them: do
 * not free it. */
struct thread_tables thread_tables_of(
    const struct thread_tables *own, const struct thread_tables *shared);

void thread_samples_read(struct json *j, struct thread_samples *t);
void thread_samples_free(struct thread_samples *t);

#endif
