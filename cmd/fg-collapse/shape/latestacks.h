/*
 * latestacks: samples of profiles that name threads and frames after the samples. A stack
 * is a node: a frame number of the profile below a parent node. Each distinct stack is
 * named once, at the end.
 *
 * Equal samples (thread, event, stack) are summed, so memory grows with the number of
 * distinct stacks. Single samples are stored only if the user requests times.
 */
#ifndef LATESTACKS_H
#define LATESTACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "sample/task.h"

#define LATESTACKS_MISSING UINT64_MAX /* a frame that the profile does not define */
#define LATESTACKS_ROOT 0 /* the node of a stack without frames */

struct latestacks {
	struct sampler *sampler;
	bool each; /* store single samples */
	struct latestacks_node {
		uint64_t frame;
		uint32_t parent;
	} * node;
	uint32_t n, cap;
	struct hash_index nodes;
	struct latestacks_sample {
		uint64_t thread, time, count;
		value weight; /* sum over all `count` samples */
		uint32_t event, node;
	} * sample;
	size_t nsample, capsample;
	struct hash_index samples;
};

/*
 * Callbacks for names, which are known only at the end. `caller` is the argument of
 * latestacks_give.
 */
struct latestacks_names {
	/* The task of a thread; its strings stay valid until the next call. */
	struct sample_task (*task)(void *caller, uint64_t thread);
	/* Adds the frames of a frame number to the sampler with sample_frame, outermost first. */
	void (*frames)(void *caller, uint64_t frame);
};

void latestacks_init(struct latestacks *l, struct sampler *sampler);
void latestacks_free(struct latestacks *l);

/* Node of a frame below a parent node; created if new. */
uint32_t latestacks_child(struct latestacks *l, uint32_t node, uint64_t frame);

/* Adds a sample. time in ns, or SAMPLE_NO_TIME; event is the sampler's number. */
void latestacks_add(struct latestacks *l, uint64_t thread, uint32_t event, uint32_t node,
    uint64_t time, value weight);

/* Passes all samples in the order of addition to the sampler, which has SAMPLE_ROOT_FIRST. */
void latestacks_give(
    const struct latestacks *l, const struct latestacks_names *names, void *caller);

#endif
