/*
 * prefixtable: stacks of profiles that share prefixes: each stack is a frame and a parent
 * stack, which may come later. A stack's node in the tree is looked up once per thread.
 */
#ifndef PREFIXTABLE_H
#define PREFIXTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample/account.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define PREFIXTABLE_NONE UINT32_MAX
#define PREFIXTABLE_BROKEN (UINT32_MAX - 1) /* an unknown stack */

struct prefixtable {
	struct sampler *sampler;
	struct prefixtable_stack {
		uint32_t parent; /* PREFIXTABLE_NONE: a root; PREFIXTABLE_BROKEN: not complete */
		uint32_t name; /* from sample_name; 0: none; SAMPLE_MISSING: broken */
		uint32_t node; /* from 1; 0: unknown yet */
	} * stack;
	size_t n, cap;

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

/*
 * Call after the last stack, if parents or frames may be missing, or parents be cyclic: such stacks
 * and all below them are broken.
 */
void prefixtable_close(struct prefixtable *p);

/* Sets the task of the samples that follow; before that, they have none. */
void prefixtable_task(struct prefixtable *p, const struct sample_task *task);

/* Adds n samples of weight 1, if sampler_timeless. */
void prefixtable_samples(struct prefixtable *p, uint32_t stack, uint32_t event, uint64_t n);

static inline bool
prefixtable_is_broken(const struct prefixtable *p, uint32_t stack)
{
	return stack != PREFIXTABLE_NONE &&
	       (stack >= p->n || p->stack[stack].parent == PREFIXTABLE_BROKEN);
}

/* Private: accounts for a sample of a broken stack; adds one weight that the options select. */
void prefixtable_lost(struct prefixtable *p, const struct sample_weight *w, unsigned n);
void prefixtable_weight(
    struct prefixtable *p, uint32_t stack, struct sample_weight w, uint64_t time);

/*
 * Adds a sample with n weights to the stack of that index, or to a stack without frames for
 * PREFIXTABLE_NONE. A sample of a broken stack is malformed (sample_missing).
 */
static inline void
prefixtable_sample(
    struct prefixtable *p, uint32_t stack, const struct sample_weight *w, unsigned n, uint64_t time)
{
	const uint64_t before = sample_units(p->sampler);

	if (prefixtable_is_broken(p, stack)) {
		prefixtable_lost(p, w, n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		if (w[i].weight != 0 && sample_wanted(p->sampler, w[i].event, time, w[i].weight))
			prefixtable_weight(p, stack, w[i], time);
	if (sample_units(p->sampler) > before)
		sample_units_are(p->sampler, before, 1);
}

#endif
