/*
 * v8nodes: nodes are added as read; links between them are resolved at the end.
 */
#include "fg-collapse/v8/v8nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"

/* Ids below this are stored in near: usually all except those of a profile's first nodes,
 * because V8 assigns ids in sequence. */
#define NEAR(v) (8 * ((v)->tree.n + 64))

void
v8_init(struct v8 *v, struct sampler *sampler)
{
	*v = (struct v8){0};
	prefixtable_init(&v->tree, sampler);
}

void
v8_free(struct v8 *v)
{
	for (size_t i = 0; i < v->levels; i++) {
		text_free(&v->level[i].function);
		text_free(&v->level[i].url);
	}
	prefixtable_free(&v->tree);
	json_numbers_free(&v->own);
	free(v->near);
	free(v->far.slot);
	free(v->link);
	free(v->level);
	text_free(&v->anonymous);
}

static void
add_link(struct v8 *v, uint32_t node, bool up, uint64_t id)
{
	vec_fit(v->link, v->caplink, v->nlink + 1);
	v->link[v->nlink++] = (struct v8_link){node, up, id};
}

/* Gives an id to a node; it replaces an earlier node of that id. */
static void
set_id(struct v8 *v, uint64_t id, uint32_t node)
{
	if (id >= NEAR(v)) {
		*intmap_at(&v->far, id) = (void *)((uintptr_t)node + 1);
		return;
	}
	if (id >= v->nnear) {
		vec_fit(v->near, v->capnear, id + 1);
		memset(v->near + v->nnear, 0, (id + 1 - v->nnear) * sizeof *v->near);
		v->nnear = id + 1;
	}
	v->near[id] = node + 1;
}

/* Reads a key of a call site: function, file or line, the first numbered `first`; false for
 * another key. */
static bool
read_place(struct v8_level *l, struct json *j, struct str key, uint32_t first)
{
	uint32_t n;

	if (str_is(key, "functionName")) {
		json_keep(j, &l->function);
		l->named = true;
	} else if (str_is(key, "url"))
		json_keep(j, &l->url);
	else if (str_is(key, "lineNumber"))
		l->line = json_index(j, &n) ? n + 1 - first : 0;
	else
		return false;
	return true;
}

static uint32_t
name_of(struct v8 *v, const struct v8_level *l)
{
	struct frame f = {
	    .function = text_as_str(&l->function), .file = text_as_str(&l->url), .line = l->line};

	if (str_is(f.function, "(root)"))
		return 0;
	return jsframe_name(v->tree.sampler, &f, &v->anonymous);
}

static void
begin(struct v8 *v, uint32_t parent)
{
	struct v8_level *l;

	vec_fit(v->level, v->caplevel, v->nlevel + 1);
	l = &v->level[v->nlevel++];
	if (v->nlevel > v->levels) {
		*l = (struct v8_level){0};
		v->levels = v->nlevel;
	}
	text_cut(&l->function, 0);
	text_cut(&l->url, 0);
	l->line = 0;
	l->children = l->named = l->known = false;
	l->node = prefixtable_add(&v->tree, parent, 0);
	json_numbers_add(&v->own, (struct json_number){0});
}

static void
read_field(struct v8 *v, struct json *j, struct str key)
{
	struct v8_level *l = &v->level[v->nlevel - 1];
	struct json_number own;
	uint64_t id;

	if (str_is(key, "callFrame")) {
		if (json_object(j))
			while (json_key(j, &key))
				if (!read_place(l, j, key, 0))
					json_skip(j);
	} else if (str_is(key, "id")) {
		l->known = json_whole(j, &id);
		if (l->known)
			set_id(v, id, l->node);
		v->known += l->known;
	} else if (str_is(key, "parent")) {
		if (json_whole(j, &id))
			add_link(v, l->node, true, id);
	} else if (str_is(key, "hitCount") || str_is(key, "selfSize")) {
		if (json_number(j, &own) && !own.negative)
			json_numbers_set(&v->own, l->node, own);
		v->valued++;
	} else if (str_is(key, "children")) {
		l->children = json_array(j);
	} else if (!read_place(l, j, key, 1)) {
		json_skip(j);
	}
}

