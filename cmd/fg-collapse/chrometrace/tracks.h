/*
 * tracks: the processes, threads, asynchronous operations and V8 sample sets to which a
 * trace's events belong, and their names from metadata.
 */
#ifndef CHROMETRACE_TRACKS_H
#define CHROMETRACE_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "sample/task.h"

enum track_kind {
	TRACK_PROCESS = 'P',
	TRACK_THREAD = 'T',
	TRACK_OPERATION = 'A',
	TRACK_CPU = 'C', /* V8's samples, whose chunks have the same pid and id */
};

/* Ids in an event; empty if absent. */
struct track_ids {
	struct str pid, tid, id, category;
};

struct track {
	struct text pid, tid, name;
	bool async; /* an asynchronous operation */
	uint32_t process; /* index of the track of its process */
	/* For the reader, initially 0: index in trace.cpu, plus 1; number of slices; whether it has
	 * events for Python functions. */
	uint32_t cpu;
	size_t slices;
	bool python;

	struct text key; /* private: pid, NUL, the kind, and the ids of that kind */
};

/* All zero is an empty table. */
struct tracks {
	struct track *track; /* by index */
	uint32_t n;

	/* Private. */
	uint32_t cap;
	uint32_t thread; /* index of the last one found, plus 1 */
	struct hash_index index;
	struct text key;
};

/* Index of the track with these ids; adds it if new. */
uint32_t tracks_find(struct tracks *x, const struct track_ids *ids, enum track_kind kind);

/* Task of a track: its name, or else its process's, and its pid and tid; valid until the next
 * tracks_find. */
struct sample_task tracks_task(const struct tracks *x, uint32_t number);

void tracks_free(struct tracks *x);

#endif
