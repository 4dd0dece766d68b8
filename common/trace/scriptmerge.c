/*
 * scriptmerge: merges script frames into the native frames of a stack: a group of them in place of
 * the interpreter's native frames that ran it, and functions in C at their native frames.
 */
#include "trace/scriptmerge.h"

#define ADDED (-2) /* script_frame.native of a function that was added at its native frame */

static void
put(struct merge *m, struct unwind_frame f)
{
	if (m->n < m->most)
		m->out[m->n++] = f;
}

static void
put_frame(struct merge *m, const struct reading *r, size_t i)
{
	const struct script_frame *f = &r->stack.frame[i];

	put(m, f->module != NULL ? (struct unwind_frame){f->module, f->vaddr}
				 : (struct unwind_frame){r->module, f->name});
}

/* Add the frames of a group, without those that were added at native frames of their own. */
static void
put_group(struct merge *m, struct reading *r)
{
	const struct script_group *g = &r->stack.group[r->group++];

	for (size_t i = g->first; i < (size_t)g->first + g->n; i++)
		if (r->stack.frame[i].native != ADDED)
			put_frame(m, r, i);
	if (r->stack.truncated && r->group == r->stack.ngroup)
		put(m, (struct unwind_frame){m->cut, 0});
}

/*
 * Add the next group, and following groups without a native frame before the last one with a native
 * frame.
 */
static void
put_groups(struct merge *m, struct reading *r)
{
	do
		put_group(m, r);
	while (r->group < r->last && r->stack.group[r->group].native == SCRIPT_NATIVE_NONE);
}

/* The native frame of the next group; SCRIPT_NATIVE_NONE: none, or no group is left. */
static int32_t
next_native(const struct reading *r)
{
	return r->group < r->stack.ngroup ? r->stack.group[r->group].native : SCRIPT_NATIVE_NONE;
}

/* Replace the C function at native frame i by its script frame. */
static bool
put_function(struct merge *m, struct reading *r, size_t i)
{
	const struct script_group *at = &r->stack.group[r->group];

	if (r->group >= r->stack.ngroup)
		return false;
	for (size_t k = at->first; k < (size_t)at->first + at->n; k++)
		if (r->stack.frame[k].native == (int32_t)i) {
			put_frame(m, r, k);
			r->stack.frame[k].native = ADDED;
			return true;
		}
	return false;
}

/* Put the innermost groups without a native frame: their calls are starting or returning. */
static void
put_innermost(struct merge *m, const struct chain *c)
{
	for (size_t k = 0; k < m->npart; k++) {
		struct reading *r = m->part[k];

		if (r->stack.ngroup > 0 && r->stack.group[0].native == SCRIPT_NATIVE_NONE &&
		    (r->last > 0 || c->end == UNWIND_COMPLETE))
			put_groups(m, r);
	}
}

/* Replaces native frame i by groups, of which one may replace more; returns their number. */
static size_t
put_at(struct merge *m, size_t i)
{
	size_t replaced = 0;

	for (size_t k = 0; k < m->npart; k++) {
		struct reading *r = m->part[k];

		if (next_native(r) != (int32_t)i)
			continue;
		if (r->stack.group[r->group].nnative > replaced)
			replaced = r->stack.group[r->group].nnative;
		put_groups(m, r);
	}
	return replaced;
}

void
merge_frames(struct merge *m, const struct chain *c)
{
	size_t n = c->n - c->nkernel;

	put_innermost(m, c);
	for (size_t i = 0; i < n; i++) {
		struct unwind_frame f = c->frame[c->nkernel + i];
		size_t replaced = put_at(m, i), k = 0;

		if (replaced > 0 && !m->interpreter) {
			i += replaced - 1;
			continue;
		}
		while (replaced == 0 && k < m->npart && !put_function(m, m->part[k], i))
			k++;
		if (replaced > 0 || k == m->npart)
			put(m, f);
	}
	/*
	 * Beyond the unwound stack: callers of a fiber. Only native frames show where another
	 * runtime's belong among them.
	 */
	for (size_t k = 0; k < m->npart && (!m->mixed || c->end == UNWIND_COMPLETE); k++)
		while (m->part[k]->group < m->part[k]->stack.ngroup)
			put_group(m, m->part[k]);
}
