/*
 * chaintree: parses the chains of an entry, drawn with bars, one level per fork.
 */
#include "fg-collapse/perfreport/chaintree.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"

#define DEPTH_MAX 10000 /* limit of frames in a chain; perf itself stores 127 */
#define FORK 11 /* columns from a bar to the names after it */

/* percent of v. */
static value
share(value v, value percent)
{
	return humannumber_scale(v, (uint64_t)(percent / 10000000), 10000);
}

/* True if a percentage is larger than the node's above: it is relative to that (-g fractal). */
static bool
is_fractal(const struct entries *p, const struct entry *e, value *above)
{
	for (size_t i = 0; i < e->nnode; i++) {
		const struct node *n = &p->node[e->node + i];
		value parent = n->depth == 0 ? e->overhead : above[n->depth - 1];

		above[n->depth] = n->v == NO_VALUE ? parent : n->v;
		if (above[n->depth] > parent)
			return true;
	}
	return false;
}

value
chaintree_values(struct entries *p, const struct entry *e, value total, bool counted)
{
	value *above = cli_alloc(e->nnode + 1, sizeof *above), sum = 0; /* last node by depth */
	bool fractal = !counted && (p->fractal || is_fractal(p, e, above));

	p->fractal |= fractal;
	for (size_t i = 0; i < e->nnode; i++) {
		struct node *n = &p->node[e->node + i];
		value parent = n->depth == 0 ? total : above[n->depth - 1];

		if (n->v == NO_VALUE)
			n->v = parent;
		else if (fractal)
			n->v = share(parent, n->v);
		above[n->depth] = n->v;
		if (n->depth == 0)
			sum = value_sum(sum, n->v);
	}
	free(above);
	return sum;
}

static void
add_node(struct entries *p, size_t column, uint32_t depth, struct str name, value v)
{
	vec_fit(p->node, p->capnode, p->nnode + 1);
	p->node[p->nnode++] = (struct node){entries_store(p, name), v, depth};
	entries_current(p)->nnode++;
	vec_fit(p->level, p->caplevel, p->nlevel + 1);
	p->level[p->nlevel].column = column;
	p->level[p->nlevel++].depth = depth;
}

/* Takes `--12.50%--` or `--12--`, before the first name of a branch. */
static bool
scan_branch(struct entries *p, struct str *s, value *v)
{
	struct str rest = str_from(*s, 2);
	bool percent;

	if (!scan_decimal(&rest, v))
		return false;
	percent = scan_word(&rest, "%");
	if (!scan_word(&rest, "--"))
		return false;
	if (percent)
		entries_part(p)->percent = true;
	else
		entries_part(p)->counted = true;
	*s = rest;
	return true;
}

bool
chaintree_read(struct entries *p, struct str line)
{
	size_t at = strspn(line.s, " |"); /* the newline ends the span */
	struct str s = str_from(line, at < line.len ? at : line.len);
	size_t column;
	uint32_t depth;
	value v = NO_VALUE;

	if (!p->open || at < 8)
		return false;
	if (s.len == 0) {
		if (p->bar == 0)
			p->bar = str_find(line, "|");
		return true;
	}
	entries_refuse_children(p);
	if (scan_word(&s, "---")) {
		column = at + 3;
		p->nlevel = 0;
		if (entries_current(p)->nnode > 0) /* below a fork of the entry itself */
			return false;
	} else if (str_starts(s, "--")) {
		if (!scan_branch(p, &s, &v))
			return false;
		if (entries_current(p)->nnode == 0 && p->bar > 0 && at - 1 > p->bar)
			return false; /* the line before the fork is missing */
		column = at - 1 + FORK;
		while (p->nlevel > 0 && p->level[p->nlevel - 1].column > at - 1)
			p->nlevel--;
	} else {
		column = at;
		while (p->nlevel > 0 && p->level[p->nlevel - 1].column > at)
			p->nlevel--;
		if (p->nlevel == 0)
			return false;
	}
	depth = p->nlevel > 0 ? p->level[p->nlevel - 1].depth + 1 : 0;
	if (depth > DEPTH_MAX)
		return false;
	if (p->nlevel > 0 && p->level[p->nlevel - 1].column == column)
		p->nlevel--; /* the chain continues */
	add_node(p, column, depth, s, v);
	return true;
}
