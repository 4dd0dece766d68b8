/*
 * script: finds the runtime of each process, by its mapped files, and merges script frames
 * into native ones.
 */
#include "trace/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/vec.h"

#define PROCESSES 256 /* states of ended processes are freed above this number */

struct script_process {
	int pid;
	uint64_t stamp; /* of the mappings when they were last examined */
	struct runtime_process process;
	struct runtime_module *module;
	size_t capmodule;
	size_t kind; /* index of the runtime in the table */
	void *state; /* NULL: no runtime, or one that is not supported */
	bool refused; /* there is a runtime that is not supported; see its reason */
};

struct script {
	struct processes *processes;
	struct script_names *names;
	bool lines, interpreter, urgent;
	struct intmap by_pid; /* struct script_process */
	struct script_process **all;
	size_t nall, capall;
	struct script_process *last; /* the only one with a page cache; NULL: none */
	struct module **kind; /* by index of the runtime: module of its frames */
	struct script_count *count; /* by index of the runtime */
	size_t nkind;
	struct script_stack stack; /* of the current sample */
	struct unwind_frame merged[CHAIN_KERNEL + UNWIND_DEPTH];
};

struct script *
script_new(struct processes *ps, bool lines, bool interpreter)
{
	struct script *s = cli_alloc(1, sizeof *s);

	s->processes = ps;
	s->names = script_names_new();
	s->lines = lines;
	s->interpreter = interpreter;
	while (runtimes[s->nkind] != NULL)
		s->nkind++;
	s->kind = cli_alloc(s->nkind, sizeof *s->kind);
	s->count = cli_alloc(s->nkind, sizeof *s->count);
	for (size_t i = 0; i < s->nkind; i++)
		s->count[i].runtime = runtimes[i]->name;
	return s;
}

static void
close_state(struct script_process *sp)
{
	if (sp->state != NULL)
		runtimes[sp->kind]->close(sp->state);
	sp->state = NULL;
	sp->refused = false;
	sp->process.reason[0] = '\0';
}

static void
free_process(struct script_process *sp)
{
	close_state(sp);
	memory_free(sp->process.memory);
	free(sp->module);
	free(sp);
}

void
script_free(struct script *s)
{
	for (size_t i = 0; i < s->nall; i++)
		free_process(s->all[i]);
	for (size_t i = 0; i < s->nkind; i++)
		if (s->count[i].refused)
			free((char *)s->count[i].reason);
	script_names_free(s->names);
	free(s->by_pid.slot);
	free(s->all);
	free(s->kind);
	free(s->count);
	free(s);
}

/* Free the states of ended processes and rebuild the table. */
static void
free_ended(struct script *s)
{
	size_t kept = 0;

	free(s->by_pid.slot);
	s->by_pid = (struct intmap){0};
	for (size_t i = 0; i < s->nall; i++) {
		struct script_process *sp = s->all[i];

		if (processes_find(s->processes, sp->pid) == NULL) {
			if (sp == s->last)
				s->last = NULL;
			free_process(sp);
			continue;
		}
		*intmap_at(&s->by_pid, (uint64_t)sp->pid) = sp;
		s->all[kept++] = sp;
	}
	s->nall = kept;
}

static struct script_process *
process_of(struct script *s, int pid)
{
	struct script_process *sp = intmap_get(&s->by_pid, (uint64_t)pid);

	if (sp != NULL)
		return sp;
	if (s->nall >= PROCESSES && s->nall % PROCESSES == 0)
		free_ended(s);
	sp = cli_alloc(1, sizeof *sp);
	sp->pid = pid;
	sp->process = (struct runtime_process){
	    .pid = pid, .memory = memory_of_process(pid), .names = s->names, .lines = s->lines};
	vec_fit(s->all, s->capall, s->nall + 1);
	s->all[s->nall++] = sp;
	*intmap_at(&s->by_pid, (uint64_t)pid) = sp;
	return sp;
}

/* List the mapped files of a process, each once. */
static void
list_modules(struct script_process *sp, struct process *p)
{
	size_t n = 0;

	for (struct process_map *m = maps_from(&p->maps, 0); m != NULL;
	     m = maps_from(&p->maps, m->end)) {
		if (m->module->kind != MODULE_FILE ||
		    (n > 0 && sp->module[n - 1].module == m->module))
			continue;
		process_find(p, m->start); /* computes its bias */
		vec_fit(sp->module, sp->capmodule, n + 1);
		sp->module[n++] = (struct runtime_module){m->module, m->start, m->end, m->bias};
	}
	sp->process.module = sp->module;
	sp->process.nmodule = n;
}

