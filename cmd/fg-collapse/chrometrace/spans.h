/*
 * spans: traces of begin and end events of one thread, sorted by time. The time between
 * two events is charged to the stack that is open then.
 */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/task.h"

struct spans {
	struct sampler *sampler;
	uint32_t event;
	uint64_t unit; /* ns per unit of time; 0 if values are not times */

	/* Private. */
	uint32_t root;
	value now;
	struct spans_open {
		uint32_t name, node;
	} * open; /* open spans, root first */
	size_t n, cap;
};

/* Initializes s with no open span. The sampler's tree has one column from now on. */
void spans_init(struct spans *s, struct sampler *sampler, uint32_t event, uint64_t unit);
void spans_free(struct spans *s);

/* Begins another thread at that time. */
void spans_thread(struct spans *s, const struct sample_task *task, value time);

/*
 * Opens or closes the innermost span. A time before the previous one is replaced by that. Time
 * below the name SAMPLE_MISSING is malformed.
 */
void spans_begin(struct spans *s, value time, uint32_t name);
void spans_end(struct spans *s, value time);
/* Closes the i-th open span, root first from 0; spans within it stay open. */
void spans_end_at(struct spans *s, value time, size_t i);

/* Number of open spans within the last one of that name; of all if there is none. */
size_t spans_above(const struct spans *s, uint32_t name);

#endif