/* Begins the next child, or ends the list of children. */
static void
read_child(struct v8 *v, struct json *j)
{
	struct v8_level *l = &v->level[v->nlevel - 1];
	uint64_t id;

	if (!json_item(j))
		l->children = false;
	else if (json_kind(j) == JSON_OBJECT && json_object(j))
		begin(v, l->node);
	else if (json_whole(j, &id))
		add_link(v, l->node, false, id);
}

void
v8_tree(struct json *j, void *to)
{
	struct v8 *v = to;
	struct str key;

	if (!json_object(j))
		return;
	begin(v, PREFIXTABLE_NONE);
	while (v->nlevel > 0) {
		struct v8_level *l = &v->level[v->nlevel - 1];

		if (l->children) {
			read_child(v, j);
		} else if (json_key(j, &key)) {
			read_field(v, j, key);
		} else {
			v->tree.stack[l->node].name = l->named && (l->known || v->known == 0)
							  ? name_of(v, l)
							  : SAMPLE_MISSING;
			v->nlevel--;
		}
	}
}

void
v8_add(struct v8 *v, uint64_t id, struct str function, const uint64_t *parent)
{
	struct frame f = {.function = function};
	uint32_t node =
	    prefixtable_add(&v->tree, PREFIXTABLE_NONE, sample_name(v->tree.sampler, &f));

	json_numbers_add(&v->own, (struct json_number){0});
	set_id(v, id, node);
	if (parent != NULL)
		add_link(v, node, true, *parent);
}

/* Marks stacks as broken whose caller is not known: in a tree of V8, only (root) has none. */
static void
break_orphans(struct prefixtable *t)
{
	bool rooted = false;

	for (size_t i = 0; i < t->n; i++)
		rooted |= t->stack[i].parent == PREFIXTABLE_NONE && t->stack[i].name == 0;
	for (size_t i = 0; i < t->n && rooted; i++)
		if (t->stack[i].parent == PREFIXTABLE_NONE && t->stack[i].name != 0)
			t->stack[i].parent = PREFIXTABLE_BROKEN;
}

void
v8_join(struct v8 *v)
{
	for (size_t i = 0; i < v->nlink; i++) {
		const struct v8_link *l = &v->link[i];
		uint32_t other = v8_node(v, l->id);

		if (l->up)
			v->tree.stack[l->node].parent = other;
		else if (other < v->tree.n)
			v->tree.stack[other].parent = l->node;
	}
	v->nlink = 0;
	break_orphans(&v->tree);
	prefixtable_close(&v->tree);
}

void
v8_report_values(const struct v8 *v, const struct reader *r)
{
	if (v->valued > 0 && v->valued < v->tree.n)
		cli_warn("%s: inconsistent: %zu nodes have %zu values", lines_name(r->lines),
		    v->tree.n, v->valued);
}

void
v8_append(struct v8 *v, struct v8 *piece)
{
	uint32_t base = (uint32_t)v->tree.n;

	for (size_t i = 0; i < piece->tree.n; i++) {
		const struct prefixtable_stack *s = &piece->tree.stack[i];

		prefixtable_add(&v->tree,
		    s->parent == PREFIXTABLE_NONE ? PREFIXTABLE_NONE : s->parent + base, s->name);
		json_numbers_add(&v->own, json_numbers_at(&piece->own, i));
	}
	for (size_t i = 0; i < piece->nlink; i++)
		add_link(v, piece->link[i].node + base, piece->link[i].up, piece->link[i].id);
	for (size_t i = 0; i < piece->far.size; i++) {
		const struct intmap_slot *s = &piece->far.slot[i];

		if (s->value != NULL)
			set_id(v, s->key, base + (uint32_t)(uintptr_t)s->value - 1);
	}
	for (size_t id = 0; id < piece->nnear; id++)
		if (piece->near[id] > 0)
			set_id(v, id, base + piece->near[id] - 1);
	free(piece->far.slot);
	piece->far = (struct intmap){0};
	piece->tree.n = piece->nlink = piece->nnear = piece->own.n = piece->own.nwide = 0;
}
