/*
 * spans: traces of what begins and ends, on one thread in the order of time. The time
 * between two of these is of the stack that is open then.
 */
#ifndef SPANS_H
#define SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/sample.h"

struct spans {
	struct sampler *sampler;
	uint32_t event;
	uint64_t unit; /* ns of a time of 1; 0 when it is no time */

	/* Private. */
	uint32_t root;
	value now;
	struct spans_open {
		uint32_t name, node;
	} * open; /* the root first */
	size_t n, cap;
};

/* Nothing is open. The sampler's tree has one column from now on. */
void spans_init(struct spans *s, struct sampler *sampler, uint32_t event, uint64_t unit);
void spans_free(struct spans *s);

/* Another thread, from that time on. */
void spans_thread(struct spans *s, const struct sample_task *task, value time);

/* Times before the last one are as that one. */
void spans_begin(struct spans *s, value time, uint32_t name);
void spans_end(struct spans *s, value time);
/* What is open there ends, root first from 0 on, while what is open within it goes on. */
void spans_end_at(struct spans *s, value time, size_t i);

/* How many are open below the last one of that name, or all where there is none. */
size_t spans_above(const struct spans *s, uint32_t name);

#endif
