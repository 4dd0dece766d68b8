/*
 * naming: symbolizes the frames of a rawtree, makes nodes of the sampler's tree from them, and adds
 * the weights.
 */
#include "trace/naming.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "names/allocator.h"
#include "names/origin.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/write.h"
#include "unwind/cfi.h"

/* Frame names of one (module, address), outermost first, as names of the sampler's tree. */
struct named {
	uint32_t first, n; /* in job.list */
	bool known; /* a function name is known */
	bool entry; /* it is the entry function of an interrupt */
};

struct job {
	struct naming *naming;
	const struct rawtree *rawtree;
	struct sampler *sampler;
	struct named *named; /* by frame name in the rawtree */
	uint32_t *list;
	size_t nlist, caplist;
	uint32_t *node; /* by node of the rawtree: node of the sampler's tree */
	uint8_t *column; /* by node of the rawtree: column of its weight */
	/* by node: an interrupt was entered nearer the root, so later frames are not the task's */
	bool *entered;
};

static enum frame_kind
kind_of(const struct module *m)
{
	enum frame_kind kind;

	switch (m->kind) {
	case MODULE_KERNEL: return FRAME_KERNEL;
	case MODULE_JIT: return FRAME_JIT;
	case MODULE_SCRIPT: return m->compiled ? FRAME_JIT : FRAME_SCRIPT;
	case MODULE_FILE:
		if (module_is_stored_jit(m))
			return FRAME_JIT;
		/* fallthrough */
	default:
		kind = frame_kind_of(str_of(m->name));
		return kind == FRAME_LIBRARY || kind == FRAME_JIT ? kind : FRAME_USER;
	}
}

/* f is NULL if the function is unknown, at.module if nothing was mapped there. */
static void
add_name(struct job *j, const struct rawtree_frame *at, const struct symbol_frame *f)
{
	struct frame frame = {.address = at->vaddr, .has_address = true};

	if (at->module != NULL) {
		frame.module = str_of(at->module->name);
		frame.kind = kind_of(at->module);
	}
	if (at->waker)
		frame.kind = FRAME_WAKER;
	if (f != NULL) {
		bool line = (j->naming->flags & SYMBOL_LINES) != 0;
		const char *file = line ? f->file : f->decl_file;

		frame.function = str_of(f->function);
		frame.inlined = f->inlined && !at->waker;
		if (f->module != NULL)
			frame.module = str_of(f->module);
		if (file != NULL)
			frame.file = at->module->kind == MODULE_SCRIPT ? str_of(file)
								       : str_base(str_of(file));
		frame.line = line ? f->line : f->decl_line;
	}
	vec_fit(j->list, j->caplist, j->nlist + 1);
	j->list[j->nlist++] = sample_name(j->sampler, &frame);
}

/*
 * Add an unsymbolized frame. If call frame information has the start of its function, the frame is
 * module+0xSTART, so that functions of a stripped module do not share a frame.
 */
static void
add_start(struct job *j, const struct rawtree_frame *at)
{
	/* shows the exact address instead */
	const bool addresses = j->sampler->options->style.addrs;
	struct symbol_frame frame = {0};
	char name[256];
	uint64_t start;

	if (at->module == NULL || at->module->kind != MODULE_FILE || addresses || j->naming->bare ||
	    at->module->unread || (start = cfi_function(at->module, at->vaddr)) == 0) {
		add_name(j, at, NULL);
		return;
	}
	snprintf(name, sizeof name, "%s+0x%" PRIx64, at->module->name, start);
	frame.function = name;
	add_name(j, at, &frame);
}

/* Frame name of a waker's task, the last frame of the waker's stack. */
static const struct named *
named_waker(struct job *j, uint32_t node)
{
	struct named *it = &j->named[j->rawtree->tree->node[node].name];
	struct rawtree_task task = rawtree_get_task(j->rawtree, node);
	struct frame frame = {.function = str_of(task.comm), .kind = FRAME_WAKER};

	if (it->n == 0) {
		*it = (struct named){(uint32_t)j->nlist, 1, true, false};
		vec_fit(j->list, j->caplist, j->nlist + 1);
		j->list[j->nlist++] = sample_name(j->sampler, &frame);
	}
	return it;
}

/*
 * True for the outermost function of an interrupt, in entry.S or entry_64.S of each processor of
 * Linux.
 */
static bool
is_entry(const char *function)
{
	return strncmp(function, "asm_", 4) == 0 || strcmp(function, "el1h_64_irq") == 0 ||
	       strcmp(function, "el0t_64_irq") == 0;
}

