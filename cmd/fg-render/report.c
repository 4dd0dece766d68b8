/*
 * report: the picture as text. `top` is one line for each function, `tree` the
 * calls from the root down with their share of the whole.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "profile/cells.h"
#include "profile/label.h"
#include "profile/origin.h"

#define NAME_CELLS 120 /* of a function, at most */

/* How many spaces bring a figure to the width of its column. */
static int
pad(const struct text *figure)
{
	unsigned width = label_width(figure->s, figure->len);

	return width < 16 ? (int)(16 - width) : 0;
}

void
report_top(const struct picture *p, struct output *o)
{
	struct function *f = functions_sum(p, 0);
	struct text self = {0}, total = {0}, name = {0};

	qsort(f + 1, p->tree->nname - 1, sizeof *f, functions_by_self);
	output_printf(
	    o, "%16s %7s %16s %7s  %s\n", "self", "self %", "total", "total %", "function");
	for (uint32_t i = 1; i < p->tree->nname && f[i].name != NULL; i++) {
		if (layout_percent(p, f[i].total) < p->options->min_percent)
			continue;
		self.len = total.len = 0;
		layout_figure(p, 0, &self, f[i].self);
		layout_figure(p, 0, &total, f[i].total);
		output_printf(o, "%*s%s %6.2f%% %*s%s %6.2f%%  ", pad(&self), "", self.s,
		    layout_percent(p, f[i].self), pad(&total), "", total.s,
		    layout_percent(p, f[i].total));
		text_cut(&name, 0);
		label_function(&name, f[i].name, NAME_CELLS);
		output_write(o, name.s, name.len);
		output_char(o, '\n');
	}
	text_free(&self);
	text_free(&total);
	text_free(&name);
	free(f);
}

/* The lines of a tree still to be written at one depth: children, largest first. */
struct level {
	uint32_t *node;
	uint32_t n, next;
};

struct tree {
	const struct picture *p;
	struct value_array total;
	struct level *level; /* by depth, the root's children at 0 */
	uint32_t cap;
};

static int
by_total(const void *a, const void *b, void *tree)
{
	const struct tree *r = tree;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	value u = value_array_get(&r->total, x), v = value_array_get(&r->total, y);
	uint32_t first = r->p->rank[r->p->tree->node[x].name];
	uint32_t second = r->p->rank[r->p->tree->node[y].name];

	if (u != v)
		return u < v ? 1 : -1;
	return (first > second) - (first < second);
}

/* The children of a node that are to be shown. */
static void
open_level(struct tree *r, uint32_t depth, uint32_t parent)
{
	const struct picture *p = r->p;
	const struct calltree_node *node = p->tree->node;
	struct level *l;
	uint32_t n = 0;

	vec_fit(r->level, r->cap, depth + 1);
	l = &r->level[depth];
	*l = (struct level){0};
	if (p->options->max_depth != 0 && depth >= p->options->max_depth)
		return;
	for (uint32_t i = node[parent].child; i != 0; i = node[i].next)
		n++;
	l->node = cli_alloc(n, sizeof *l->node);
	for (uint32_t i = node[parent].child; i != 0; i = node[i].next)
		if (!picture_is_gap(p, node[i].name) &&
		    layout_percent(p, value_array_get(&r->total, i)) >= p->options->min_percent)
			l->node[l->n++] = i;
	if (!p->options->flamechart && p->options->order != ORDER_INPUT)
		qsort_r(l->node, l->n, sizeof *l->node, by_total, r);
}

static void
write_line(const struct tree *r, struct output *o, uint32_t node)
{
	struct frame_name bare = r->p->name[r->p->tree->node[node].name];
	value total = value_array_get(&r->total, node);
	double share = layout_percent(r->p, total);
	struct text line = {0};

	bare.file.len = 0;
	if (share > 0 && share < 0.1)
		text_puts(&line, "[<0.1%] ");
	else
		text_printf(
		    &line, share < 10 && share != floor(share) ? "[%.1f%%] " : "[%.0f%%] ", share);
	label_function(&line, &bare, NAME_CELLS);
	text_puts(&line, " (");
	layout_figure(r->p, 0, &line, total);
	text_puts(&line, ")\n");
	output_write(o, line.s, line.len);
	text_free(&line);
}

void
report_tree(const struct picture *p, struct output *o)
{
	struct tree r = {.p = p, .total = calltree_totals(p->tree, p->column[0])};
	uint32_t depth = 0;
	struct text rails = {0};
	size_t *rail = NULL; /* how long rails is at each depth */
	uint32_t cap = 0;

	write_line(&r, o, CALLTREE_ROOT);
	open_level(&r, 0, CALLTREE_ROOT);
	for (;;) {
		struct level *l = &r.level[depth];
		uint32_t node;
		bool last;

		if (l->next == l->n) {
			free(l->node);
			if (depth-- == 0)
				break;
			rails.len = rail[depth];
			continue;
		}
		node = l->node[l->next++];
		last = l->next == l->n;
		output_write(o, rails.s, rails.len);
		output_text(o, last ? "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "
				    : "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ");
		write_line(&r, o, node);
		vec_fit(rail, cap, depth + 1);
		rail[depth] = rails.len;
		text_puts(&rails, last ? "    " : "\xe2\x94\x82   ");
		open_level(&r, ++depth, node);
	}
	free(r.level);
	free(rail);
	text_free(&rails);
	value_array_free(&r.total);
}
