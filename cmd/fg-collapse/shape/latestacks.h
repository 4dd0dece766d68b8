/*
 * latestacks: samples of profiles that name their threads and frames only after the
 * samples. A stack is a node: a number of a frame, as the profile has it, below another
 * node. At the end each distinct stack is named once.
 *
 * Equal samples (thread, event, stack) are summed, so that memory grows with the
 * distinct stacks; each sample is stored only where the user asks for times.
 */
#ifndef LATESTACKS_H
#define LATESTACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "profile/sample.h"

#define LATESTACKS_ROOT 0 /* the node of a stack without frames */

struct latestacks {
	struct sampler *sampler;
	bool each; /* samples are stored one by one */
	struct latestacks_node {
		uint64_t frame;
		uint32_t parent;
	} * node;
	uint32_t n, cap;
	struct hash_index nodes;
	struct latestacks_sample {
		uint64_t thread, time, count;
		value weight; /* of all `count` samples */
		uint32_t event, node;
	} * sample;
	size_t nsample, capsample;
	struct hash_index samples;
};

/* What the caller knows at the end. `caller` is latestacks_give's. */
struct latestacks_names {
	/* Who ran; the strings stay until the next call. */
	struct sample_task (*task)(void *caller, uint64_t thread);
	/* Adds the frames of a number to the sampler, the outer one first (sample_frame). */
	void (*frames)(void *caller, uint64_t frame);
};

void latestacks_init(struct latestacks *l, struct sampler *sampler);
void latestacks_free(struct latestacks *l);

/* The node of a frame below another node. */
uint32_t latestacks_child(struct latestacks *l, uint32_t node, uint64_t frame);

/* One sample. time in ns, or SAMPLE_NO_TIME; event is the sampler's. */
void latestacks_add(struct latestacks *l, uint64_t thread, uint32_t event, uint32_t node,
    uint64_t time, value weight);

/* Gives all samples to the sampler, which has SAMPLE_ROOT_FIRST, in the order of addition. */
void latestacks_give(
    const struct latestacks *l, const struct latestacks_names *names, void *caller);

#endif