/* Frame names of a node; symbolized at the first use. */
static const struct named *
named(struct job *j, uint32_t node)
{
	uint32_t name = j->rawtree->tree->node[node].name;
	struct named *it = &j->named[name];
	struct rawtree_frame at;
	const struct symbol_frame *frame = NULL;
	size_t found = 0;

	if (rawtree_is_task(j->rawtree, node))
		return named_waker(j, node);
	if (it->n > 0)
		return it;
	at = rawtree_get_frame(j->rawtree, node);
	if (at.module != NULL && j->naming->progress != NULL)
		j->naming->progress->module = at.module->number + 1;
	if (at.module != NULL && !at.module->unread && !j->naming->bare)
		found = symbol_resolve(
		    at.module, at.vaddr, j->rawtree->time[name], j->naming->flags, &frame);
	if (found > 1 && j->naming->logical)
		found = 1; /* the innermost */
	it->first = (uint32_t)j->nlist;
	it->known = found > 0;
	it->entry = at.waker == RAWTREE_INTERRUPT && found > 0 && is_entry(frame[0].function);
	for (size_t i = 0; i < found; i++) /* a waker's stack is listed from its leaf to its root */
		add_name(j, &at, &frame[at.waker ? i : found - 1 - i]);
	if (found == 0)
		add_start(j, &at);
	it->n = (uint32_t)j->nlist - it->first;
	return it;
}

static uint32_t
root(struct job *j, uint32_t node)
{
	struct rawtree_task task = rawtree_get_task(j->rawtree, node);
	struct str label = {NULL, 0};
	char pid[16], tid[16];

	if (task.label != 0) {
		const struct calltree_name *name = &j->rawtree->tree->name[task.label - 1];

		label = (struct str){name->s, name->len};
	}
	snprintf(pid, sizeof pid, "%d", task.pid);
	snprintf(tid, sizeof tid, "%d", task.tid);
	return sample_root(j->sampler,
	    &(struct sample_task){
		.comm = str_of(task.comm), .pid = str_of(pid), .tid = str_of(tid), .group = label});
}

/* Node of the sampler's tree for a rawtree node, given its parent's. */
static uint32_t
fold(struct job *j, uint32_t node, uint32_t parent)
{
	const struct named *it = named(j, node);
	uint32_t below = j->rawtree->tree->node[node].parent;

	j->entered[node] = it->entry || j->entered[below];
	if (j->entered[below] && !rawtree_is_task(j->rawtree, node))
		return parent;
	for (uint32_t i = it->first; i < it->first + it->n; i++)
		parent = sample_child(j->sampler, parent, j->list[i]);
	return parent;
}

/* The node that the value of `node` goes to: without an allocator's frames at its leaf. */
static uint32_t
asked_by(struct job *j, uint32_t node)
{
	const struct calltree *t = j->sampler->tree;

	for (;;) {
		const uint32_t parent = t->node[node].parent;
		const struct calltree_name *name = &t->name[t->node[node].name];

		if (node == CALLTREE_ROOT || parent == CALLTREE_ROOT ||
		    t->node[parent].parent == CALLTREE_ROOT ||
		    !allocator_has((struct str){name->s, name->len}))
			return node;
		node = parent;
	}
}

/* Weights of a rawtree are integers. */
static uint64_t
integer(value v)
{
	return (uint64_t)(v / VALUE_ONE);
}

/* Count symbolized frames and, by module, leaves. */
static void
count_names(struct job *j, const struct modules *modules)
{
	struct naming_count *count = &j->naming->count;
	const struct calltree *t = j->rawtree->tree;
	struct value_array total = calltree_totals(t, 0);
	size_t n = modules_made(modules);

	if (n > count->nmodule) {
		count->module = cli_realloc(count->module, n, sizeof *count->module);
		memset(count->module + count->nmodule, 0,
		    (n - count->nmodule) * sizeof *count->module);
		count->nmodule = n;
	}
	for (uint32_t node = 1; node < t->nnode; node++) {
		uint64_t through = integer(value_array_get(&total, node));
		uint64_t self = integer(calltree_self(t, node, 0));
		struct rawtree_frame at;

		count->samples += self;
		if (rawtree_is_task(j->rawtree, node))
			continue;
		at = rawtree_get_frame(j->rawtree, node);
		count->frames += through;
		count->unresolved += j->named[t->node[node].name].known ? 0 : through;
		if (at.module != NULL) {
			count->module[at.module->number].module = at.module;
			count->module[at.module->number].samples += self;
			if (!j->named[t->node[node].name].known)
				count->module[at.module->number].nameless += self;
		}
	}
	value_array_free(&total);
}

