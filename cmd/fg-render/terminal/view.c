#include "fg-render/terminal/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/layout/layout.h"
#include "fg-render/reading/stacks.h"

/* Initializes a view with an empty tree that has no names of its own. */
static struct calltree *
begin(struct view *v, const struct picture *p)
{
	struct calltree *t = calltree_new(p->tree->columns);

	*v = (struct view){.picture = *p, .options = *p->options};
	v->options.total = 0;
	v->picture.options = &v->options;
	v->picture.tree = t;
	return t;
}

static void
finish(struct view *v, const struct picture *p, int column)
{
	struct picture *q = &v->picture;
	struct calltree *t = q->tree;

	free(t->name);
	t->name = p->tree->name;
	t->nname = p->tree->nname;
	if (p->options->flamechart || p->options->order == ORDER_INPUT)
		stacks_order_by_appearance(t);
	else
		calltree_sort(t);
	q->diff.base = q->diff.head = NULL;
	q->stacks.node = NULL;
	q->stacks.n = 0;
	q->diff.quiet = NULL;
	q->dominant = NULL;
	if (column >= 0 && p->drawn.n > 1) {
		q->drawn.n = 1;
		q->drawn.column[0] = p->drawn.column[column];
		q->drawn.unit[0] = p->drawn.unit[column];
		q->diff.noise = -1;
		q->widths = WIDTHS_FIRST;
		if (q->mode == MODE_DIFFERENTIAL || q->mode == MODE_WAIT ||
		    q->mode == MODE_BOTTLENECK)
			q->mode = MODE_FUNCTION;
	}
	layout(q);
	if (q->profile_total == 0)
		q->profile_total = 1;
}

static void
note_of(struct view *v, uint32_t node, uint32_t of)
{
	vec_fit(v->of, v->capof, node + 1);
	v->of[node] = of;
}

static void
carry(struct calltree *to, uint32_t node, const struct calltree *from, uint32_t i)
{
	for (unsigned c = 0; c < from->columns; c++)
		if (value_array_has(&from->self[c], i))
			calltree_add(to, node, c, calltree_self(from, i, c));
}

void
view_frame(struct view *v, const struct picture *p, uint32_t node, int column)
{
	const struct calltree *from = p->tree;
	struct calltree *t = begin(v, p);
	uint32_t *way = NULL, cap = 0, depth = 0, at = CALLTREE_ROOT;
	uint32_t *made =
	    cli_alloc(from->nnode, sizeof *made); /* by node: its node in the view + 1 */

	note_of(v, CALLTREE_ROOT, CALLTREE_ROOT);
	for (uint32_t i = node; i != CALLTREE_ROOT; i = from->node[i].parent) {
		vec_fit(way, cap, depth + 1);
		way[depth++] = i;
	}
	while (depth-- > 0) {
		at = calltree_append(t, at, from->node[way[depth]].name);
		note_of(v, at, way[depth]);
	}
	made[node] = at + 1;
	carry(t, at, from, node);
	for (uint32_t i = node + 1; i < from->nnode; i++) {
		uint32_t parent = made[from->node[i].parent];

		if (parent == 0)
			continue;
		at = calltree_append(t, parent - 1, from->node[i].name);
		note_of(v, at, i);
		made[i] = at + 1;
		carry(t, at, from, i);
	}
	free(made);
	free(way);
	finish(v, p, column);
}

