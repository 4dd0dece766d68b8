/*
 * indent: a node's self value is known once its children are read, so the path to the
 * current line is kept. A tree is emitted at its end, once no line of it is malformed.
 */
#include "fg-collapse/shape/indent.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define HEAD_UNKNOWN UINT64_MAX

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
	free(t->line);
	free(t->left);
	free(t->path);
}

/* Emits the stack that ends at a line, with its self value. */
static void
give(struct indent *t, const struct indent_line *line)
{
	size_t n = 0;

	if (!t->callers) {
		if (sample_wanted(t->sampler, t->event, SAMPLE_NO_TIME, line->own))
			sample_add(t->sampler, line->node, SAMPLE_NO_TIME, &line->own);
		return;
	}
	if (!sample_begin(t->sampler, &t->task, t->event, SAMPLE_NO_TIME, line->own))
		return;
	for (size_t at = (size_t)(line - t->line) + 1; at > 0; at = t->line[at - 1].parent) {
		vec_fit(t->path, t->cappath, n + 1);
		t->path[n++] = t->line[at - 1].name;
	}
	while (n-- > 0)
		sample_frame_named(t->sampler, t->path[n]);
	sample_end(t->sampler);
}

/* Emits the current tree, which is complete, unless it is broken. */
static void
give_tree(struct indent *t)
{
	const bool wanted = sampler_has_column(t->sampler, t->event);

	for (size_t i = 0; i < t->nleft; i++)
		if (t->broken)
			sample_malformed(t->sampler, 1, wanted ? t->line[t->left[i]].own : 0);
		else
			give(t, &t->line[t->left[i]]);
	t->nline = t->nleft = 0;
	t->broken = false;
}

/* Reports the first fault of a kind. */
static void
report(const struct indent *t, uint64_t line, bool *reported, const char *fault, const char *result)
{
	const char *input = lines_name(t->reader->lines);

	if (t->reader->options->strict)
		cli_die("%s:%llu: %s", input, (unsigned long long)line, fault);
	if (!*reported)
		cli_warn("%s:%llu: %s%s", input, (unsigned long long)line, fault, result);
	*reported = true;
}

static void
leave(struct indent *t)
{
	struct indent_node *last = &t->node[t->n - 1];
	value own = last->total;

	if (t->values == INDENT_TOTAL) {
		if (t->whole && last->below > last->total)
			report(t, t->line[last->line].number, &t->excess,
			    "inconsistent values: the lines below this one have more", "");
		/* Rounding can make the sum of the children exceed their parent. */
		own = last->total > last->below ? last->total - last->below : 0;
		if (t->n > 1)
			last[-1].below = value_sum(last[-1].below, last->total);
	}
	if (own > 0) {
		t->line[last->line].own = own;
		vec_fit(t->left, t->capleft, t->nleft + 1);
		t->left[t->nleft++] = last->line;
	}
	if (--t->n == 0)
		give_tree(t);
}

void
indent_line(struct indent *t, uint64_t column, const struct frame *f, value v)
{
	const struct indent_node *above;
	struct indent_line *line;

	while (t->n > 0 && t->node[t->n - 1].column >= column)
		leave(t);
	above = t->n > 0 ? &t->node[t->n - 1] : NULL;
	if (t->step > 0 &&
	    (above != NULL ? column != above->column + t->step : t->based && column > t->first))
		report(t, t->reader->number, &t->odd, "inconsistent indentation",
		    "; read as one level deeper");
	if (above == NULL && t->headless) {
		if (t->head == HEAD_UNKNOWN)
			t->head = column;
		t->headless = t->broken = column >= t->head;
	}
	vec_fit(t->line, t->capline, t->nline + 1);
	line = &t->line[t->nline];
	*line = (struct indent_line){.name = sample_name(t->sampler, f),
	    .parent = above != NULL ? above->line + 1 : 0,
	    .number = t->reader->number};
	if (!t->callers)
		line->node = sample_child(
		    t->sampler, above != NULL ? t->line[above->line].node : t->root, line->name);
	vec_fit(t->node, t->cap, t->n + 1);
	t->node[t->n++] = (struct indent_node){.column = column, .line = t->nline++, .total = v};
}

void
indent_broken(struct indent *t)
{
	t->broken |= t->n > 0;
	if (t->n == 0) {
		t->headless = true;
		t->head = HEAD_UNKNOWN;
	}
}

void
indent_end(struct indent *t)
{
	while (t->n > 0)
		leave(t);
	t->headless = false;
}
