/*
 * prefixtable: a stack's node is a child of its parent's node. Ancestors without a node
 * are collected in an array instead of recursing, so any depth works.
 */
#include "fg-collapse/shape/prefixtable.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

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

/* States of a stack: its ancestors are not checked, are being checked, lead to a root or not. */
enum { UNKNOWN, IN_PROGRESS, COMPLETE, INCOMPLETE };

void
prefixtable_close(struct prefixtable *p)
{
	uint8_t *state = cli_alloc(p->n + 1, sizeof *state);

	for (size_t i = 0; i < p->n; i++) {
		uint32_t stack = (uint32_t)i;
		uint8_t found;
		size_t depth = 0;

		for (; stack < p->n && state[stack] == UNKNOWN; stack = p->stack[stack].parent) {
			if (p->stack[stack].name == SAMPLE_MISSING)
				p->stack[stack].parent = PREFIXTABLE_BROKEN;
			state[stack] = IN_PROGRESS;
			vec_fit(p->path, p->cappath, depth + 1);
			p->path[depth++] = stack;
		}
		found = stack == PREFIXTABLE_NONE || (stack < p->n && state[stack] == COMPLETE)
			    ? COMPLETE
			    : INCOMPLETE;
		while (depth-- > 0) {
			state[p->path[depth]] = found;
			if (found == INCOMPLETE)
				p->stack[p->path[depth]].parent = PREFIXTABLE_BROKEN;
		}
	}
	free(state);
}

void
prefixtable_lost(struct prefixtable *p, const struct sample_weight *w, unsigned n)
{
	bool any = false;

	for (unsigned i = 0; i < n; i++)
		any |= w[i].weight != 0;
	if (any)
		sample_missing(p->sampler, 1);
	for (unsigned i = 0; i < n; i++)
		if (sampler_has_column(p->sampler, w[i].event))
			sample_malformed(p->sampler, 0, w[i].weight);
}

static uint32_t
node_of(struct prefixtable *p, uint32_t stack)
{
	uint32_t node = p->root;
	size_t depth = 0;

	for (; stack < p->n && p->stack[stack].node == 0; stack = p->stack[stack].parent) {
		vec_fit(p->path, p->cappath, depth + 1);
		p->path[depth++] = stack;
	}
	if (stack < p->n)
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
