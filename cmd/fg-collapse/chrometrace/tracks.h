/*
 * tracks: what the events of a trace are of: a process, a thread, an asynchronous
 * operation of a process, or V8's samples; and the names that metadata gives them.
 */
#ifndef CHROMETRACE_TRACKS_H
#define CHROMETRACE_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "profile/sample.h"

enum track_kind {
	TRACK_PROCESS = 'P',
	TRACK_THREAD = 'T',
	TRACK_OPERATION = 'A',
	TRACK_CPU = 'C', /* V8's samples, whose chunks have the same pid and id */
};

/* What an event says of that; empty where it says nothing. */
struct track_ids {
	struct str pid, tid, id, category;
};

struct track {
	struct text pid, tid, name;
	bool async; /* an operation */
	uint32_t process; /* the track with the process's name */
	/* The reader's, 0 at first: a number of trace.cpu from 1 on, and how many. */
	uint32_t cpu;
	size_t slices;

	struct text key; /* private: pid, NUL, the kind, and what tells those of a kind apart */
};

/* All zero is an empty one. */
struct tracks {
	struct track *track; /* by number */
	uint32_t n;

	/* Private. */
	uint32_t cap;
	uint32_t thread; /* the last that was found, from 1 on */
	struct hash_index index;
	struct text key;
};

/* The number of what an event is of, made when it is new. */
uint32_t tracks_find(struct tracks *x, const struct track_ids *ids, enum track_kind kind);

/* Its name, or else its process's, with its numbers; valid until the next tracks_find. */
struct sample_task tracks_task(const struct tracks *x, uint32_t number);

void tracks_free(struct tracks *x);

#endif
