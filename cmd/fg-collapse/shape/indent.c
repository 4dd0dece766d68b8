/*
 * indent: a node's self value is known once its children are read, so the path to the
 * current line is kept.
 */
#include "fg-collapse/shape/indent.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

void
indent_init(struct indent *t, struct reader *r, uint32_t event, enum indent_values values)
{
	*t = (struct indent){.reader = r, .sampler = r->sampler, .event = event, .values = values};
	sampler_tree(r->sampler, NULL, 1);
}

void
indent_free(struct indent *t)
{
	free(t->node);
}

/* Emits the stack that ends at the last node, with its self value. */
static void
take(struct indent *t, value own)
{
	if (!t->callers) {
		if (sample_wanted(t->sampler, t->event, SAMPLE_NO_TIME, own))
			sample_add(t->sampler, t->node[t->n - 1].node, SAMPLE_NO_TIME, &own);
		return;
	}
	if (!sample_begin(t->sampler, &t->task, t->event, SAMPLE_NO_TIME, own))
		return;
	for (size_t i = 0; i < t->n; i++)
		sample_frame_named(t->sampler, t->node[i].name);
	sample_end(t->sampler);
}

static void
leave(struct indent *t)
{
	struct indent_node *last = &t->node[t->n - 1];
	value own = last->total;

	if (t->values == INDENT_TOTAL) {
		/* Rounding can make the sum of the children exceed their parent. */
		own = last->total > last->below ? last->total - last->below : 0;
		if (t->n > 1)
			last[-1].below = value_sum(last[-1].below, last->total);
	}
	if (own > 0)
		take(t, own);
	t->n--;
}

static void
report_odd(struct indent *t)
{
	const char *input = lines_name(t->reader->lines);
	unsigned long long line = t->reader->number;

	if (t->reader->options->strict)
		cli_die("%s:%llu: inconsistent indentation", input, line);
	if (!t->odd)
		cli_warn(
		    "%s:%llu: inconsistent indentation; read as one level deeper", input, line);
	t->odd = true;
}

void
indent_line(struct indent *t, uint64_t column, const struct frame *f, value v)
{
	struct indent_node *node;

	while (t->n > 0 && t->node[t->n - 1].column >= column)
		leave(t);
	if (t->n > 0 && t->step > 0 && column != t->node[t->n - 1].column + t->step)
		report_odd(t);
	vec_fit(t->node, t->cap, t->n + 1);
	node = &t->node[t->n];
	*node =
	    (struct indent_node){.column = column, .name = sample_name(t->sampler, f), .total = v};
	if (!t->callers)
		node->node =
		    sample_child(t->sampler, t->n > 0 ? node[-1].node : t->root, node->name);
	t->n++;
}

void
indent_end(struct indent *t)
{
	while (t->n > 0)
		leave(t);
}
