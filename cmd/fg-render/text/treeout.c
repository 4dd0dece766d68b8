/*
 * treeout: -T tree, calls from the root down with their share of the profile total. A
 * single-child run is one line. The indentation has a limit, so that the size of the text is
 * linear in that of the tree.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/layout/figures.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture.h"
#include "names/cells.h"
#include "names/label.h"
#include "names/origin.h"
#include "profile/unit.h"

#define INDENT 20 /* levels; deeper lines state their depth as a number */
#define CHAIN 3 /* minimum number of frames in a single-child run */
#define ALIKE 0.995 /* minimum width of a run's frame, relative to its caller */

/* Lines still to write at one level: siblings, largest first. */
struct level {
	uint32_t *node;
	uint32_t n, next;
	uint32_t depth; /* depth of these frames; larger than the level if callers share lines */
};

struct tree {
	const struct picture *p;
	struct value_array total[CALLTREE_COLUMNS]; /* totals by drawn column */
	unsigned columns;
	struct level *level; /* level[0]: the root's children */
	uint32_t cap;
};

static int
by_width(const void *a, const void *b, void *tree)
{
	const struct picture *p = ((const struct tree *)tree)->p;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t first = p->names.rank[p->tree->node[x].name],
		 second = p->names.rank[p->tree->node[y].name];

	if (p->width[x] != p->width[y])
		return p->width[x] < p->width[y] ? 1 : -1;
	return (first > second) - (first < second);
}

static bool
is_listed(const struct tree *r, uint32_t node)
{
	const struct picture *p = r->p;

	return !picture_is_gap(p, p->tree->node[node].name) &&
	       100 * p->width[node] >= p->options->min_percent * p->profile_total;
}

/* Collects the children of a node that are to be shown. */
static void
open_level(struct tree *r, uint32_t at, uint32_t depth, uint32_t parent)
{
	const struct picture *p = r->p;
	const struct calltree_node *node = p->tree->node;
	struct level *l;
	uint32_t n = 0;

	vec_fit(r->level, r->cap, at + 1);
	l = &r->level[at];
	*l = (struct level){.depth = depth};
	if (p->options->max_depth != 0 && depth >= p->options->max_depth)
		return;
	for (uint32_t i = node[parent].child; i != 0; i = node[i].next)
		n++;
	l->node = cli_alloc(n, sizeof *l->node);
	for (uint32_t i = node[parent].child; i != 0; i = node[i].next)
		if (is_listed(r, i))
			l->node[l->n++] = i;
	if (!p->options->flamechart && p->options->order != ORDER_INPUT)
		sort_items_of(l->node, l->n, sizeof *l->node, by_width, r);
}

static void
add_share(double share, struct text *line)
{
	if (share > 0 && share < 0.1)
		text_puts(line, "[<0.1%] ");
	else
		text_printf(
		    line, share < 10 && share != floor(share) ? "[%.1f%%] " : "[%.0f%%] ", share);
}

/*
 * Appends "[62%] ", the share of the profile total; for a differential the change relative to
 * base.
 */
static void
add_percent(const struct tree *r, uint32_t node, struct text *line)
{
	const struct picture *p = r->p;
	double base = value_double(p->drawn.sum[0]), change;

	if (p->mode != MODE_DIFFERENTIAL) {
		add_share(100 * p->width[node] / p->profile_total, line);
	} else {
		change = base > 0 ? 100 * (p->diff.head[node] - p->diff.base[node]) / base : 0;
		text_char(line, '[');
		unit_change(line, change, 1);
		text_puts(line, "%] ");
	}
}

static void
add_figures(const struct tree *r, uint32_t node, struct text *line)
{
	const struct picture *p = r->p;
	value sum = 0;

	for (unsigned k = 0; k < r->columns; k++)
		sum = value_sum(sum, value_array_get(&r->total[k], node));
	text_puts(line, " (");
	if (p->mode == MODE_DIFFERENTIAL || p->widths != WIDTHS_SUM) {
		for (unsigned k = 0; k < r->columns; k++) {
			text_puts(line, k == 0			       ? ""
					: p->mode == MODE_DIFFERENTIAL ? " \xe2\x86\x92 "
								       : ", ");
			layout_figure(p, k, line, value_array_get(&r->total[k], node));
		}
	} else {
		layout_figure(p, 0, line, sum);
		for (unsigned k = 0; k < r->columns; k++) {
			text_printf(line, "%s%s ", k == 0 ? ": " : ", ",
			    p->columns.name[p->drawn.column[k]]);
			layout_figure(p, k, line, value_array_get(&r->total[k], node));
		}
	}
	text_puts(line, ")\n");
}

