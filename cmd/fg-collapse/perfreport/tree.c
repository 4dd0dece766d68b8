/*
 * tree: parses the chains of an entry, drawn with bars, one level per fork.
 */
#include "fg-collapse/perfreport/tree.h"

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

/*
 * Converts the percentages of the tree to parts of the profile total. They are relative to
 * the node above (-g fractal) if one is larger than that node's.
 */
static void
make_absolute(struct report *p)
{
	value *above = NULL; /* value of the last node by depth */
	size_t cap = 0;

	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < p->nnode && !again; i++) {
			const struct node *n = &p->node[i];
			value parent = n->depth == 0 ? p->overhead : above[n->depth - 1];

			vec_fit(above, cap, (size_t)n->depth + 1);
			above[n->depth] = n->v == NO_VALUE ? parent
					  : p->fractal	   ? share(parent, n->v)
							   : n->v;
			again = above[n->depth] > parent && !p->fractal;
		}
		p->fractal |= again;
	}
	for (size_t i = 0; i < p->nnode; i++) {
		struct node *n = &p->node[i];
		value parent = n->depth == 0 ? p->overhead : above[n->depth - 1];

		if (n->v == NO_VALUE)
			n->v = parent;
		else if (p->fractal)
			n->v = share(parent, n->v);
		above[n->depth] = n->v;
	}
	free(above);
}

void
report_tree(struct report *p)
{
	struct sample_task task = {.comm = text_as_str(&p->comm)};
	struct text name = {0};
	value sum = 0;

	make_absolute(p);
	p->tree.callers = !p->caller;
	p->tree.task = task;
	p->tree.root = sample_root(p->reader->sampler, &task);
	for (size_t i = 0; i < p->nnode; i++) {
		const struct node *n = &p->node[i];
		struct frame f;

		report_frame(p, &f, &name, (struct str){p->text.s + n->name, n->len});
		indent_line(&p->tree, n->depth, &f, n->v);
		if (n->depth == 0)
			sum += n->v;
	}
	indent_end(&p->tree);
	if (p->overhead > sum)
		report_symbol(p, p->overhead - sum, false);
	text_free(&name);
}

static void
add_node(struct report *p, size_t column, uint32_t depth, struct str name, value v)
{
	struct node n = {.name = p->text.len, .len = name.len, .v = v, .depth = depth};

	text_str(&p->text, name);
	vec_fit(p->node, p->capnode, p->nnode + 1);
	p->node[p->nnode++] = n;
	vec_fit(p->chain, p->capchain, p->nchain + 1);
	p->chain[p->nchain].column = column;
	p->chain[p->nchain++].depth = depth;
}

bool
report_read_tree(struct report *p, struct str line)
{
	size_t at = strspn(line.s, " |"); /* the newline ends the span */
	struct str s = str_from(line, at < line.len ? at : line.len);
	size_t column;
	uint32_t depth;
	value v = NO_VALUE;

	if (!p->open || at < 8)
		return false;
	if (s.len == 0)
		return true;
	report_refuse_children(p);
	p->chains = true;
	if (scan_word(&s, "---")) {
		column = at + 3;
		p->nchain = 0;
		if (p->nnode > 0) /* below a fork of the entry itself */
			return false;
	} else if (str_starts(s, "--") && s.len > 2 && s.s[2] >= '0' && s.s[2] <= '9') {
		s = str_from(s, 2);
		if (!scan_decimal(&s, &v) || !scan_word(&s, "%--"))
			return false;
		column = at - 1 + FORK;
		while (p->nchain > 0 && p->chain[p->nchain - 1].column > at - 1)
			p->nchain--;
	} else {
		column = at;
		while (p->nchain > 0 && p->chain[p->nchain - 1].column > at)
			p->nchain--;
		if (p->nchain == 0)
			return false;
	}
	depth = p->nchain > 0 ? p->chain[p->nchain - 1].depth + 1 : 0;
	if (depth > DEPTH_MAX)
		return false;
	if (p->nchain > 0 && p->chain[p->nchain - 1].column == column)
		p->nchain--; /* the chain continues */
	add_node(p, column, depth, s, v);
	if (p->nnode == 1 && p->symbol.len > 0) {
		p->caller = !str_equal(s, text_as_str(&p->symbol));
		p->caller_known = true;
	}
	return true;
}
