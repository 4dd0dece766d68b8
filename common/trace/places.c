/*
 * places: samples in, a tree of unnamed frames with their weights out, and the
 * order of samples where it is asked for.
 */
#include "trace/places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

struct places *
places_new(bool ordered, uint64_t step)
{
	struct places *p = cli_alloc(1, sizeof *p);

	p->tree = calltree_new(1);
	p->ordered = ordered;
	p->step = step;
	return p;
}

void
places_free(struct places *p)
{
	calltree_free(p->tree);
	free(p->time);
	free(p->sample);
	free(p);
}

uint32_t
places_task(struct places *p, const struct places_task *task)
{
	return calltree_child(
	    p->tree, CALLTREE_ROOT, calltree_intern(p->tree, (const char *)task, sizeof *task));
}

static uint32_t
add_frame(struct places *p, uint32_t node, const struct places_frame *f, uint64_t time)
{
	uint32_t known = p->tree->nname;
	uint32_t name = calltree_intern(p->tree, (const char *)f, sizeof *f);

	vec_fit(p->time, p->captime, (size_t)name + 1);
	if (name >= known)
		p->time[name] = time;
	return calltree_child(p->tree, node, name);
}

uint32_t
places_chain(struct places *p, uint32_t node, const struct chain *c, uint64_t time)
{
	for (size_t i = c->n; i-- > 0;) {
		struct places_frame f = {c->frame[i].module, c->frame[i].vaddr, 0};

		node = add_frame(p, node, &f, time);
	}
	return node;
}

/* The step of time in which a moment is: as marks have them, from the first sample on. */
static uint64_t
step_of(const struct places *p, uint64_t time)
{
	return (time - p->sample[0].time) / p->step;
}

uint32_t
places_waker(struct places *p, uint32_t node, const struct chain *c, const struct places_task *task,
    bool interrupt, uint64_t time)
{
	for (size_t i = 0; i < (interrupt ? c->nkernel : c->n); i++) {
		struct places_frame f = {c->frame[i].module, c->frame[i].vaddr,
		    interrupt ? PLACES_INTERRUPT : PLACES_WAKER};

		node = add_frame(p, node, &f, time);
	}
	return calltree_child(
	    p->tree, node, calltree_intern(p->tree, (const char *)task, sizeof *task));
}

uint32_t
places_with_top(struct places *p, uint32_t node, uint32_t other, size_t n)
{
	struct calltree_node at = p->tree->node[other];

	if (n == 0 || at.parent == CALLTREE_ROOT)
		return node;
	return calltree_child(p->tree, places_with_top(p, node, at.parent, n - 1), at.name);
}

uint32_t
places_in_column(struct places *p, uint32_t node, uint32_t column)
{
	struct calltree_node at = p->tree->node[node];

	if (at.parent == CALLTREE_ROOT) {
		struct places_task task = places_get_task(p, node);

		task.column = column;
		return places_task(p, &task);
	}
	return calltree_child(p->tree, places_in_column(p, at.parent, column), at.name);
}

void
places_add(struct places *p, uint32_t node, uint64_t time, uint64_t weight)
{
	struct places_sample *last;

	calltree_add(p->tree, node, 0, value_of(weight));
	if (!p->ordered)
		return;
	last = p->nsample > 0 ? &p->sample[p->nsample - 1] : NULL;
	if (last != NULL && last->node == node &&
	    (p->step == 0 || step_of(p, last->time) == step_of(p, time))) {
		last->weight += weight;
		return;
	}
	vec_fit(p->sample, p->capsample, p->nsample + 1);
	p->sample[p->nsample++] = (struct places_sample){time, weight, node};
}

bool
places_is_task(const struct places *p, uint32_t node)
{
	static_assert(sizeof(struct places_task) != sizeof(struct places_frame), "told apart");
	return p->tree->name[p->tree->node[node].name].len == sizeof(struct places_task);
}

struct places_task
places_get_task(const struct places *p, uint32_t node)
{
	const struct calltree *t = p->tree;
	struct places_task task;

	memcpy(&task, t->name[t->node[node].name].s, sizeof task);
	return task;
}

struct places_frame
places_get_frame(const struct places *p, uint32_t node)
{
	const struct calltree *t = p->tree;
	struct places_frame f;

	memcpy(&f, t->name[t->node[node].name].s, sizeof f);
	return f;
}

uint32_t
places_copy(struct places *p, const struct places *from, uint32_t node)
{
	const struct calltree_node *at = &from->tree->node[node];

	if (places_is_task(from, node)) {
		struct places_task task = places_get_task(from, node);

		return at->parent == CALLTREE_ROOT
			   ? places_task(p, &task)
			   : calltree_child(p->tree, places_copy(p, from, at->parent),
				 calltree_intern(p->tree, (const char *)&task, sizeof task));
	} else {
		struct places_frame f = places_get_frame(from, node);

		return add_frame(p, places_copy(p, from, at->parent), &f, from->time[at->name]);
	}
}

void
places_keep(const struct places *p)
{
	const struct calltree *t = p->tree;

	for (uint32_t node = 1; node < t->nnode; node++) {
		struct module *m;

		if (places_is_task(p, node))
			continue;
		m = places_get_frame(p, node).module;
		if (m != NULL)
			m->kept = true;
	}
}
