/*
 * stacks: samples in, a tree of unnamed frames with their weights out, and the
 * order of samples where it is asked for.
 */
#include "stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

struct stacks *
stacks_new(bool ordered)
{
	struct stacks *s = cli_alloc(1, sizeof *s);

	s->tree = calltree_new(1);
	s->ordered = ordered;
	return s;
}

void
stacks_free(struct stacks *s)
{
	calltree_free(s->tree);
	free(s->time);
	free(s->event);
	free(s);
}

uint32_t
stacks_label(struct stacks *s, const char *label)
{
	return calltree_child(
	    s->tree, CALLTREE_ROOT, calltree_intern(s->tree, label, strlen(label)));
}

uint32_t
stacks_call(struct stacks *s, uint32_t node, struct module *m, uint64_t vaddr, uint64_t time)
{
	struct stacks_frame f = {.module = m, .vaddr = vaddr};
	uint32_t known = s->tree->nname;
	uint32_t name = calltree_intern(s->tree, (const char *)&f, sizeof f);

	if (name >= s->captime) {
		s->captime = (size_t)name * 2 + 64;
		s->time = cli_realloc(s->time, s->captime, sizeof *s->time);
	}
	if (name >= known)
		s->time[name] = time;
	return calltree_child(s->tree, node, name);
}

void
stacks_add(struct stacks *s, uint32_t node, uint64_t weight)
{
	calltree_add(s->tree, node, 0, value_of(weight));
	if (!s->ordered)
		return;
	if (s->nevent > 0 && s->event[s->nevent - 1].node == node) {
		s->event[s->nevent - 1].weight += weight;
		return;
	}
	if (s->nevent == s->capevent) {
		s->capevent = s->capevent * 2 + 1024;
		s->event = cli_realloc(s->event, s->capevent, sizeof *s->event);
	}
	s->event[s->nevent++] = (struct stacks_event){node, weight};
}

struct stacks_frame
stacks_frame(const struct calltree *t, uint32_t node)
{
	struct stacks_frame f;

	memcpy(&f, t->name[t->node[node].name].s, sizeof f);
	return f;
}

uint32_t
stacks_copy(struct stacks *s, const struct stacks *from, uint32_t node)
{
	const struct calltree *t = from->tree;
	uint32_t parent = t->node[node].parent;
	struct stacks_frame f;

	if (parent == CALLTREE_ROOT)
		return stacks_label(s, t->name[t->node[node].name].s);
	f = stacks_frame(t, node);
	return stacks_call(
	    s, stacks_copy(s, from, parent), f.module, f.vaddr, from->time[t->node[node].name]);
}
