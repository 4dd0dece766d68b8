/*
 * waits: time off the CPU goes to who waits. fg-record --wall has columns of it. Of other
 * profiles it is known by where the stacks end: all in the kernel's scheduler.
 */
#include <string.h>

#include "fg-render/payload.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "profile/origin.h"

#define NEARLY_ALL 0.9 /* of the whole ends there */

/* Where Linux takes a thread off its CPU, as fg-record, perf and bcc's offcputime have it. */
static bool
is_scheduler(const struct frame_name *n)
{
	static const char *const begin[] = {"schedule", "__schedule", "io_schedule",
	    "preempt_schedule", "finish_task_switch", "__switch_to"};

	if (n->origin != ORIGIN_SYSTEM)
		return false;
	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(n->text, n->len, begin[i]))
			return true;
	return false;
}

static const struct frame_name *
name_at(const struct picture *p, uint32_t node)
{
	return &p->name[p->tree->node[node].name];
}

/* The last frame of a stack without those of its waker. */
static uint32_t
last_own(const struct picture *p, uint32_t node)
{
	while (node != CALLTREE_ROOT && name_at(p, node)->kind == FRAME_WAKER)
		node = p->tree->node[node].parent;
	return node;
}

void
waits_find(const struct picture *p, bool off[CALLTREE_COLUMNS])
{
	double ends = 0;

	for (unsigned k = 0; k < p->ncolumn; k++) {
		const char *name = p->columns.name[p->column[k]];

		off[k] =
		    name != NULL && (strcmp(name, "waiting") == 0 || strcmp(name, "blocked") == 0);
	}
	if (p->ncolumn > 1 || off[0])
		return;
	for (uint32_t i = 1; i < p->tree->nnode; i++)
		if (is_scheduler(name_at(p, last_own(p, i))))
			ends += layout_self(p, i, 0);
	off[0] = ends > 0 && ends >= NEARLY_ALL * value_double(p->sum[0]);
}

/*
 * The deepest frame of the program itself, else of a library, else the first one, which
 * names the process. What is inlined is where its caller is.
 */
static uint32_t
waiter(const struct picture *p, uint32_t node)
{
	const struct calltree *t = p->tree;
	uint32_t inlined = 0, library = 0;

	node = last_own(p, node);
	for (; t->node[node].parent != CALLTREE_ROOT; node = t->node[node].parent) {
		const struct frame_name *n = name_at(p, node);
		uint32_t at = inlined != 0 ? inlined : node;

		inlined = n->inlined ? at : 0;
		if (n->inlined)
			continue;
		if (n->origin == ORIGIN_USER)
			return at;
		if (n->origin != ORIGIN_SYSTEM && library == 0)
			library = at;
	}
	return library != 0 ? library : node;
}

struct waits
waits_sum(const struct picture *p)
{
	unsigned columns = p->widths == WIDTHS_SUM ? p->ncolumn : 1;
	struct waits w = {0};

	waits_find(p, w.off);
	value_array_resize(&w.self, p->tree->nnode);
	for (uint32_t i = 0; i < p->tree->nnode; i++)
		for (unsigned k = 0; k < columns; k++) {
			const struct value_array *own = &p->tree->self[p->column[k]];
			value v;

			if (!value_array_has(own, i))
				continue;
			v = value_array_get(own, i);
			value_array_add(
			    &w.self, w.off[k] && i != CALLTREE_ROOT ? waiter(p, i) : i, v);
			w.whole = value_sum(w.whole, v);
			if (w.off[k])
				w.waited = value_sum(w.waited, v);
		}
	return w;
}
