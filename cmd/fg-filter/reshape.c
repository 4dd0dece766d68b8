/*
 * reshape: steps that cut, remove, reverse or add frames. Parents precede their children in a
 * tree, so most steps are one pass that derives a node's place from its parent's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-filter/filter.h"
#include "names/frame.h"
#include "names/origins.h"

/* Maps the names of an old tree to those of a new one. */
struct names {
	const struct calltree *from;
	struct calltree *to;
	uint32_t *number; /* 0: not mapped yet; name 0 is the root's */
};

static struct names
names_new(const struct calltree *from, struct calltree *to)
{
	return (struct names){from, to, cli_alloc(from->nname, sizeof(uint32_t))};
}

/* Returns the child of a new node with the name of an old one; adds it if needed. */
static uint32_t
child(struct names *n, uint32_t parent, uint32_t node)
{
	uint32_t old = n->from->node[node].name;

	if (n->number[old] == 0)
		n->number[old] =
		    calltree_intern(n->to, n->from->name[old].s, n->from->name[old].len);
	return calltree_child(n->to, parent, n->number[old]);
}

/* Stacks start at their first match; those without a match are removed. */
void
reshape_root_at(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint8_t *hit = match_names(&s->pattern, from);

	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		if (map[n->parent] != CUT || hit[n->name])
			map[i] = child(&names, map[n->parent], i);
	}
	free(hit);
	free(names.number);
}

/* Stacks start at the last frame with that name; those without it are unchanged. */
void
reshape_skip_after(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint8_t *hit = cli_alloc(from->nname, 1);
	size_t len = strlen(s->arg);

	for (uint32_t i = 1; i < from->nname; i++) {
		const struct calltree_name *n = &from->name[i];

		hit[i] = (n->len == len || frame_body(n->s, n->len) == len) &&
			 memcmp(n->s, s->arg, len) == 0;
	}
	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		map[i] = child(&names, hit[n->name] ? CALLTREE_ROOT : map[n->parent], i);
	}
	free(hit);
	free(names.number);
}

/* Removes the callees of a match and adds their values to the match. */
void
reshape_until(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint8_t *hit = match_names(&s->pattern, from);
	uint8_t *ended = cli_alloc(from->nnode, 1);

	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		map[i] = ended[n->parent] ? map[n->parent] : child(&names, map[n->parent], i);
		ended[i] = ended[n->parent] | hit[n->name];
	}
	free(ended);
	free(hit);
	free(names.number);
}

/* Removes the frames that are in `hidden`, by node; their values go to the caller. Frees hidden. */
static void
hide_nodes(struct calltree *from, struct calltree *to, uint8_t *hidden, uint32_t *map)
{
	struct names names = names_new(from, to);

	for (uint32_t i = 1; i < from->nnode; i++) {
		uint32_t parent = map[from->node[i].parent];

		map[i] = hidden[i] ? parent : child(&names, parent, i);
	}
	free(hidden);
	free(names.number);
}

/* Removes the frames whose names are in `hidden`; their values go to the caller. Frees hidden. */
static void
hide(struct calltree *from, struct calltree *to, uint8_t *hidden, uint32_t *map)
{
	uint8_t *nodes = cli_alloc_ready(from->nnode, 1);

	for (uint32_t i = 1; i < from->nnode; i++)
		nodes[i] = hidden[from->node[i].name];
	free(hidden);
	hide_nodes(from, to, nodes, map);
}

void
reshape_min_total(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	value all, *total = function_totals(from, &all);
	value least = s->percent ? percent_of(s->least, all) : s->least;
	uint8_t *hidden = cli_alloc(from->nname, 1);

	for (uint32_t i = 1; i < from->nname; i++)
		hidden[i] = total[i] < least;
	free(total);
	hide(from, to, hidden, map);
}

/*
 * A frame for the module of a name. The module of an inline frame is that of its caller; for it
 * this returns NULL.
 */
static struct str
module_frame(const struct calltree_name *name, bool root)
{
	size_t n;
	const char *module = frame_module(name->s, name->len, &n);

	if (module != NULL)
		return (struct str){module, n};
	if (frame_annotated(name->s, name->len, 'i'))
		return (struct str){NULL, 0};
	if (frame_annotated(name->s, name->len, 'k'))
		return str_of("[kernel]");
	if (frame_annotated(name->s, name->len, 'j'))
		return str_of("[jit]");
	return root ? (struct str){name->s, name->len} : str_of("[unknown]");
}

void
reshape_modules(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	(void)s;
	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];
		struct str module = module_frame(&from->name[n->name], n->parent == CALLTREE_ROOT);
		uint32_t name, above = map[n->parent];

		map[i] = above;
		if (module.s == NULL && above != CALLTREE_ROOT)
			continue;
		if (module.s == NULL)
			module = str_of("[unknown]");
		name = calltree_intern(to, module.s, module.len);
		if (above == CALLTREE_ROOT || to->node[above].name != name)
			map[i] = calltree_child(to, above, name);
	}
}

static uint8_t *
inverse(uint8_t *hit, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		hit[i] = !hit[i];
	return hit;
}

void
reshape_hide(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	hide(from, to, match_names(&s->pattern, from), map);
}

void
reshape_only(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	hide(from, to, inverse(match_names(&s->pattern, from), from->nname), map);
}

void
reshape_hide_kernel(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	(void)s;
	hide(from, to, match_kernel(from), map);
}

