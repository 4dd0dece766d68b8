/*
 * prefixtable: stacks of profiles that share prefixes: each stack is a frame and a parent
 * stack, which may come later. A stack's node in the tree is looked up once per thread.
 */
#ifndef PREFIXTABLE_H
#define PREFIXTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/sample.h"

#define PREFIXTABLE_NONE UINT32_MAX

struct prefixtable {
	struct sampler *sampler;
	struct prefixtable_stack {
		uint32_t parent; /* PREFIXTABLE_NONE: a root */
		uint32_t name; /* from sample_name; 0: this stack adds no frame */
		uint32_t node; /* from 1; 0: unknown yet */
	} * stack;
	size_t n, cap;
	uint64_t cyclic; /* stacks that are their own ancestors: they become roots */

	/* Private. */
	uint32_t root; /* root node of the task, to which all known nodes belong */
	uint32_t *path;
	size_t cappath;
};

/* Initializes an empty table; the sampler's tree has one column from now on. */
void prefixtable_init(struct prefixtable *p, struct sampler *sampler);
void prefixtable_free(struct prefixtable *p);

/* Adds a stack; returns its index. */
uint32_t prefixtable_add(struct prefixtable *p, uint32_t parent, uint32_t name);

/* Sets the task of the samples that follow; before that, they have none. */
void prefixtable_task(struct prefixtable *p, const struct sample_task *task);

/* Adds n samples of weight 1, if sampler_timeless. */
void prefixtable_samples(struct prefixtable *p, uint32_t stack, uint32_t event, uint64_t n);

/* Private: adds one weight that the options select. */
void prefixtable_weight(
    struct prefixtable *p, uint32_t stack, struct sample_weight w, uint64_t time);

/* Adds a sample with n weights to the stack of that index, or to a stack without frames if the
 * index is invalid. */
static inline void
prefixtable_sample(
    struct prefixtable *p, uint32_t stack, const struct sample_weight *w, unsigned n, uint64_t time)
{
	for (unsigned i = 0; i < n; i++)
		if (w[i].weight != 0 && sample_wanted(p->sampler, w[i].event, time, w[i].weight))
			prefixtable_weight(p, stack, w[i], time);
}

#endif
