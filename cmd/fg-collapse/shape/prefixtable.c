/*
 * prefixtable: a stack's node is a child of its parent's node. Ancestors without a node
 * are collected in an array instead of recursing, so any depth works.
 */
#include "fg-collapse/shape/prefixtable.h"

#include <stdlib.h>

#include "base/vec.h"

#define IN_PROGRESS UINT32_MAX /* a node that is being created */

void
prefixtable_init(struct prefixtable *p, struct sampler *sampler)
{
	*p = (struct prefixtable){.sampler = sampler};
	sampler_tree(sampler, NULL, 1);
}

void
prefixtable_free(struct prefixtable *p)
{
	free(p->stack);
	free(p->path);
}

uint32_t
prefixtable_add(struct prefixtable *p, uint32_t parent, uint32_t name)
{
	vec_fit(p->stack, p->cap, p->n + 1);
	if (p->n >= PREFIXTABLE_NONE)
		cli_die("more than 2^32 different stacks");
	p->stack[p->n] = (struct prefixtable_stack){parent, name, 0};
	return (uint32_t)p->n++;
}

static uint32_t
node_of(struct prefixtable *p, uint32_t stack)
{
	uint32_t node = p->root;
	size_t depth = 0;

	for (; stack < p->n && p->stack[stack].node == 0; stack = p->stack[stack].parent) {
		p->stack[stack].node = IN_PROGRESS;
		vec_fit(p->path, p->cappath, depth + 1);
		p->path[depth++] = stack;
	}
	if (stack < p->n && p->stack[stack].node == IN_PROGRESS)
		p->cyclic++;
	else if (stack < p->n)
		node = p->stack[stack].node - 1;
	while (depth-- > 0) {
		struct prefixtable_stack *s = &p->stack[p->path[depth]];

		if (s->name != 0)
			node = sample_child(p->sampler, node, s->name);
		s->node = node + 1;
	}
	return node;
}

void
prefixtable_task(struct prefixtable *p, const struct sample_task *task)
{
	uint32_t root = sample_root(p->sampler, task);

	if (root != p->root)
		for (size_t k = 0; k < p->n; k++)
			p->stack[k].node = 0;
	p->root = root;
}

void
prefixtable_samples(struct prefixtable *p, uint32_t stack, uint32_t event, uint64_t n)
{
	value v = value_of(n);

	if (n > 0 && sample_wanted_many(p->sampler, event, n))
		sample_add(p->sampler, node_of(p, stack), SAMPLE_NO_TIME, &v);
}

void
prefixtable_weight(struct prefixtable *p, uint32_t stack, struct sample_weight w, uint64_t time)
{
	value v = sample_counted(p->sampler, w.event, w.weight);

	sample_add(p->sampler, node_of(p, stack), time, &v);
}
