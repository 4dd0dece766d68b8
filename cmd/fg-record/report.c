/*
 * report: stacks of places in modules in, folded text out. Each place is named
 * once, with the functions inlined there as frames of their own; then every stack
 * is written down in those names and equal ones become one.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "profile/folded.h"
#include "code/symbol.h"
#include "profile/frame.h"

/* What a place became: a list of frame names in the folded tree, outermost first. */
struct place {
	uint32_t first, n; /* in report_names.list */
	bool known; /* it has a function's name */
};

struct naming {
	const struct options *options;
	const struct places *places;
	const struct modules *modules;
	struct calltree *out;
	struct text text;
	struct place *place; /* by name in the unnamed tree */
	uint32_t *list; /* names in the folded tree */
	bool *root; /* by the same: --skip-after makes it the root */
	size_t nlist, caplist;
	uint32_t *path; /* names of the line that is being written */
	size_t cappath;
};

static enum frame_kind
kind_of(const struct module *m)
{
	switch (m->kind) {
	case MODULE_KERNEL: return FRAME_KERNEL;
	case MODULE_JIT: return FRAME_JIT;
	default:
		return frame_kind_of(str_of(m->name)) == FRAME_LIBRARY ? FRAME_LIBRARY : FRAME_USER;
	}
}

/* The text of a frame; f is NULL where the function is not known, m where nothing was mapped. */
static void
write_frame(
    struct text *t, const struct options *o, const struct module *m, const struct symbol_frame *f)
{
	const struct frame_style style = {o->annotate ? ANNOTATE_ALL : 0, o->module, false, true};
	struct frame frame = {0};

	if (m != NULL) {
		frame.module = str_of(m->name);
		frame.kind = kind_of(m);
	}
	if (f != NULL) {
		bool line = o->source == SOURCE_LINE;

		frame.function = str_of(f->function);
		frame.inlined = f->inlined;
		if (f->module != NULL)
			frame.module = str_of(f->module);
		if (o->source != SOURCE_NONE) {
			frame.file = str_base(str_of(line ? f->file : f->decl_file));
			frame.line = line ? f->line : f->decl_line;
		}
	}
	text_cut(t, 0);
	frame_write(t, &frame, &style);
}

static bool
is_wanted_root(const struct options *o, const char *function)
{
	for (size_t i = 0; i < o->skip_after.n; i++)
		if (strcmp(o->skip_after.s[i], function) == 0)
			return true;
	return false;
}

static void
add_name(struct naming *n, const struct module *m, const struct symbol_frame *f)
{
	write_frame(&n->text, n->options, m, f);
	if (n->nlist == n->caplist) {
		n->caplist = n->caplist * 2 + 1024;
		n->list = cli_realloc(n->list, n->caplist, sizeof *n->list);
		n->root = cli_realloc(n->root, n->caplist, sizeof *n->root);
	}
	n->root[n->nlist] = f != NULL && is_wanted_root(n->options, f->function);
	n->list[n->nlist++] = calltree_intern(n->out, n->text.s, n->text.len);
}

/* The root frame, as fg-collapse writes it: comm, comm-PID or comm-PID/TID. */
static uint32_t
task_label(struct naming *n, uint32_t node)
{
	const struct options *o = n->options;
	struct places_task task = places_get_task(n->places, node);
	struct text *t = &n->text;

	text_cut(t, 0);
	text_puts(t, task.comm);
	for (size_t i = 0; i < t->len; i++)
		if (t->s[i] == ' ')
			t->s[i] = '_';
	if (o->show_tid)
		text_printf(t, "-%d/%d", task.pid, task.tid);
	else if (o->show_pid)
		text_printf(t, "-%d", task.pid);
	if (t->len > 0)
		frame_clean(t->s, t->len);
	return calltree_child(n->out, CALLTREE_ROOT, calltree_intern(n->out, t->s, t->len));
}

/* What the place of a node is called; found out when it is first asked for. */
static struct place *
place_of(struct naming *n, uint32_t node)
{
	uint32_t name = n->places->tree->node[node].name;
	struct place *p = &n->place[name];
	struct places_frame at = places_get_frame(n->places, node);
	const struct symbol_frame *frame = NULL;
	unsigned flags = n->options->no_inline ? 0 : SYMBOL_INLINE;
	size_t found = 0;

	if (p->n > 0)
		return p;
	if (n->options->source != SOURCE_NONE)
		flags |= n->options->source == SOURCE_LINE ? SYMBOL_LINES : SYMBOL_SOURCE;
	if (at.module != NULL)
		found = symbol_resolve(at.module, at.vaddr, n->places->time[name], flags, &frame);
	p->first = (uint32_t)n->nlist;
	p->known = found > 0;
	for (size_t i = found; i-- > 0;)
		add_name(n, at.module, &frame[i]);
	if (found == 0)
		add_name(n, at.module, NULL);
	p->n = (uint32_t)n->nlist - p->first;
	return p;
}

