/*
 * functions: self and total value of each function, summed over all its frames; these may
 * differ in line and annotations.
 */
#include "fg-render/text/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-render/picture.h"
#include "names/functionsums.h"

/* Returns the function of a node; a gap of a flame chart belongs to its caller. */
uint32_t
functions_at(const struct picture *p, uint32_t node)
{
	const struct calltree_node *n = &p->tree->node[node];

	return p->names
	    .function[picture_is_gap(p, n->name) ? p->tree->node[n->parent].name : n->name];
}

struct function *
functions_sum(const struct picture *p, unsigned k)
{
	const struct calltree *t = p->tree;
	struct function *f = cli_alloc_ready(t->nname, sizeof *f);
	bool *no_call = cli_alloc(t->nname, sizeof *no_call);
	struct function_sum *sum;

	for (uint32_t i = 0; i < t->nname; i++) {
		const struct frame_name *name = p->names.name, *of = &name[p->names.function[i]];

		/* the kernel's function of a name is not the program's */
		no_call[i] =
		    name[i].inlined || (name[i].kind == FRAME_KERNEL) != (of->kind == FRAME_KERNEL);
	}
	sum = summary_functions(t, p->drawn.column[k], p->names.function, no_call, p->names.gap);
	free(no_call);
	for (uint32_t i = 0; i < t->nname; i++)
		f[i] = (struct function){.self = sum[i].self,
		    .total = sum[i].total,
		    .node = sum[i].node,
		    .deepest = sum[i].deepest};
	for (uint32_t i = 0; i < t->nname; i++)
		if (!picture_is_gap(p, i))
			f[p->names.function[i]].name = &p->names.name[p->names.function[i]];
	free(sum);
	return f;
}

static int
compare_text(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t len = alen < blen ? alen : blen;
	int order = len != 0 ? memcmp(a, b, len) : 0;

	return order != 0 ? order : (alen > blen) - (alen < blen);
}

int
functions_by_self(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int order;

	if (x->name == NULL || y->name == NULL)
		return (x->name == NULL) - (y->name == NULL);
	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	order = compare_text(x->name->start, x->name->bare, y->name->start, y->name->bare);
	if (order == 0)
		order = compare_text(
		    x->name->file.s, x->name->file.len, y->name->file.s, y->name->file.len);
	return order != 0 ? order
			  : (x->name->line > y->name->line) - (x->name->line < y->name->line);
}