void
view_function(struct view *v, const struct picture *p, uint32_t function, bool callers, int column)
{
	const struct calltree *from = p->tree;
	struct calltree *t = begin(v, p);
	uint32_t top = calltree_child(t, CALLTREE_ROOT, function);
	uint32_t *made = cli_alloc(from->nnode, sizeof *made);
	struct value_array total[CALLTREE_COLUMNS];

	for (unsigned c = 0; c < from->columns && callers; c++)
		total[c] = calltree_totals(from, c);
	for (uint32_t i = 1; i < from->nnode; i++) {
		uint32_t parent = made[from->node[i].parent], at = top;

		/* outside the function; a recursive frame below it counts as its callee */
		if (parent == 0 && p->names.function[from->node[i].name] != function)
			continue;
		if (!callers) {
			made[i] = parent == 0 ? top : calltree_child(t, parent, from->node[i].name);
			carry(t, made[i], from, i);
			continue;
		}
		made[i] = top;
		if (parent != 0)
			continue;
		for (uint32_t k = from->node[i].parent; k != CALLTREE_ROOT;
		     k = from->node[k].parent)
			at = calltree_child(t, at, from->node[k].name);
		for (unsigned c = 0; c < from->columns; c++)
			calltree_add(t, at, c, value_array_get(&total[c], i));
	}
	for (unsigned c = 0; c < from->columns && callers; c++)
		value_array_free(&total[c]);
	free(made);
	finish(v, p, column);
}

bool
view_filter(struct view *v, const struct picture *p, const struct filter *filter, unsigned n)
{
	const struct calltree *from = p->tree;
	struct calltree *t = begin(v, p);
	uint64_t *met = cli_alloc(from->nnode, sizeof *met); /* bits of filters, by node */
	uint64_t *about = cli_alloc_ready(from->nname, sizeof *about); /* the same by name */
	bool *need = cli_alloc_ready(from->nnode, sizeof *need);
	uint32_t *made = cli_alloc_ready(from->nnode, sizeof *made);
	uint64_t focus = 0, drop = 0, hide = 0, only = 0;
	bool any = false;

	met[CALLTREE_ROOT] = 0;
	for (unsigned k = 0; k < n; k++) {
		focus |= (uint64_t)(filter[k].what == FILTER_FOCUS) << k;
		drop |= (uint64_t)(filter[k].what == FILTER_DROP) << k;
		hide |= (uint64_t)(filter[k].what == FILTER_HIDE) << k;
		only |= (uint64_t)(filter[k].what == FILTER_ONLY) << k;
		viewfilter_names(p, &filter[k], UINT64_C(1) << k, about);
	}
	for (uint32_t i = 1; i < from->nnode; i++)
		met[i] = met[from->node[i].parent] | about[from->node[i].name];
	for (uint32_t i = from->nnode; i-- > 0;) {
		bool kept = (met[i] & focus) == focus && (met[i] & drop) == 0;

		for (unsigned c = 0; c < from->columns && kept; c++)
			need[i] |= value_array_has(&from->self[c], i);
		if (i != CALLTREE_ROOT)
			need[from->node[i].parent] |= need[i];
	}
	for (uint32_t i = 0; i < from->nnode; i++) {
		uint64_t name = about[from->node[i].name];
		bool hidden = (name & hide) != 0 || (name & only) != only;

		if (!need[i])
			continue;
		if (i != CALLTREE_ROOT)
			made[i] = hidden ? made[from->node[i].parent]
					 : calltree_child(
					       t, made[from->node[i].parent], from->node[i].name);
		any |= made[i] != CALLTREE_ROOT;
		/* A stack that loses all frames is dropped, as by fg-filter. */
		if ((met[i] & focus) == focus && (met[i] & drop) == 0 && made[i] != CALLTREE_ROOT)
			carry(t, made[i], from, i);
	}
	free(met);
	free(about);
	free(need);
	free(made);
	finish(v, p, -1);
	return any;
}

void
view_free(struct view *v)
{
	if (v->picture.tree != NULL) {
		v->picture.tree->name = NULL;
		calltree_free(v->picture.tree);
		free(v->picture.width);
		free(v->picture.stacks.node);
		free(v->picture.diff.base);
		free(v->picture.diff.head);
		free(v->picture.diff.quiet);
		free(v->picture.dominant);
	}
	free(v->of);
	*v = (struct view){0};
}