static void
add_weight(struct job *j, uint32_t node, uint64_t time, const uint64_t *weight)
{
	value v[CALLTREE_COLUMNS];
	bool any = false;

	for (unsigned c = 0; c < j->sampler->columns; c++) {
		uint64_t w = (weight[c] + j->naming->unit / 2) / j->naming->unit;

		v[c] = value_of(w);
		any |= w > 0;
	}
	if (any)
		sample_add(j->sampler, node, time, v);
}

/* Equal stacks are summed before they are rounded. */
static void
add_sums(struct job *j)
{
	const struct calltree *t = j->rawtree->tree;
	unsigned columns = j->sampler->columns;
	uint32_t n = j->sampler->tree->nnode;
	uint64_t *sum = cli_alloc((size_t)n * columns, sizeof *sum);

	for (uint32_t node = 1; node < t->nnode; node++)
		sum[(size_t)j->node[node] * columns + j->column[node]] +=
		    integer(calltree_self(t, node, 0));
	for (uint32_t node = 0; node < n; node++)
		add_weight(j, node, SAMPLE_NO_TIME, sum + (size_t)node * columns);
	free(sum);
}

/* Add the samples in their order; neighbours with equal frames are merged. */
static void
add_in_order(struct job *j)
{
	const struct rawtree *p = j->rawtree;

	for (size_t i = 0; i < p->nsample;) {
		const struct rawtree_sample *first = &p->sample[i];
		uint32_t node = j->node[first->node];
		uint64_t sum[CALLTREE_COLUMNS] = {0};

		for (; i < p->nsample && j->node[p->sample[i].node] == node &&
		       (p->step == 0 || (p->sample[i].time - p->sample[0].time) / p->step ==
					    (first->time - p->sample[0].time) / p->step);
		     i++)
			sum[j->column[p->sample[i].node]] += p->sample[i].weight;
		add_weight(j, node, first->time, sum);
	}
}

void
naming_add_time_columns(struct sampler *s, uint32_t event[TIMELINE_COLUMNS])
{
	for (unsigned i = 0; i < TIMELINE_COLUMNS; i++)
		event[i] = sampler_event(s, str_of(timeline_column[i]), str_of("us"));
	sampler_columns(s, timeline_column, event, TIMELINE_COLUMNS);
	for (unsigned i = 0; i < TIMELINE_COLUMNS; i++)
		sampler_describe(s, i, "us", 0, NULL, FOLDED_VALUES_UNSET);
}

void
naming_add(struct naming *n, const struct rawtree *p, struct modules *modules, struct sampler *s)
{
	struct job j = {.naming = n, .rawtree = p, .sampler = s};
	const struct calltree *t = p->tree;

	j.named = cli_alloc(t->nname, sizeof *j.named);
	j.node = cli_alloc(t->nnode, sizeof *j.node);
	j.column = cli_alloc(t->nnode, sizeof *j.column);
	j.entered = cli_alloc(t->nnode, sizeof *j.entered);
	for (uint32_t node = 1; node < t->nnode; node++) {
		uint32_t parent = t->node[node].parent;

		if (parent == CALLTREE_ROOT) {
			j.node[node] = root(&j, node);
			j.column[node] = (uint8_t)rawtree_get_task(p, node).column;
		} else {
			j.node[node] = fold(&j, node, j.node[parent]);
			j.column[node] = j.column[parent];
		}
	}
	if (n->progress != NULL)
		n->progress->module = 0;
	for (uint32_t node = 1; n->caller_of_allocator && node < t->nnode; node++)
		j.node[node] = asked_by(&j, j.node[node]);
	if (p->ordered)
		add_in_order(&j);
	else
		add_sums(&j);
	count_names(&j, modules);
	free(j.named);
	free(j.node);
	free(j.column);
	free(j.entered);
	free(j.list);
}

void
naming_label_builds(const struct naming_count *n, struct labels **l)
{
	struct text words = {0};

	for (size_t i = 0; i < n->nmodule; i++) {
		const struct naming_module *m = &n->module[i];
		const unsigned char *id;
		size_t size;

		if (m->nameless == 0 || m->nameless < n->samples / 100 ||
		    m->module->kind != MODULE_FILE)
			continue;
		size = module_build_id(m->module, &id);
		text_cut(&words, 0);
		text_printf(&words, "%s:", m->module->name);
		for (size_t k = 0; k < size; k++)
			text_printf(&words, "%02x", id[k]);
		if (size == 0)
			text_puts(&words, "none");
		labels_add(l, str_of(NAME_BUILD_ID), text_as_str(&words), false);
	}
	text_free(&words);
}
