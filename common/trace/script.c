/*
 * script: finds the runtimes of each process, by its mapped files, and reads the script frames of
 * a thread.
 */
#include "trace/script.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "access/copies.h"
#include "access/innerid.h"
#include "access/recipes.h"
#include "profile/labelroot.h"
#include "runtime/runtimes.h"
#include "runtime/tls.h"
#include "threadlabel/lastname.h"
#include "threadlabel/threadlabels.h"
#include "threadlabel/threadname.h"
#include "trace/scriptmerge.h"

#define PROCESSES 256 /* states of ended processes are freed above this number */
#define PROOFS 16 /* stacks that do not fit the offsets, until these are wrong */

struct script {
	uint64_t recipes; /* number of the last one */
	struct processes *processes;
	struct script_names *names;
	bool lines, interpreter, urgent;
	struct intmap by_pid; /* struct script_process */
	struct intmap kinds; /* see runtimes_kinds */
	struct script_process **all;
	size_t nall, capall;
	struct script_process *last; /* the only one with a page cache; NULL: none */
	struct module **kind; /* by index of the runtime: module of its frames */
	struct script_count *count; /* by index of the runtime */
	size_t nkind;
	struct threadlabel_key label; /* key NULL: none */
	struct script_labels labels; /* counts */
	struct lastnames threads; /* for the label of threads' names */
	struct text text; /* of a label */
	struct reading *reading[SCRIPT_PARTS]; /* of the current sample; NULL: never needed */
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
close_parts(struct script_process *sp)
{
	for (size_t i = 0; i < sp->npart; i++) {
		if (sp->part[i].state != NULL)
			runtimes[sp->part[i].kind]->close(sp->part[i].state);
		free(sp->part[i].reason);
	}
	if (sp->label_state != NULL)
		sp->label->close(sp->label_state);
	free(sp->label_reason);
	sp->label = NULL;
	sp->label_state = sp->label_reason = NULL;
	sp->npart = 0;
	sp->planned = sp->covered = sp->unwalked = false;
	sp->lacking = sp->unplanned = 0;
}

static void
free_process(struct script_process *sp)
{
	close_parts(sp);
	memory_free(sp->process.memory);
	free(sp->inner.slot);
	free(sp->module);
	free(sp->recipe);
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
	free((char *)s->labels.reason);
	for (size_t i = 0; i < SCRIPT_PARTS; i++)
		free(s->reading[i]);
	script_names_free(s->names);
	lastnames_free(&s->threads);
	text_free(&s->text);
	free(s->by_pid.slot);
	free(s->kinds.slot);
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

	for (struct process *p = NULL; (p = processes_next(s->processes, p)) != NULL;)
		p->script = NULL; /* it may be that of another process, see readable */
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
	sp->process = (struct runtime_process){.pid = pid,
	    .cpu = runtime_cpu(),
	    .memory = memory_of_process(pid),
	    .names = s->names,
	    .lines = s->lines};
	vec_fit(s->all, s->capall, s->nall + 1);
	s->all[s->nall++] = sp;
	*intmap_at(&s->by_pid, (uint64_t)pid) = sp;
	return sp;
}

/* Finds the number of a process in its own PID namespace. */
static void
find_inner(struct script_process *sp)
{
	if (sp->process.inside != 0 || (sp->npart == 0 && sp->label == NULL))
		return;
	sp->process.inside = inner_id(sp->pid, &sp->nested);
	if (sp->process.inside == 0)
		sp->process.inside = sp->pid;
}

/* The number of a thread in its process's own PID namespace; if it has ended, the number here. */
static int
inner_number(struct script_process *sp, int tid)
{
	void **known = sp->nested ? intmap_at(&sp->inner, (uint64_t)tid) : NULL;

	if (known == NULL)
		return tid;
	if (*known == NULL) {
		const int inner = inner_id(tid, NULL);

		*known = (void *)(intptr_t)((inner != 0 ? inner : tid) + 1);
	}
	return (int)(intptr_t)*known - 1;
}

/* List the mapped files of a process, each once. */
static void
list_modules(struct script *s, struct script_process *sp, struct process *p)
{
	size_t n = 0;

	for (struct process_map *m = maps_from(&p->maps, 0); m != NULL;
	     m = maps_from(&p->maps, m->end)) {
		if (m->module->kind != MODULE_FILE ||
		    (n > 0 && sp->module[n - 1].module == m->module))
			continue;
		process_find(p, m->start); /* computes its bias */
		vec_fit(sp->module, sp->capmodule, n + 1);
		sp->module[n++] = (struct runtime_module){
		    m->module, m->start, m->end, m->bias, runtimes_kinds(&s->kinds, m->module)};
	}
	sp->process.module = sp->module;
	sp->process.nmodule = n;
}

static bool
may_have(const struct script_process *sp)
{
	for (size_t i = 0; i < sp->process.nmodule; i++)
		if ((sp->module[i].kinds & sp->process.kinds) != 0)
			return true;
	return false;
}

bool
script_may_have_recipe(struct process *p)
{
	for (struct process_map *m = maps_from(&p->maps, 0); m != NULL;
	     m = maps_from(&p->maps, m->end))
		for (size_t i = 0; m->module->kind == MODULE_FILE && runtimes[i] != NULL; i++)
			if (runtimes[i]->recipe != NULL && runtimes_is_named(m->module, i))
				return true;
	return false;
}

/* Adds what open returned to the parts; false: there is nothing more of this runtime. */
static bool
add_part(struct script_process *sp, size_t kind, void *state)
{
	struct runtime_process *p = &sp->process;
	struct script_part part = {.kind = kind, .state = state};

	if (state == NULL && p->reason[0] == '\0')
		return false;
	part.module = sp->module[p->next - 1].module;
	part.bias = sp->module[p->next - 1].bias;
	for (size_t i = 0; i < sp->npart; i++)
		if (sp->part[i].kind == kind && sp->part[i].module == part.module &&
		    sp->part[i].bias == part.bias) { /* another mapping of the same file */
			if (state != NULL)
				runtimes[kind]->close(state);
			return true;
		}
	if (state == NULL)
		part.unready = runtime_unready(p, &sp->module[p->next - 1]);
	part.reason = state == NULL && part.unready == NULL ? cli_strdup(p->reason) : NULL;
	part.proved = runtimes[kind]->prove == NULL;
	memcpy(part.version, p->version, sizeof part.version);
	sp->part[sp->npart++] = part;
	return true;
}

/* Adds a program whose name is that of a runtime, but which has no symbols, as a part with reason.
 */
static void
add_nameless(struct script_process *sp)
{
	struct runtime_process *p = &sp->process;

	for (size_t i = 0; i < p->nmodule; i++)
		for (size_t kind = 0; runtimes[kind] != NULL && sp->npart < SCRIPT_PARTS; kind++) {
			if ((p->module[i].kinds >> kind & 1) == 0 ||
			    runtimes[kind]->symbol == NULL ||
			    !runtimes_is_nameless(p->module[i].module))
				continue;
			p->next = i + 1;
			snprintf(p->reason, sizeof p->reason,
			    "%.100s is static and stripped, so that its interpreter is not found",
			    p->module[i].module->name);
			add_part(sp, kind, NULL);
			break;
		}
}

static void
open_runtimes(struct script *s, struct script_process *sp)
{
	struct runtime_process *p = &sp->process;

	memory_begin(p->memory);
	for (size_t i = 0; i < s->nkind; i++) {
		void *state;

		p->kinds = UINT64_C(1) << i;
		if (!may_have(sp))
			continue;
		p->next = 0;
		do {
			if (sp->npart == SCRIPT_PARTS)
				return;
			p->reason[0] = p->version[0] = '\0';
			state = runtimes[i]->open(p);
			s->urgent |= state != NULL && runtime_reads_copy(runtimes[i]);
		} while (add_part(sp, i, state));
	}
	add_nameless(sp);
}

/* Finds the kind of labels that the threads of a process have. */
static void
open_label(struct script *s, struct script_process *sp)
{
	struct runtime_process *p = &sp->process;

	for (size_t i = 0; s->label.key != NULL && threadlabels[i] != NULL; i++) {
		p->next = p->kinds = 0;
		p->reason[0] = '\0';
		sp->label_state = threadlabels[i]->open(p, &s->label);
		if (sp->label_state == NULL && p->reason[0] == '\0')
			continue;
		sp->label = threadlabels[i];
		if (sp->label_state == NULL)
			sp->label_reason = cli_strdup(p->reason);
		return;
	}
}

void
script_set_label(struct script *s, const struct threadlabel_key *key)
{
	s->label = *key;
	s->labels.key = key->key;
}

/*
 * A process whose memory could be read, in place of one that had ended before: one with the same
 * mappings, as its parent has after a fork. Copies of a sample are by the recipe of such a process
 * or of none (script_restrict).
 */
static struct script_process *
readable(struct script *s, struct script_process *sp)
{
	const size_t bytes = sp->process.nmodule * sizeof *sp->module;

	if (sp->npart == 0 || sp->part[0].unready == NULL)
		return sp;
	for (size_t i = 0; i < s->nall; i++) {
		struct script_process *other = s->all[i];

		if (other->npart == sp->npart && other->part[0].state != NULL &&
		    other->process.nmodule == sp->process.nmodule &&
		    memcmp(other->module, sp->module, bytes) == 0)
			return other;
	}
	return sp;
}

struct script_process *
script_find(struct script *s, struct process *p)
{
	struct script_process *sp = process_of(s, p->pid);
	uint64_t stamp = maps_stamp(&p->maps);

	if (s->last != NULL && s->last != sp)
		memory_release(s->last->process.memory);
	if (stamp != sp->stamp) {
		sp->stamp = stamp;
		close_parts(sp);
		list_modules(s, sp, p);
		open_runtimes(s, sp);
		open_label(s, sp);
		find_inner(sp);
		p->own_stack = script_has_own_stack(sp);
	}
	s->last = sp = readable(s, sp);
	p->script = sp;
	memory_begin(sp->process.memory);
	return sp->npart > 0 || sp->label != NULL ? sp : NULL;
}

/*
 * The number of a recipe: that of another process with the same steps, so that the copies are of
 * use that the BPF program makes after a fork by the recipe of the parent.
 */
static uint64_t
number_of(struct script *s, const struct script_process *sp)
{
	for (size_t i = 0; i < s->nall; i++) {
		const struct walk_recipe *r = s->all[i]->recipe;

		if (r != NULL && r != sp->recipe &&
		    memcmp(r->step, sp->recipe->step, sizeof r->step) == 0)
			return r->number;
	}
	return ++s->recipes;
}

/*
 * Adds the recipes of all runtimes of a process. *covered is false if one has none: runtimes that
 * are read while they run need more than a recipe copies. False: not yet.
 */
static bool
add_recipes(const struct script_process *sp, struct recipes *r, bool *covered)
{
	*covered = sp->npart > 0;
	for (size_t i = 0; i < sp->npart; i++)
		*covered &= sp->part[i].state != NULL && runtimes[sp->part[i].kind]->recipe != NULL;
	for (size_t i = 0; *covered && i < sp->npart; i++) {
		struct walk_step step[WALK_STEPS] = {{0}};

		if (!runtimes[sp->part[i].kind]->recipe(sp->part[i].state, step))
			return false;
		*covered = recipes_add(r, step);
	}
	if (!*covered)
		*r = (struct recipes){0};
	return true;
}

/* Adds the recipe of the process's label; false: not yet. */
static bool
add_label(const struct script_process *sp, struct recipes *r)
{
	struct walk_step step[WALK_STEPS] = {{0}};

	if (sp->label_state == NULL || sp->label->recipe == NULL)
		return true;
	return sp->label->recipe(sp->label_state, step) && (recipes_add(r, step) || true);
}

const struct walk_recipe *
script_recipe(struct script *s, struct script_process *sp)
{
	struct recipes all = {0};

	if (sp->planned)
		return sp->recipe;
	sp->planned = add_recipes(sp, &all, &sp->covered) && add_label(sp, &all) &&
		      tls_recipe(&sp->process, all.step);
	if (!sp->planned || all.parts == 0) {
		sp->unplanned++;
		free(sp->recipe);
		return sp->recipe = NULL;
	}
	sp->unplanned = 0;
	if (sp->recipe != NULL && memcmp(sp->recipe->step, all.step, sizeof all.step) == 0)
		return sp->recipe;
	if (sp->recipe == NULL)
		sp->recipe = cli_alloc(1, sizeof *sp->recipe);
	memcpy(sp->recipe->step, all.step, sizeof all.step);
	sp->recipe->number = number_of(s, sp);
	return sp->recipe;
}

/* True if the copies of a sample are by the present recipe of the process. */
static bool
are_of_recipe(struct script *s, struct script_process *sp, const struct copies *c)
{
	const struct walk_recipe *r = c != NULL ? script_recipe(s, sp) : NULL;

	return r != NULL && c->number == r->number;
}

bool
script_restrict(struct script *s, struct script_process *sp, const struct copies *c)
{
	if (!are_of_recipe(s, sp, c) || !sp->covered)
		return false;
	memory_restrict(sp->process.memory, c);
	return true;
}

bool
script_is_urgent(const struct script *s)
{
	return s->urgent;
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

/* Counts a sample without script frames. missed: why its thread was not stopped, or NULL. */
static void
count_sample(struct script *s, const struct script_process *sp, const char *missed)
{
	for (size_t i = 0; i < sp->npart; i++) {
		const struct script_part *part = &sp->part[i];
		struct script_count *count = &s->count[part->kind];
		const bool first = i == 0 || sp->part[i - 1].kind != part->kind;

		count->samples += first;
		count->missed += first && (missed != NULL || part->unready != NULL);
		if (part->state == NULL && !count->refused)
			count->reason =
			    part->unready != NULL ? part->unready : cli_strdup(part->reason);
		count->refused |= part->state == NULL && part->unready == NULL;
		if (missed != NULL && !count->refused)
			count->reason = missed;
	}
}

/*
 * True if a part's offsets are proved on its process; after some stacks that do not fit, the part
 * is given up.
 */
static bool
is_proved(struct script_process *sp, struct script_part *part, const struct runtime_sample *at)
{
	const struct runtime *r = runtimes[part->kind];
	enum runtime_proof proof = part->proved ? PROOF_HOLDS : r->prove(part->state, at);

	sp->unwalked |= proof == PROOF_UNWALKED;
	part->proved = proof == PROOF_HOLDS;
	part->failures += proof == PROOF_FAILS;
	if (part->failures == PROOFS) {
		static struct text why;

		why.len = 0;
		text_printf(
		    &why, "the offsets of %s %s do not fit this process", r->name, part->version);
		text_char(&why, '\0');
		r->close(part->state);
		part->state = NULL;
		part->reason = cli_strdup(why.s);
	}
	return part->proved;
}

/* Reads the stack of one runtime; NULL if it has no frames in this sample. */
static struct reading *
read_part(struct script *s, struct script_process *sp, size_t i, const struct runtime_sample *at)
{
	struct script_part *part = &sp->part[i];
	struct reading *r;

	if (part->state == NULL || (!at->stopped && !runtime_reads_copy(runtimes[part->kind])) ||
	    !is_proved(sp, part, at))
		return NULL;
	if (s->reading[i] == NULL)
		s->reading[i] = cli_alloc(1, sizeof *r);
	r = s->reading[i];
	r->stack.nframe = r->stack.ngroup = r->group = 0;
	r->stack.truncated = r->stack.limited = r->stack.outermost = false;
	r->stack.unwalked = r->stack.late = false;
	if (!runtimes[part->kind]->read(part->state, at, &r->stack) ||
	    !in_order(&r->stack, at->nnative)) {
		sp->unwalked |= r->stack.unwalked;
		sp->late |= r->stack.late;
		return NULL;
	}
	r->module = module_of(s, part->kind);
	for (r->last = r->stack.ngroup;
	     r->last > 0 && r->stack.group[r->last - 1].native == SCRIPT_NATIVE_NONE;)
		r->last--;
	return r;
}

/* the end of the merged stack, by the frames that were read. */
static void
set_end(struct chain *c, const struct merge *m)
{
	for (size_t i = 0; i < m->npart; i++) {
		const struct script_stack *st = &m->part[i]->stack;

		if (st->outermost && !st->truncated) {
			c->end = UNWIND_COMPLETE;
		} else if (c->end == UNWIND_OTHER_STACK || st->truncated) {
			c->end = UNWIND_TRUNCATED;
			c->limited = st->limited;
			c->unread = st->truncated && !st->limited;
		}
	}
}

bool
script_merge(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct native_frame *native, const struct script_copy *copy, struct chain *c)
{
	struct runtime_sample at = {.tid = inner_number(sp, t->tid),
	    .native = native,
	    .nnative = c->n - c->nkernel,
	    .complete = c->end == UNWIND_COMPLETE,
	    .stopped = copy == NULL || copy->copies != NULL,
	    .walked = copy != NULL && copy->copies != NULL,
	    .time = copy != NULL ? copy->time : 0,
	    .copied = copy != NULL ? copy->address + copy->n : 0};
	struct merge m = {.mixed = sp->npart > 1,
	    .interpreter = s->interpreter,
	    .cut = module_note(s->processes->modules, "[truncated]"),
	    .out = s->merged,
	    .most = sizeof s->merged / sizeof *s->merged};
	const bool counted = copy != NULL && copy->time == sp->counted;
	size_t kind = SIZE_MAX;
	bool lacked;

	sp->late = false;
	if (copy != NULL)
		memory_overlay(sp->process.memory, copy->address, copy->bytes, copy->n);
	for (size_t i = 0; i < sp->npart; i++) {
		struct reading *r;

		at.start = at.walked ? copy->copies->start[i] : 0;
		r = read_part(s, sp, i, &at);
		if (r == NULL)
			continue;
		r->stack.limited |= r->stack.truncated && at.walked && copy->copies->limited;
		m.part[m.npart++] = r;
		if (sp->part[i].kind != kind) {
			struct script_count *count = &s->count[sp->part[i].kind];

			count->samples += !counted;
			count->copied += at.walked;
			if (count->read++ == 0) {
				count->offsets = runtimes[sp->part[i].kind]->offsets;
				memcpy(count->version, sp->part[i].version, sizeof count->version);
			}
		}
		kind = sp->part[i].kind;
	}
	if (at.walked && copy->copies->limited && copy->copies->part < sp->npart)
		s->count[sp->part[copy->copies->part].kind].limited++;
	lacked = m.npart == 0 && at.walked && memory_cost(sp->process.memory).lacked;
	if (at.walked)
		sp->lacking = lacked ? sp->lacking + 1 : 0;
	if (m.npart == 0 && !counted)
		count_sample(s, sp,
		    lacked     ? "their frames were not copied whole"
		    : sp->late ? "code was loaded before their names were read"
			       : NULL);
	if (m.npart == 0)
		return false;
	m.most -= c->nkernel;
	merge_frames(&m, c);
	memcpy(c->frame + c->nkernel, m.out, m.n * sizeof *m.out);
	c->n = c->nkernel + m.n;
	set_end(c, &m);
	return true;
}

bool
script_follows_label(const struct script_process *sp)
{
	return sp->label_state != NULL && sp->label->recipe != NULL;
}

bool
script_stops_for_label(const struct script_process *sp)
{
	return sp->label_state != NULL && sp->label->from == LABEL_STOPPED;
}

/* Reads the label of a sample's thread; false: it has none, or it cannot be read. */
static bool
read_label(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct copies *copies, bool stopped, struct text *value)
{
	struct runtime_sample at = {.comm = t->comm, .stopped = true};
	bool read = false;

	if (sp == NULL || sp->label == NULL)
		return false;
	at.tid = inner_number(sp, t->tid);
	if (sp->label_state == NULL) {
		if (s->labels.reason == NULL)
			s->labels.reason = cli_strdup(sp->label_reason);
		return false;
	}
	if (sp->label->from == LABEL_ANYTIME) {
		memory_restrict(sp->process.memory, NULL);
		return sp->label->read(sp->label_state, &at, value);
	}
	if (are_of_recipe(s, sp, copies)) {
		at.walked = true;
		at.start = copies->start[sp->covered ? sp->npart : 0];
		memory_restrict(sp->process.memory, copies);
		read = sp->label->read(sp->label_state, &at, value);
		memory_restrict(sp->process.memory, NULL);
		return read;
	}
	if (stopped && sp->label->from == LABEL_STOPPED)
		return sp->label->read(sp->label_state, &at, value);
	s->labels.uncopied++;
	return false;
}

/* The label of a thread with that name, if the label is threads' names; else empty. */
static struct str
named_label(struct script *s, struct str name)
{
	text_cut(&s->text, 0);
	if (threadname_is_key(&s->label))
		labelroot_add(&s->text, s->label.key, name, 0);
	return text_as_str(&s->text);
}

struct str
script_last_label(struct script *s, const struct process_thread *t)
{
	return named_label(s, lastname_get(&s->threads, t->process->pid, t->tid, t->comm));
}

struct str
script_comm_label(struct script *s, const char *comm)
{
	return named_label(s, str_of(comm));
}

struct str
script_label(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct copies *copies, bool stopped)
{
	static struct text value;
	bool read;

	text_cut(&s->text, 0);
	if (s->label.key == NULL)
		return text_as_str(&s->text);
	text_cut(&value, 0);
	read = read_label(s, sp, t, copies, stopped, &value);
	s->labels.samples++;
	s->labels.read += read || threadname_is_key(&s->label);
	if (threadname_is_key(&s->label)) {
		if (read)
			lastname_set(
			    &s->threads, t->process->pid, t->tid, t->comm, text_as_str(&value));
		return script_last_label(s, t);
	}
	if (read)
		labelroot_add(&s->text, s->label.key, text_as_str(&value), 0);
	return text_as_str(&s->text);
}

struct script_labels
script_labels(const struct script *s)
{
	return s->labels;
}

void
script_settle(struct script *s)
{
	script_names_settle(s->names);
}

void
script_missed(struct script *s, struct script_process *sp, uint64_t time, const char *reason)
{
	count_sample(s, sp, reason);
	sp->counted = time;
}

size_t
script_counts(const struct script *s, struct script_count *count, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; s != NULL && i < s->nkind && n < most; i++)
		if (s->count[i].samples > 0)
			count[n++] = s->count[i];
	return n;
}