/* The node in the folded tree for a node, given that of its parent. */
static uint32_t
fold(struct naming *n, uint32_t node, uint32_t parent)
{
	const struct place *p = place_of(n, node);

	for (uint32_t i = p->first; i < p->first + p->n; i++)
		parent = calltree_child(n->out, n->root[i] ? CALLTREE_ROOT : parent, n->list[i]);
	return parent;
}

/* The weights of a tree are whole numbers. */
static uint64_t
whole(value v)
{
	return (uint64_t)(v / VALUE_ONE);
}

static uint64_t
weight_of(const struct options *o, uint64_t weight)
{
	return o->off_cpu ? (weight + 500) / 1000 : weight; /* ns to us */
}

/* Counts of the summary: how many frames have a name, and where the leaves are. */
static void
count_names(struct naming *n, struct report *rep, const struct value_array *total)
{
	const struct calltree *t = n->places->tree;
	size_t modules;

	module_all(n->modules, &modules);
	if (modules > rep->nmodule) {
		rep->module = cli_realloc(rep->module, modules, sizeof *rep->module);
		memset(
		    rep->module + rep->nmodule, 0, (modules - rep->nmodule) * sizeof *rep->module);
		rep->nmodule = modules;
	}
	for (uint32_t node = 1; node < t->nnode; node++) {
		uint64_t through = whole(value_array_get(total, node));
		uint64_t self = whole(calltree_self(t, node, 0));
		struct places_frame at;

		rep->samples += self;
		if (t->node[node].parent == CALLTREE_ROOT)
			continue;
		at = places_get_frame(n->places, node);
		rep->frames += through;
		rep->unresolved += n->place[t->node[node].name].known ? 0 : through;
		if (at.module != NULL) {
			rep->module[at.module->number].module = at.module;
			rep->module[at.module->number].samples += self;
		}
	}
}

/* One line of the stack that ends at a node of the folded tree. */
static void
write_line(struct naming *n, struct output *out, uint32_t node, uint64_t weight)
{
	const struct calltree *t = n->out;
	size_t depth = 0;

	for (; node != CALLTREE_ROOT; node = t->node[node].parent) {
		if (depth == n->cappath) {
			n->cappath = n->cappath * 2 + 256;
			n->path = cli_realloc(n->path, n->cappath, sizeof *n->path);
		}
		n->path[depth++] = t->node[node].name;
	}
	while (depth-- > 0) {
		output_write(out, t->name[n->path[depth]].s, t->name[n->path[depth]].len);
		output_char(out, depth > 0 ? ';' : ' ');
	}
	output_value(out, value_of(weight));
	output_char(out, '\n');
}

/* Each stack once, in canonical order. Weights are rounded when they have been added up. */
static void
write_sums(struct naming *n, const uint32_t *folded, struct output *out)
{
	const struct calltree *t = n->places->tree;
	uint64_t *self = cli_alloc(n->out->nnode, sizeof *self);

	for (uint32_t node = 1; node < t->nnode; node++)
		self[folded[node]] += whole(calltree_self(t, node, 0));
	for (uint32_t node = 1; node < n->out->nnode; node++)
		if (weight_of(n->options, self[node]) > 0)
			calltree_add(n->out, node, 0, value_of(weight_of(n->options, self[node])));
	folded_write(out, n->out, NULL, false);
	free(self);
}

/* Every sample in its order; neighbours with the same names are one line. */
static void
write_in_order(struct naming *n, const uint32_t *folded, struct output *out)
{
	const struct places *p = n->places;

	for (size_t i = 0; i < p->nsample;) {
		uint32_t node = folded[p->sample[i].node];
		uint64_t weight = 0;

		for (; i < p->nsample && folded[p->sample[i].node] == node; i++)
			weight += p->sample[i].weight;
		write_line(n, out, node, weight_of(n->options, weight));
	}
}

void
report_write(const struct recording *r, const struct places *p, struct output *out,
    struct report *rep, void (*meanwhile)(void *), void *arg)
{
	const struct options *o = r->options;
	struct naming n = {.options = o, .places = p, .modules = r->modules};
	struct value_array total = calltree_totals(p->tree, 0);
	uint32_t *folded = cli_alloc(p->tree->nnode, sizeof *folded);

	n.out = calltree_new(1);
	n.place = cli_alloc(p->tree->nname, sizeof *n.place);
	for (uint32_t node = 1; node < p->tree->nnode; node++) {
		const struct calltree_node *at = &p->tree->node[node];

		if (at->parent == CALLTREE_ROOT)
			folded[node] = task_label(&n, node);
		else
			folded[node] = fold(&n, node, folded[at->parent]);
		if (meanwhile != NULL && node % 64 == 0)
			meanwhile(arg);
	}
	if (o->time_order)
		write_in_order(&n, folded, out);
	else
		write_sums(&n, folded, out);
	count_names(&n, rep, &total);
	value_array_free(&total);
	calltree_free(n.out);
	free(folded);
	text_free(&n.text);
	free(n.place);
	free(n.list);
	free(n.root);
	free(n.path);
}
