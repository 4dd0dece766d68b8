/*
 * cpusamples: V8's CPU samples, as a .cpuprofile has them in one piece and a trace of
 * Chrome in many: nodes, the node of each sample, and when that was.
 */
#ifndef CPUSAMPLES_H
#define CPUSAMPLES_H

#include "fg-collapse/shape/v8.h"

struct cpusamples {
	struct reader *reader;
	struct v8 tree;
	struct json_numbers ids; /* of each sample's node */
	struct json_numbers deltas; /* us, since the sample before */
	struct json_numbers stamps; /* the same as times */
	struct json_number start, end; /* us */
};

void cpusamples_init(struct cpusamples *c, struct reader *r);
void cpusamples_free(struct cpusamples *c);

/* Take the value of a key of a profile, or of a piece of one; false when it is none of its. */
bool cpusamples_key(struct cpusamples *c, struct json *j, struct str key);

/* Add what a piece of the profile has; then the piece is empty. */
void cpusamples_append(struct cpusamples *c, struct cpusamples *piece);

/* All of them to the sampler, as those of this thread. hits: and those that nodes say. */
void cpusamples_take(struct cpusamples *c, const struct sample_task *task, bool hits);

#endif
