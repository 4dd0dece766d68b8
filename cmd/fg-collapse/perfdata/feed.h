/*
 * feed: passes the records of a file, sorted by time, to the engine (trace/recording), and
 * the samples that the options select to the sampler.
 */
#ifndef FEED_H
#define FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "trace/recording.h"
#include "fg-collapse/perfdata/attrs.h"
#include "fg-collapse/perfdata/features.h"
#include "fg-collapse/perfdata/parts.h"
#include "fg-collapse/perfdata/timesources.h"
#include "fg-collapse/perfdata/timesort.h"

struct feed {
	struct reader *reader;
	bool swapped; /* the file has the other byte order */
	struct attrs *attrs;
	struct features *features;
	const struct parts *parts; /* the files, for messages */
	struct recording recording;
	uint64_t first, last; /* ns: time of the first sample, or 0; newest time so far */
	uint64_t seen; /* samples so far, of any event */
	bool chosen; /* with --off-cpu or --wall: times is set */
	struct timesources times; /* else TIMES_NONE */
	uint32_t column[TIMELINE_COLUMNS]; /* with --wall: event number per column */
};

/* parts is used only once there are records. */
void feed_init(struct feed *f, struct reader *r, struct attrs *attrs, struct features *features,
    const struct parts *parts, struct modules *modules, bool swapped);
void feed_free(struct feed *f);

/* A timesort_consumer whose arg is a struct feed. */
timesort_consumer feed_take;

/* Ends the input. */
void feed_end(struct feed *f);

/* True if values are times in ns, which are shown in us. */
bool feed_has_times(const struct feed *f);

#endif