static bool
may_have(const struct runtime *r, const struct script_process *sp)
{
	for (size_t i = 0; i < sp->process.nmodule; i++)
		if (r->is_module == NULL || r->is_module(sp->module[i].module->name))
			return true;
	return false;
}

static void
open_runtime(struct script *s, struct script_process *sp)
{
	memory_begin(sp->process.memory);
	for (size_t i = 0; i < s->nkind; i++) {
		if (!may_have(runtimes[i], sp))
			continue;
		sp->state = runtimes[i]->open(&sp->process);
		sp->kind = i;
		if (sp->state != NULL) {
			s->urgent |= !runtimes[i]->needs_stop;
			return;
		}
		if (sp->process.reason[0] != '\0') {
			sp->refused = true;
			return;
		}
	}
}

struct script_process *
script_find(struct script *s, struct process *p)
{
	struct script_process *sp = process_of(s, p->pid);
	uint64_t stamp = maps_stamp(&p->maps);

	if (s->last != NULL && s->last != sp)
		memory_release(s->last->process.memory);
	s->last = sp;
	if (stamp != sp->stamp) {
		sp->stamp = stamp;
		close_state(sp);
		list_modules(sp, p);
		open_runtime(s, sp);
		p->own_stack = sp->state != NULL && runtimes[sp->kind]->own_stack;
	}
	p->script = sp;
	memory_begin(sp->process.memory);
	return sp->state != NULL || sp->refused ? sp : NULL;
}

bool
script_is_urgent(const struct script *s)
{
	return s->urgent;
}

bool
script_needs_stop(const struct script_process *sp)
{
	return sp->state != NULL && runtimes[sp->kind]->needs_stop;
}

const char *
script_runtime(const struct script_process *sp)
{
	return runtimes[sp->kind]->name;
}

uint64_t
script_frame_size(const struct script_process *sp, uint64_t pc, uint64_t stack, bool leaf)
{
	if (sp == NULL || sp->state == NULL || runtimes[sp->kind]->frame_size == NULL)
		return 0;
	return runtimes[sp->kind]->frame_size(sp->state, pc, stack, leaf);
}

struct memory_reader *
script_memory(struct script_process *sp)
{
	return sp->process.memory;
}

/* Module of all script frames of a runtime. */
static struct module *
module_of(struct script *s, size_t kind)
{
	if (s->kind[kind] == NULL)
		s->kind[kind] = module_script(s->processes->modules, runtimes[kind]->name,
		    runtimes[kind]->compiles, s->names);
	return s->kind[kind];
}

struct merge {
	struct script *s;
	struct module *module;
	struct unwind_frame *out;
	size_t n, most;
};

static void
put(struct merge *m, struct unwind_frame f)
{
	if (m->n < m->most)
		m->out[m->n++] = f;
}

static void
put_frame(struct merge *m, size_t i)
{
	const struct script_frame *f = &m->s->stack.frame[i];

	put(m, f->module != NULL ? (struct unwind_frame){f->module, f->vaddr}
				 : (struct unwind_frame){m->module, f->name});
}

/* Add the frames of a group, without those placed at earlier native frames of their own. */
static void
put_group(struct merge *m, const struct script_group *g)
{
	for (size_t i = g->first; i < (size_t)g->first + g->n; i++)
		if (g->native == SCRIPT_NATIVE_NONE ||
		    m->s->stack.frame[i].native == SCRIPT_NATIVE_NONE)
			put_frame(m, i);
}

/*
 * Add the group of native frame i, and following groups without a native frame before group `last`.
 */
static size_t
put_groups(struct merge *m, size_t g, size_t last)
{
	const struct script_stack *st = &m->s->stack;

	do
		put_group(m, &st->group[g++]);
	while (g < last && st->group[g].native == SCRIPT_NATIVE_NONE);
	return g;
}