void
reshape_only_kernel(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	(void)s;
	hide(from, to, inverse(match_kernel(from), from->nname), map);
}

void
reshape_only_language(
    const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	hide(from, to, inverse(language_match(s->languages, from, NULL), from->nname), map);
}

void
reshape_hide_system(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	uint8_t *system = cli_alloc_ready(from->nname, sizeof *system);

	(void)s;
	for (uint32_t i = 1; i < from->nname; i++) {
		struct frame_name name = name_parse(from->name[i].s, from->name[i].len);

		system[i] = name_is_system(&name);
	}
	hide(from, to, system, map);
}

void
reshape_only_origin(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct frame_name *name = cli_alloc_ready(from->nname, sizeof *name);
	uint8_t *origin;

	for (uint32_t i = 0; i < from->nname; i++)
		name[i] = name_parse(from->name[i].s, from->name[i].len);
	origins_of_names(from, name, false);
	origin = origins_of_nodes(from, name);
	for (uint32_t i = 1; i < from->nnode; i++)
		origin[i] = (s->origins >> origin[i] & 1) == 0;
	hide_nodes(from, to, origin, map);
	free(name);
}

/* Adds the reversed stack of a node: the node's frame becomes the root frame. */
static uint32_t
upwards(struct names *names, uint32_t node)
{
	uint32_t at = CALLTREE_ROOT;

	for (; node != CALLTREE_ROOT; node = names->from->node[node].parent)
		at = child(names, at, node);
	return at;
}

/* Stacks of the first match and its callers, nearest first; callees of the match are removed. */
void
reshape_callers(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint8_t *hit = match_names(&s->pattern, from);

	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		if (map[n->parent] != CUT)
			map[i] = map[n->parent];
		else if (hit[n->name])
			map[i] = upwards(&names, i);
	}
	free(hit);
	free(names.number);
}

void
reshape_reverse(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);

	(void)s;
	for (uint32_t i = 1; i < from->nnode; i++)
		if (calltree_is_stack(from, i))
			map[i] = upwards(&names, i);
	free(names.number);
}

void
reshape_max_depth(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint32_t *depth = cli_alloc(from->nnode, sizeof *depth);

	for (uint32_t i = 1; i < from->nnode; i++) {
		uint32_t parent = from->node[i].parent;

		depth[i] = depth[parent] + 1;
		map[i] = depth[i] <= s->number ? child(&names, map[parent], i) : map[parent];
	}
	free(depth);
	free(names.number);
}

/* Adds a root frame above all stacks. */
void
reshape_root(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	char *name = cli_strdup(s->arg);
	uint32_t root = calltree_child(
	    to, CALLTREE_ROOT, calltree_intern(to, name, frame_clean(name, strlen(name))));

	for (uint32_t i = 1; i < from->nnode; i++) {
		uint32_t parent = from->node[i].parent;

		map[i] = child(&names, parent == CALLTREE_ROOT ? root : map[parent], i);
	}
	free(name);
	free(names.number);
}

/* Collapses direct recursion: a;b;b;c becomes a;b;c. */
void
reshape_recursion(const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);

	(void)s;
	for (uint32_t i = 1; i < from->nnode; i++) {
		const struct calltree_node *n = &from->node[i];

		/* The root's name is never a frame's. */
		map[i] = n->name == from->node[n->parent].name ? map[n->parent]
							       : child(&names, map[n->parent], i);
	}
	free(names.number);
}

/* State to restore when the walk leaves a node, by depth. */
struct entered {
	uint32_t name, at; /* the node's name, and the last place of that name on the path before */
	uint32_t place, node; /* its place on the path (0: none), and the node there before */
	uint32_t length; /* length of the path before */
};

/*
 * Collapses all recursion: a;b;a;c becomes a;c, since a call of a function on the stack
 * continues at its first frame. Walks the old tree with the current path of the new tree. Such a
 * call shortens the path; leaving the node restores it.
 */
void
reshape_recursion_all(
    const struct step *s, struct calltree *from, struct calltree *to, uint32_t *map)
{
	struct names names = names_new(from, to);
	uint32_t *at = cli_alloc(from->nname, sizeof *at); /* by name: its last place on the path */
	uint32_t node = CALLTREE_ROOT, depth = 0, left = 0, length = 0, cap = 0, *path = NULL;
	struct entered *entered = NULL;

	(void)s;
	while ((node = calltree_next(from, node, &depth)) != CALLTREE_ROOT) {
		uint32_t name = from->node[node].name;

		for (; left >= depth; left--) {
			const struct entered *e = &entered[left];

			at[e->name] = e->at;
			length = e->length;
			if (e->place != 0)
				path[e->place] = e->node;
		}
		left = depth;
		if (depth >= cap) {
			uint32_t old = cap;

			cap = 2 * depth + 64;
			entered = cli_realloc(entered, cap, sizeof *entered);
			path = cli_realloc(path, cap, sizeof *path);
			memset(path + old, 0, (cap - old) * sizeof *path);
		}
		entered[depth] = (struct entered){.name = name, .at = at[name], .length = length};
		if (at[name] != 0 && at[name] <= length &&
		    to->node[path[at[name]]].name == names.number[name]) {
			length = at[name];
		} else {
			length++;
			entered[depth].place = length;
			entered[depth].node = path[length];
			path[length] = child(&names, path[length - 1], node);
			at[name] = length;
		}
		map[node] = path[length];
	}
	free(entered);
	free(path);
	free(at);
	free(names.number);
}
