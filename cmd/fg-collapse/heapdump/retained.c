/* retained: the dominator tree, merged by class; then a sample for each of its nodes. */
#include "fg-collapse/heapdump/retained.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define DEPTH_MAX 512 /* frames; objects below are those of the last frame */
#define ROOT 0 /* of the merged tree */

static const char deeper[] = "[deeper]";

/* A node of the merged tree. */
struct node {
	uint32_t parent, name, depth;
	uint64_t bytes, objects;
};

struct merged {
	struct node *node;
	uint32_t n, cap;
	struct hash_index index; /* by parent and name */
	uint32_t deeper; /* name of the frame for objects below DEPTH_MAX */
};

void
retained_root(struct retained *t, uint64_t id)
{
	vec_fit(t->root, t->caproot, t->nroot + 1);
	t->root[t->nroot++] = id;
}

void
retained_thread(struct retained *t, uint64_t id, uint32_t number)
{
	retained_root(t, id);
	vec_fit(t->thread, t->capthread, t->nthread + 1);
	t->thread[t->nthread++] = (struct retained_thread){number, id};
}

void
retained_local(struct retained *t, uint64_t id, uint32_t thread)
{
	vec_fit(t->local, t->caplocal, t->nlocal + 1);
	t->local[t->nlocal++] = (struct retained_thread){thread, id};
}

void
retained_free(struct retained *t)
{
	free(t->root);
	free(t->thread);
	free(t->local);
}

static int
compare(const void *a, const void *b)
{
	const struct retained_thread *p = a, *q = b;

	if (p->number != q->number)
		return p->number < q->number ? -1 : 1;
	return (p->id > q->id) - (p->id < q->id);
}

/*
 * Adds for each thread a node with its locals, to which the thread refers by an extra edge; then
 * the root of all. Returns the root's index.
 */
static uint32_t
add_roots(struct retained *t, struct objects *o, struct intmap *extra)
{
	size_t k = 0;

	if (t->nthread > 0)
		sort_items(t->thread, t->nthread, sizeof *t->thread, compare);
	if (t->nlocal > 0)
		sort_items(t->local, t->nlocal, sizeof *t->local, compare);
	for (size_t i = 0; i < t->nthread; i++) {
		const uint32_t at = objects_find(o, t->thread[i].id);
		void **edge;

		for (; k < t->nlocal && t->local[k].number < t->thread[i].number; k++)
			retained_root(t, t->local[k].id);
		if (at == DOMINATORS_NONE || k == t->nlocal ||
		    t->local[k].number != t->thread[i].number ||
		    *(edge = intmap_at(extra, (uint64_t)at + 1)) != NULL)
			continue;
		*edge = (void *)(uintptr_t)(o->n + 1);
		objects_add(o, 0, (o->class[at] & CLASS_NUMBER) | OF_LOCALS, NULL, 0);
		for (; k < t->nlocal && t->local[k].number == t->thread[i].number; k++)
			objects_refer(o, t->local[k].id);
	}
	for (; k < t->nlocal; k++)
		retained_root(t, t->local[k].id);
	objects_add(o, 0, OF_LOCALS, NULL, 0);
	for (size_t i = 0; i < t->nroot; i++)
		objects_refer(o, t->root[i]);
	return o->n - 1;
}

/* The names of all classes' instances, and of the class objects, as those of frames. */
static uint32_t *
name_classes(const struct classes *l, struct sampler *s, bool objects)
{
	uint32_t *name = cli_alloc(l->n > 0 ? l->n : 1, sizeof *name);
	struct text text = {0};

	for (size_t i = 0; i < l->n; i++) {
		text_cut(&text, 0);
		if (objects)
			text_puts(&text, "class ");
		classes_name(l, l->class[i], &text);
		name[i] = sample_name(s, &(struct frame){.function = text_as_str(&text)});
	}
	text_free(&text);
	return name;
}

/* The child of a node with that name, made if it is new. */
static uint32_t
child(struct merged *m, uint32_t parent, uint32_t name)
{
	uint32_t hash, at, n;

	if (parent != ROOT && m->node[parent].name == name)
		return parent;
	if (parent != ROOT && m->node[parent].depth >= DEPTH_MAX) {
		if (m->node[parent].name == m->deeper)
			return parent;
		name = m->deeper;
	}
	at = hash = (uint32_t)hash_number((uint64_t)parent << 32 | name);
	while ((n = hash_index_next(&m->index, hash, &at)) != 0)
		if (m->node[n].parent == parent && m->node[n].name == name)
			return n;
	vec_fit(m->node, m->cap, (size_t)m->n + 1);
	m->node[m->n] = (struct node){.parent = parent,
	    .name = name,
	    .depth = parent == ROOT ? 1 : m->node[parent].depth + 1};
	hash_index_add(&m->index, hash, m->n);
	return m->n++;
}

static void
add_sample(struct sampler *s, const struct merged *m, uint32_t n, uint32_t event, bool path)
{
	const struct sample_weight w = {event, value_of(m->node[n].bytes)};
	uint32_t name[DEPTH_MAX + 1], depth = 0;

	if (!sample_begin_many(
		s, &(struct sample_task){0}, &w, 1, SAMPLE_NO_TIME, m->node[n].objects))
		return;
	for (; n != ROOT && depth <= DEPTH_MAX; n = m->node[n].parent) {
		name[depth++] = m->node[n].name;
		if (!path)
			break;
	}
	while (depth > 0)
		sample_frame_named(s, name[--depth]);
	sample_end(s);
}