/* Replace the C function at native frame i by its script frame. */
static bool
put_function(struct merge *m, size_t g, size_t i)
{
	const struct script_stack *st = &m->s->stack;
	const struct script_group *at = &st->group[g];

	for (size_t k = at->first; g < st->ngroup && k < (size_t)at->first + at->n; k++)
		if (st->frame[k].native == (int32_t)i) {
			put_frame(m, k);
			return true;
		}
	return false;
}

static void
merge(struct merge *m, const struct chain *c)
{
	const struct script_stack *st = &m->s->stack;
	size_t n = c->n - c->nkernel, g = 0, last = st->ngroup;

	while (last > 0 && st->group[last - 1].native == SCRIPT_NATIVE_NONE)
		last--;
	if (st->ngroup > 0 && st->group[0].native == SCRIPT_NATIVE_NONE &&
	    (last > 0 || c->end == UNWIND_COMPLETE)) /* its call is starting or returning */
		g = put_groups(m, g, last);
	for (size_t i = 0; i < n; i++) {
		struct unwind_frame f = c->frame[c->nkernel + i];

		if (g < st->ngroup && st->group[g].native == (int32_t)i) {
			size_t hidden = st->group[g].nnative;

			g = put_groups(m, g, last);
			if (m->s->interpreter)
				put(m, f);
			else
				i += hidden - 1;
		} else if (g >= st->ngroup || !put_function(m, g, i)) {
			put(m, f);
		}
	}
	for (; g < st->ngroup; g++) /* beyond the unwound stack: callers of a fiber */
		put_group(m, &st->group[g]);
}

/*
 * True if the groups' native frames are in order from the leaf outwards; otherwise they are
 * invalid.
 */
static bool
in_order(const struct script_stack *st, size_t nnative)
{
	int32_t last = -1;

	for (size_t i = 0; i < st->ngroup; i++) {
		int32_t at = st->group[i].native;

		if (at == SCRIPT_NATIVE_NONE)
			continue;
		if (at <= last || (size_t)at + st->group[i].nnative > nnative)
			return false;
		last = at + (int32_t)st->group[i].nnative - 1;
	}
	return true;
}

static void
refuse(struct script_count *count, const struct script_process *sp)
{
	if (!count->refused)
		count->reason = cli_strdup(sp->process.reason);
	count->refused = true;
}

bool
script_merge(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct native_frame *native, const struct script_copy *copy, struct chain *c)
{
	struct runtime_sample at = {.tid = t->tid,
	    .native = native,
	    .nnative = c->n - c->nkernel,
	    .complete = c->end == UNWIND_COMPLETE,
	    .stopped = copy == NULL};
	struct merge m = {.s = s, .out = s->merged, .most = sizeof s->merged / sizeof *s->merged};
	struct script_count *count = &s->count[sp->kind];

	count->samples++;
	if (sp->state == NULL) {
		refuse(count, sp);
		return false;
	}
	s->stack.nframe = s->stack.ngroup = 0;
	s->stack.truncated = s->stack.outermost = false;
	if (copy != NULL)
		memory_overlay(sp->process.memory, copy->address, copy->bytes, copy->n);
	if (!runtimes[sp->kind]->read(sp->state, &at, &s->stack) ||
	    !in_order(&s->stack, at.nnative))
		return false;
	m.module = module_of(s, sp->kind);
	m.most -= c->nkernel;
	merge(&m, c);
	memcpy(c->frame + c->nkernel, m.out, m.n * sizeof *m.out);
	c->n = c->nkernel + m.n;
	if (s->stack.outermost)
		c->end = UNWIND_COMPLETE;
	else if (c->end == UNWIND_OTHER_STACK || (c->end == UNWIND_BROKEN && s->stack.truncated)) {
		c->end = UNWIND_TRUNCATED;
		c->limited = s->stack.nframe == SCRIPT_FRAMES;
	}
	count->read++;
	return true;
}

void
script_missed(struct script *s, const struct script_process *sp, const char *reason)
{
	struct script_count *count = &s->count[sp->kind];

	count->samples++;
	if (sp->state == NULL)
		refuse(count, sp);
	else if (!count->refused)
		count->reason = reason;
}

size_t
script_counts(const struct script *s, struct script_count *count, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nkind && n < most; i++)
		if (s->count[i].samples > 0)
			count[n++] = s->count[i];
	return n;
}
