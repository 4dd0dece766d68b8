/*
 * cpusamples: V8's CPU samples, whole in a .cpuprofile, in pieces in a Chrome trace: the
 * node and the time of each sample, and the call tree.
 */
#ifndef CPUSAMPLES_H
#define CPUSAMPLES_H

#include "fg-collapse/v8/v8nodes.h"
#include "sample/task.h"

struct cpusamples {
	struct reader *reader;
	struct v8 tree;
	struct json_numbers ids; /* node id of each sample */
	struct json_numbers deltas; /* us since the previous sample */
	struct json_numbers stamps; /* times of the samples in us, where given instead of deltas */
	struct json_number start, end; /* us */
};

void cpusamples_init(struct cpusamples *c, struct reader *r);
void cpusamples_free(struct cpusamples *c);

/* Reads the current value, a profile or a piece of one. */
void cpusamples_read(struct json *j, struct cpusamples *c);

/* Appends a piece of the profile and empties the piece. */
void cpusamples_append(struct cpusamples *c, struct cpusamples *piece);

/* Passes all samples to the sampler as samples of this task. hits: also the nodes' own hit
 * counts. */
void cpusamples_take(struct cpusamples *c, const struct sample_task *task, bool hits);

#endif
