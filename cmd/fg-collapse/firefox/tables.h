/*
 * tables: what threads of a profile of Firefox have or share, tables of rows with a schema
 * as Gecko writes them, or of columns.
 */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

#include <stdbool.h>

#include "fg-collapse/shape/jsonarray.h"

struct thread_tables {
	struct json_strings string;
	struct json_indices prefix, frame; /* of stacks */
	struct json_indices location, func, line, depth, category; /* of frames */
	struct json_numbers address;
	struct json_indices name, resource, file, source, func_line; /* of functions */
	struct json_indices lib; /* of resources */
	struct json_indices source_file; /* of sources */
};

/* Samples, or allocations: each a stack with its weight. */
struct thread_samples {
	struct json_indices stack;
	struct json_numbers time, delta; /* ms; since the one before */
	struct json_numbers weight,
	    cpu; /* of weight_type; of meta.sampleUnits, since the one before */
	struct text weight_type;
};

/* A table by its name, added to what there is; false when it is none of these. */
bool thread_tables_read(struct json *j, struct str name, struct thread_tables *t);
void thread_tables_free(struct thread_tables *t);

/* What a thread's tables are, its own or those that all share: nothing of it is to be freed. */
struct thread_tables thread_tables_of(
    const struct thread_tables *own, const struct thread_tables *shared);

void thread_samples_read(struct json *j, struct thread_samples *t);
void thread_samples_free(struct thread_samples *t);

#endif
