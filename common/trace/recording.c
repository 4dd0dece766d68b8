/*
 * recording: the state of the engine, the roots of stacks, and how a stack is read.
 */
#include "trace/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

void
recording_init(struct recording *r, struct modules *modules, const struct recording_options *o)
{
	*r = (struct recording){.options = *o, .modules = modules};
	r->processes = processes_new(modules);
	r->chain.calls = o->calls;
	r->rawtree = rawtree_new(o->ordered, o->step);
	r->timeline.rawtree = r->rawtree;
	r->timeline.wall = o->wall;
	r->timeline.brief = module_note(modules, "[unsampled]");
	deferred_init(&r->deferred);
}

void
recording_machine(struct recording *r, const char *arch)
{
	r->unwind = unwind_new(arch);
	r->processes->signs = unwind_signs(r->unwind);
}

void
recording_free(struct recording *r)
{
	if (r->script != NULL)
		script_free(r->script);
	free(r->native);
	processes_free(r->processes);
	if (r->unwind != NULL)
		unwind_free(r->unwind);
	rawtree_free(r->rawtree);
	chaincache_free(&r->chains);
	timeline_free(&r->timeline);
	heap_free(r->heap);
	free(r->values.slot);
	intmap_free_values(&r->waits);
	free(r->cpu);
}

void
recording_begin(struct recording *r, uint64_t time)
{
	r->begin = r->timeline.begin = time;
}

void
recording_limit(struct recording *r, uint64_t time)
{
	r->end = r->timeline.end = time;
}

bool
recording_includes(const struct recording *r, uint64_t time)
{
	return time >= r->begin && (r->end == 0 || time < r->end);
}

struct rawtree *
recording_detach_tree(struct recording *r)
{
	struct rawtree *old = r->rawtree;

	r->rawtree = rawtree_new(old->ordered, old->step);
	timeline_move(&r->timeline, r->rawtree);
	if (r->heap != NULL)
		heap_write(r->heap, old, r->rawtree);
	for (size_t i = 0; i < r->waits.size; i++) {
		struct recording_wait *w = r->waits.slot[i].value;

		if (w != NULL && w->time != 0)
			w->node = rawtree_copy(r->rawtree, old, w->node);
	}
	chaincache_free(&r->chains); /* its nodes belong to the old tree */
	r->task = 0;
	return old;
}

