/*
 * stopped: unwinds by the registers and memory of the stopped thread.
 */
#include "fg-record/stopping/stopped.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "fg-record/stopping/stops.h"
#include "trace/take.h"

#define CONTINUED 128 /* times a thread, more than there are between two readings of the rings */

/* The last times at which a thread was continued. */
struct continued {
	uint64_t at[CONTINUED];
	size_t n;
};

struct run {
	int tid;
	uint32_t task, node;
	uint64_t time;
};

struct stopped_runs {
	struct run *run; /* in order of time */
	size_t n, cap;
	struct intmap continued; /* by tid: struct continued */
};

static struct stopped_runs *
runs_of(struct record *r)
{
	if (r->runs == NULL)
		r->runs = cli_alloc(1, sizeof *r->runs);
	return r->runs;
}

/* Adds the stack in r->recording.chain to the samples that wait. */
static void
add_run(struct record *r, const struct process_thread *t, uint64_t time)
{
	struct recording *engine = &r->recording;
	struct stopped_runs *s = runs_of(r);
	const uint32_t task = recording_stack_task(engine, t, TIMELINE_CPU);

	vec_fit(s->run, s->cap, s->n + 1);
	s->run[s->n++] = (struct run){t->tid, recording_off_cpu_task(engine, t),
	    rawtree_chain(engine->rawtree, task, &engine->chain, time), time};
	recording_count_chain(engine, &engine->chain, UINT64_MAX);
}

void
stopped_take(struct record *r, uint64_t until)
{
	struct stopped_runs *s = r->runs;
	size_t i = 0;

	if (s == NULL || s->n == 0 || s->run[0].time > until)
		return;
	for (; i < s->n && s->run[i].time <= until; i++)
		timeline_ran(&r->recording.timeline, s->run[i].tid, s->run[i].task, s->run[i].node,
		    s->run[i].time);
	s->n -= i;
	memmove(s->run, s->run + i, s->n * sizeof *s->run);
}

void
stopped_continue(struct record *r, int tid)
{
	struct continued *c;

	if (!r->options->wall)
		return;
	c = intmap_get(&runs_of(r)->continued, (uint64_t)tid);
	if (c == NULL)
		*intmap_at(&runs_of(r)->continued, (uint64_t)tid) = c = cli_alloc(1, sizeof *c);
	c->at[c->n++ % CONTINUED] = record_now();
}

uint64_t
stopped_until(void *record, int tid, uint64_t from, uint64_t to)
{
	const struct record *r = record;
	const struct continued *c =
	    r->runs == NULL ? NULL : intmap_get(&r->runs->continued, (uint64_t)tid);
	uint64_t last = 0;

	for (size_t i = 0; c != NULL && i < CONTINUED; i++)
		if (c->at[i] > from && c->at[i] <= to && c->at[i] > last)
			last = c->at[i];
	return last;
}

struct script_process *
record_script(struct record *r, struct process_thread *t)
{
	struct script *script = r->recording.script;

	return script == NULL ? NULL : script_find(script, t->process);
}

void
record_add_scripts(struct record *r, struct process_thread *t, struct script_process *sp)
{
	if (sp != NULL) {
		memory_overlay(
		    script_memory(sp), r->live.part[0].at, r->live.bytes[0], r->live.part[0].n);
		script_merge(r->recording.script, sp, t, r->live.native, NULL, &r->recording.chain);
	}
	recording_read_label(&r->recording, sp, t, NULL, true);
}

bool
stopped_sample(struct record *r, int pid, int tid, const struct perfevent_format *f,
    const struct recording_event *ev, const struct perfevent *e, uint64_t weight, bool *slept)
{
	struct recording *engine = &r->recording;
	struct chain *chain = &engine->chain;
	struct unwind_input in = {0};
	struct process_thread *t = processes_thread(engine->processes, pid, tid);
	struct script_process *script;
	uint64_t now = record_now(), sp;
	struct ptrace_regs regs;
	bool asleep;

	if (now < engine->begin || !stops_registers(tid, &regs))
		return false;
	ptrace_regs_store(&regs, &in, &sp, &asleep);
	if (slept != NULL && (*slept = asleep))
		return false;
	in.process = t->process;
	script = record_script(r, t);
	chain_clear(chain);
	if (e != NULL)
		chain_read(chain, engine->unwind, f, e, t->process);
	if (!livestack_read(&r->live, engine->unwind, script != NULL ? script_memory(script) : NULL,
		tid, &in, sp, chain))
		return false;
	if (chain->maps_suspect && processes_reread(engine->processes, t->process, now)) {
		script = record_script(r, t);
		livestack_read(&r->live, engine->unwind, NULL, tid, &in, sp, chain);
		if (!chain->maps_suspect)
			process_reread_helped(t->process);
	}
	record_add_scripts(r, t, script);
	if (r->options->wall)
		add_run(r, t, e != NULL ? e->time : now);
	else if (engine->heap != NULL && e != NULL)
		recording_stopped_block(engine, f, e, t);
	else
		recording_stopped(engine, ev, t, e != NULL ? e->time : now, weight);
	return true;
}
