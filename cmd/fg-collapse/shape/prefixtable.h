/*
 * parents: stacks as profiles number them that share what they have in common: each is a
 * frame below another stack, which may come later. A stack's node in the tree is looked
 * up once for each thread.
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
		uint32_t parent; /* PREFIXTABLE_NONE: there is none */
		uint32_t name; /* of sample_name; 0: this one is no frame */
		uint32_t node; /* from 1 on; 0: not known */
	} * stack;
	size_t n, cap;
	uint64_t cyclic; /* stacks that are below themselves: they begin there */

	/* Private. */
	uint32_t root; /* of the task, and of the nodes that are known */
	uint32_t *path;
	size_t cappath;
};

/* An empty one; the sampler's tree has one column from now on. */
void prefixtable_init(struct prefixtable *p, struct sampler *sampler);
void prefixtable_free(struct prefixtable *p);

/* Another stack; its number. */
uint32_t prefixtable_add(struct prefixtable *p, uint32_t parent, uint32_t name);

/* Samples are of that task from now on; before, of nobody. */
void prefixtable_task(struct prefixtable *p, const struct sample_task *task);

/* n samples that weigh 1 each, where sampler_timeless. */
void prefixtable_samples(struct prefixtable *p, uint32_t stack, uint32_t event, uint64_t n);

/* Private: one weight of it that is wanted. */
void prefixtable_weight(
    struct prefixtable *p, uint32_t stack, struct sample_weight w, uint64_t time);

/* A sample of the stack with that number, or of no frames where there is none, with n weights. */
static inline void
prefixtable_sample(
    struct prefixtable *p, uint32_t stack, const struct sample_weight *w, unsigned n, uint64_t time)
{
	for (unsigned i = 0; i < n; i++)
		if (w[i].weight != 0 && sample_wanted(p->sampler, w[i].event, time, w[i].weight))
			prefixtable_weight(p, stack, w[i], time);
}

#endif