static void
add_name(const struct tree *r, uint32_t node, unsigned cells, struct text *line)
{
	struct frame_name n = r->p->names.name[r->p->tree->node[node].name];

	n.file = name_is_anonymous(&n) ? label_last_segment(n.file) : (struct str){0};
	label_function(line, &n, cells);
}

/* Appends the names of a single-child run: all, or both ends if it is too long. */
static void
add_names(const struct tree *r, uint32_t first, uint32_t last, uint32_t count, struct text *line)
{
	size_t begin = line->len;
	uint32_t node = first;

	for (uint32_t i = 0; i < count && count <= REPORT_CELLS / 3; i++) {
		text_puts(line, i > 0 ? ";" : "");
		add_name(r, node, REPORT_CELLS, line);
		if (label_width(line->s + begin, line->len - begin) > REPORT_CELLS)
			break;
		if (node == last)
			return;
		for (node = r->p->tree->node[node].child; !is_listed(r, node);)
			node = r->p->tree->node[node].next;
	}
	text_cut(line, begin);
	add_name(r, first, REPORT_CELLS / 3, line);
	text_puts(line, " \xe2\x80\xa6 ");
	add_name(r, last, REPORT_CELLS / 2, line);
	text_printf(line, ", %u frames", count);
}

static void
write_line(const struct tree *r, struct output *o, uint32_t first, uint32_t last, uint32_t count)
{
	struct text line = {0};

	add_percent(r, first, &line);
	if (count == 1)
		add_name(r, first, REPORT_CELLS, &line);
	else
		add_names(r, first, last, count, &line);
	add_figures(r, last, &line);
	output_write(o, line.s, line.len);
	text_free(&line);
}

/* Returns the last frame of the single-child run that starts at a node; *count is its length. */
static uint32_t
end_of_chain(const struct tree *r, uint32_t node, uint32_t depth, uint32_t *count)
{
	const struct picture *p = r->p;
	uint32_t last = node, most = p->options->max_depth;

	*count = 1;
	if (p->options->chains == CHAINS_KEEP || p->options->flamechart)
		return node;
	while (most == 0 || depth + *count < most) {
		uint32_t only = 0, n = 0;

		for (uint32_t i = p->tree->node[last].child; i != 0 && n < 2;
		     i = p->tree->node[i].next)
			if (is_listed(r, i)) {
				only = i;
				n++;
			}
		if (n != 1 || p->width[only] < ALIKE * p->width[last])
			break;
		last = only;
		++*count;
	}
	if (*count >= CHAIN)
		return last;
	*count = 1;
	return node;
}

static void
write_tree(struct tree *r, struct output *o)
{
	uint32_t at = 0, cap = 0;
	struct text rails = {0};
	size_t *rail = NULL; /* length of rails at each level */

	write_line(r, o, CALLTREE_ROOT, CALLTREE_ROOT, 1);
	open_level(r, 0, 0, CALLTREE_ROOT);
	for (;;) {
		struct level *l = &r->level[at];
		uint32_t node, end, count, depth;
		bool last;

		if (l->next == l->n) {
			free(l->node);
			if (at-- == 0)
				break;
			rails.len = rail[at];
			continue;
		}
		node = l->node[l->next++];
		last = l->next == l->n;
		depth = l->depth;
		output_write(o, rails.len > 0 ? rails.s : "", rails.len);
		output_text(o, last ? "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "
				    : "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ");
		if (at >= INDENT)
			output_printf(o, "%" PRIu32 ": ", depth + 1);
		end = end_of_chain(r, node, depth, &count);
		write_line(r, o, node, end, count);
		vec_fit(rail, cap, at + 1);
		rail[at] = rails.len;
		if (at < INDENT)
			text_puts(&rails, last ? "    " : "\xe2\x94\x82   ");
		open_level(r, ++at, depth + count, end);
	}
	free(rail);
	text_free(&rails);
}

void
report_tree(const struct picture *p, struct output *o)
{
	struct tree r = {.p = p, .columns = p->mode == MODE_DIFFERENTIAL ? 2 : p->drawn.n};

	for (unsigned k = 0; k < r.columns; k++)
		r.total[k] = calltree_totals(p->tree, p->drawn.column[k]);
	write_tree(&r, o);
	free(r.level);
	for (unsigned k = 0; k < r.columns; k++)
		value_array_free(&r.total[k]);
}
