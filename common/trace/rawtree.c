/* rawtree: adds samples to a tree of unsymbolized frames and, on request, records their order. */
#include "trace/rawtree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

struct rawtree *
rawtree_new(bool ordered, uint64_t step)
{
	struct rawtree *p = cli_alloc(1, sizeof *p);

	p->tree = calltree_new(1);
	p->ordered = ordered;
	p->step = step;
	return p;
}

void
rawtree_free(struct rawtree *p)
{
	calltree_free(p->tree);
	free(p->time);
	free(p->sample);
	free(p);
}

uint32_t
rawtree_task(struct rawtree *p, const struct rawtree_task *task)
{
	return calltree_child(
	    p->tree, CALLTREE_ROOT, calltree_intern(p->tree, (const char *)task, sizeof *task));
}

uint32_t
rawtree_label(struct rawtree *p, struct str label)
{
	return label.len == 0 ? 0 : calltree_intern(p->tree, label.s, label.len) + 1;
}

static uint32_t
add_frame(struct rawtree *p, uint32_t node, const struct rawtree_frame *f, uint64_t time)
{
	uint32_t known = p->tree->nname;
	uint32_t name = calltree_intern(p->tree, (const char *)f, sizeof *f);

	vec_fit(p->time, p->captime, (size_t)name + 1);
	if (name >= known)
		p->time[name] = time;
	return calltree_child(p->tree, node, name);
}

uint32_t
rawtree_chain(struct rawtree *p, uint32_t node, const struct chain *c, uint64_t time)
{
	for (size_t i = c->n; i-- > 0;) {
		struct rawtree_frame f = {c->frame[i].module, c->frame[i].vaddr, 0};

		node = add_frame(p, node, &f, time);
	}
	return node;
}

uint32_t
rawtree_leaf(struct rawtree *p, uint32_t node, struct module *m, uint64_t vaddr, uint64_t time)
{
	const struct rawtree_frame f = {m, vaddr, 0};

	return add_frame(p, node, &f, time);
}

/* Time step that contains a moment; steps are counted from the first sample. */
static uint64_t
step_of(const struct rawtree *p, uint64_t time)
{
	return (time - p->sample[0].time) / p->step;
}

uint32_t
rawtree_waker(struct rawtree *p, uint32_t node, const struct chain *c,
    const struct rawtree_task *task, bool interrupt, uint64_t time)
{
	for (size_t i = 0; i < (interrupt ? c->nkernel : c->n); i++) {
		struct rawtree_frame f = {c->frame[i].module, c->frame[i].vaddr,
		    interrupt ? RAWTREE_INTERRUPT : RAWTREE_WAKER};

		node = add_frame(p, node, &f, time);
	}
	return calltree_child(
	    p->tree, node, calltree_intern(p->tree, (const char *)task, sizeof *task));
}

uint32_t
rawtree_with_top(struct rawtree *p, uint32_t node, uint32_t other, size_t n)
{
	struct calltree_node at = p->tree->node[other];

	if (n == 0 || at.parent == CALLTREE_ROOT)
		return node;
	return calltree_child(p->tree, rawtree_with_top(p, node, at.parent, n - 1), at.name);
}

/* The node of the task of a stack. */
static uint32_t
root_of(const struct rawtree *p, uint32_t node)
{
	while (p->tree->node[node].parent != CALLTREE_ROOT)
		node = p->tree->node[node].parent;
	return node;
}

/* Copy of a stack below another task. */
static uint32_t
with_root(struct rawtree *p, uint32_t node, const struct rawtree_task *task)
{
	struct calltree_node at = p->tree->node[node];

	return at.parent == CALLTREE_ROOT
		   ? rawtree_task(p, task)
		   : calltree_child(p->tree, with_root(p, at.parent, task), at.name);
}

uint32_t
rawtree_in_column(struct rawtree *p, uint32_t node, uint32_t column)
{
	struct rawtree_task task = rawtree_get_task(p, root_of(p, node));

	task.column = column;
	return with_root(p, node, &task);
}

uint32_t
rawtree_with_comm(struct rawtree *p, uint32_t node, const char *comm)
{
	struct rawtree_task task = rawtree_get_task(p, root_of(p, node));

	memset(task.comm, 0, sizeof task.comm);
	strlcpy(task.comm, comm, sizeof task.comm);
	return with_root(p, node, &task);
}

void
rawtree_add(struct rawtree *p, uint32_t node, uint64_t time, uint64_t weight)
{
	struct rawtree_sample *last;

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
	p->sample[p->nsample++] = (struct rawtree_sample){time, weight, node};
}

bool
rawtree_is_task(const struct rawtree *p, uint32_t node)
{
	static_assert(
	    sizeof(struct rawtree_task) != sizeof(struct rawtree_frame), "distinguished by size");
	return p->tree->name[p->tree->node[node].name].len == sizeof(struct rawtree_task);
}

struct rawtree_task
rawtree_get_task(const struct rawtree *p, uint32_t node)
{
	const struct calltree *t = p->tree;
	struct rawtree_task task;

	memcpy(&task, t->name[t->node[node].name].s, sizeof task);
	return task;
}

struct rawtree_frame
rawtree_get_frame(const struct rawtree *p, uint32_t node)
{
	const struct calltree *t = p->tree;
	struct rawtree_frame f;

	memcpy(&f, t->name[t->node[node].name].s, sizeof f);
	return f;
}

uint32_t
rawtree_copy(struct rawtree *p, const struct rawtree *from, uint32_t node)
{
	const struct calltree_node *at = &from->tree->node[node];

	if (rawtree_is_task(from, node)) {
		struct rawtree_task task = rawtree_get_task(from, node);

		if (task.label != 0) {
			const struct calltree_name *label = &from->tree->name[task.label - 1];

			task.label = rawtree_label(p, (struct str){label->s, label->len});
		}
		return at->parent == CALLTREE_ROOT
			   ? rawtree_task(p, &task)
			   : calltree_child(p->tree, rawtree_copy(p, from, at->parent),
				 calltree_intern(p->tree, (const char *)&task, sizeof task));
	} else {
		struct rawtree_frame f = rawtree_get_frame(from, node);

		return add_frame(p, rawtree_copy(p, from, at->parent), &f, from->time[at->name]);
	}
}

void
rawtree_keep(const struct rawtree *p)
{
	const struct calltree *t = p->tree;

	for (uint32_t node = 1; node < t->nnode; node++) {
		struct module *m;

		if (rawtree_is_task(p, node))
			continue;
		m = rawtree_get_frame(p, node).module;
		if (m != NULL)
			m->kept = true;
	}
}