static bool
starts_with(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/*
 * Wake-up events. sched_waking is raised by the waker; sched_wakeup where the thread is queued for
 * a CPU, possibly in an interrupt of that CPU. sched_stat_sleep and similar events are raised at
 * wake-ups too.
 */
static bool
is_wake(const char *name)
{
	return starts_with(name, "sched:sched_wakeup") || strcmp(name, "sched:sched_waking") == 0 ||
	       strcmp(name, "sched:sched_stat_sleep") == 0 ||
	       strcmp(name, "sched:sched_stat_blocked") == 0 ||
	       strcmp(name, "sched:sched_stat_iowait") == 0;
}

bool
recording_tracepoint(struct recording_event *ev, const char *name, struct str format)
{
	tracepoint_field(format, "common_flags", &ev->flags);
	if (is_wake(name) && tracepoint_field(format, "pid", &ev->thread)) {
		ev->role = RECORDING_WAKE;
		ev->has_wakers = strcmp(name, "sched:sched_waking") == 0;
		return true;
	}
	/* Sleeping, stopped, traced...; all other states mean preemption. */
	ev->dead = tracepoint_flags(format, "XxZ");
	ev->blocked = tracepoint_flags(format, "SDTtPIKW");
	if (strcmp(name, "sched:sched_switch") != 0 || ev->blocked == 0 ||
	    !tracepoint_field(format, "next_pid", &ev->thread) ||
	    !tracepoint_field(format, "prev_state", &ev->state))
		return false;
	ev->role = RECORDING_SWITCH;
	return true;
}

void
recording_set_task(
    const struct recording *r, struct rawtree_task *task, const struct process_thread *t)
{
	const struct recording_options *o = &r->options;

	*task = (struct rawtree_task){0};
	if (o->pid || o->tid)
		task->pid = t->process->pid;
	if (o->tid)
		task->tid = t->tid;
	strlcpy(task->comm, t->comm, sizeof task->comm);
}

static uint32_t
node_of(struct recording *r, const struct process_thread *t, enum timeline_column column,
    struct str label)
{
	struct rawtree_task task;

	recording_set_task(r, &task, t);
	task.column = column;
	task.label = rawtree_label(r->rawtree, label);
	if (r->task == 0 || memcmp(&task, &r->last, sizeof task) != 0) {
		r->last = task;
		r->task = rawtree_task(r->rawtree, &task);
	}
	return r->task;
}

uint32_t
recording_task(struct recording *r, const struct process_thread *t, enum timeline_column column)
{
	return node_of(r, t, column,
	    r->script != NULL ? script_last_label(r->script, t) : (struct str){NULL, 0});
}

uint32_t
recording_stack_task(
    struct recording *r, const struct process_thread *t, enum timeline_column column)
{
	return node_of(r, t, column, r->label);
}

uint32_t
recording_off_cpu_task(struct recording *r, const struct process_thread *t)
{
	return recording_task(r, t, recording_off_cpu(r));
}

void
recording_read_label(struct recording *r, struct script_process *sp, const struct process_thread *t,
    const struct copies *copies, bool stopped)
{
	r->label = r->script != NULL ? script_label(r->script, sp, t, copies, stopped)
				     : (struct str){NULL, 0};
}

enum chain_reach
recording_count_chain(struct recording *r, const struct chain *c, uint64_t copied)
{
	const enum chain_reach reach = chain_reach(c, r->options.chain_max, copied, r->copied);

	r->count.stack[reach]++;
	return reach;
}

/* Lets a runtime whose memory is restricted read the stack, too, for the sizes of its frames. */
static void
overlay_copy(struct recording *r, const struct perfevent_format *f, const struct perfevent *e,
    struct script_process *sp)
{
	const struct perfevent_sample *s = &e->sample;
	struct unwind_input in;

	if (unwind_registers(r->unwind, &in, s->regs_abi, f->regs_user, s->regs_user))
		memory_overlay(
		    script_memory(sp), unwind_stack_pointer(r->unwind, &in), s->stack, s->nstack);
}

void
recording_read_chain(struct recording *r, const struct perfevent_format *f,
    const struct perfevent *e, struct process_thread *t, bool copies)
{
	struct process *p = t->process;
	struct chain *c = &r->chain;
	struct script_process *sp;
	bool restricted;

	if (!p->maps_known && p->maps.root == NULL)
		processes_read(r->processes, p->pid);
	sp = r->script != NULL && e->sample.nstack > 0 ? script_find(r->script, p) : NULL;
	restricted = sp != NULL && script_restrict(r->script, sp, e->sample.copies);
	if (sp != NULL && script_needs_stop(sp) && !restricted &&
	    !(copies && script_reads_copy(sp)))
		sp = NULL; /* the source stops the thread to read it, or cannot read it */
	if (sp != NULL && r->native == NULL)
		r->native = cli_alloc(UNWIND_DEPTH, sizeof *r->native);
	c->native = sp != NULL ? r->native : NULL;
	if (restricted)
		overlay_copy(r, f, e, sp);
	chain_read(c, r->unwind, f, e, p);
	if (c->maps_suspect && processes_reread(r->processes, p, e->time)) {
		chain_read(c, r->unwind, f, e, p);
		if (!c->maps_suspect)
			process_reread_helped(p);
		if (sp != NULL && (sp = script_find(r->script, p)) == NULL)
			c->native = NULL;
		restricted =
		    sp != NULL && restricted && script_restrict(r->script, sp, e->sample.copies);
	}
	if (r->truncated != NULL && c->unwound &&
	    (c->end == UNWIND_TRUNCATED || e->sample.nabove > 0))
		r->truncated(r->arg, f, e, t);
	r->walked = false;
	if (sp != NULL && c->unwound)
		r->walked =
		    script_merge(r->script, sp, t, r->native,
			&(struct script_copy){r->native[0].sp, e->sample.stack, e->sample.nstack,
			    e->time, restricted ? e->sample.copies : NULL},
			c) &&
		    restricted;
	recording_read_label(r, sp, t, e->sample.copies, false);
	if (f->sample_type & PERF_SAMPLE_STACK_USER && c->n > 0 && !c->unwound)
		r->count.unreadable += e->sample.regs_abi == PERF_SAMPLE_REGS_ABI_32;
}