/* The bytes of an object. */
static uint64_t
size_of(const struct object_layout *layout, const struct classes *l, uint32_t class, uint32_t count)
{
	const struct class *c = l->class[class & CLASS_NUMBER];
	struct object_shape array = {.array = true};

	if (class & OF_CLASS)
		return object_size(layout, &c->static_shape, 0);
	if (c->flat)
		return object_size(layout, &c->shape, 0);
	array.element = c->primitive != 0 ? type_size(c->primitive, 0) : 0;
	return object_size(layout, &array, count);
}

/* Merges the tree by names; fills of: the node of each object, by depth-first number. */
static void
merge(struct merged *m, const struct dominators *d, const struct objects *o,
    const struct classes *l, struct sampler *s, const struct object_layout *layout)
{
	uint32_t *names = name_classes(l, s, false), *classes = name_classes(l, s, true);
	uint32_t *of = cli_alloc(d->n, sizeof *of);

	m->deeper = sample_name(s, &(struct frame){.function = str_of(deeper)});
	vec_fit(m->node, m->cap, 1u);
	m->node[ROOT] = (struct node){0};
	m->n = 1;
	for (uint32_t i = 1; i < d->n; i++) {
		const uint32_t at = d->node[i], class = o->class[at];
		const uint32_t name = (class & OF_CLASS ? classes : names)[class & CLASS_NUMBER];

		of[i] = child(m, of[d->by[i]], name);
		if (class & OF_LOCALS)
			continue;
		m->node[of[i]].objects++;
		m->node[of[i]].bytes += size_of(layout, l, class, o->count[at]);
	}
	free(of);
	free(names);
	free(classes);
}

/* Reports the objects that no root reaches; returns their number. */
static uint64_t
report_unreachable(const struct dominators *d, const struct objects *o, const struct classes *l,
    const struct object_layout *layout, struct reader *r)
{
	uint64_t n = 0, bytes = 0;
	bool *reached = cli_alloc(o->n, sizeof *reached);

	for (uint32_t i = 0; i < d->n; i++)
		reached[d->node[i]] = true;
	for (uint32_t i = 0; i < o->n; i++)
		if (!reached[i] && !(o->class[i] & OF_LOCALS)) {
			n++;
			bytes += size_of(layout, l, o->class[i], o -> count[i]);
		}
	free(reached);
	sample_leave_out(r->sampler, n);
	if (n > 0)
		cli_note("%s: %" PRIu64 " %s, %" PRIu64
			 " bytes, not reachable from roots; left out",
		    lines_name(r->lines), n, text_form(n, "object", "objects"), bytes);
	return n;
}

void
retained_give(
    struct retained *t, struct objects *o, struct classes *l, struct reader *r, unsigned id_size)
{
	struct sampler *s = r->sampler;
	const uint32_t retained = sampler_event(s, str_of("retained"), str_of("bytes"));
	const uint32_t shallow = sampler_event(s, str_of("shallow"), str_of("bytes"));
	const struct object_layout layout = objects_layout(o, id_size);
	const uint64_t before = sample_units(s);
	struct intmap extra = {0};
	struct merged m = {0}, flat = {0};
	struct dominators d;
	struct graph g;
	uint64_t objects = 0, unreachable;
	uint32_t root;

	sampler_default(s, retained);
	sampler_tree(s, NULL, 1);
	objects_index(o);
	if (o->duplicates > 0)
		reader_malformed_bytes(r, 0, o->duplicates, "objects with the ID of another one");
	if (t->nroot == 0 && t->nlocal == 0 && o->n > 0) {
		cli_warn("%s: the dump has no roots, perhaps since it is truncated: each object "
			 "stands for itself",
		    lines_name(r->lines));
		for (uint32_t i = 0; i < o->n; i++)
			retained_root(t, o->id[i]);
	}
	root = add_roots(t, o, &extra);
	g = objects_graph(o);
	g.extra = &extra;
	d = dominators_find(&g, root);
	merge(&m, &d, o, l, s, &layout);
	unreachable = report_unreachable(&d, o, l, &layout, r);
	vec_fit(flat.node, flat.cap, 1u);
	flat.n = 1;
	for (uint32_t i = 1; i < m.n; i++) {
		const uint32_t n = child(&flat, ROOT, m.node[i].name);

		flat.node[n].bytes += m.node[i].bytes;
		flat.node[n].objects += m.node[i].objects;
		objects += m.node[i].objects;
		if (m.node[i].objects > 0)
			add_sample(s, &m, i, retained, true);
	}
	for (uint32_t i = 1; i < flat.n; i++)
		if (flat.node[i].objects > 0)
			add_sample(s, &flat, i, shallow, false);
	sample_units_are(s, before, objects + unreachable);
	free(m.node);
	free(flat.node);
	hash_index_free(&m.index);
	hash_index_free(&flat.index);
	free(d.node);
	free(d.by);
	free(extra.slot);
}
