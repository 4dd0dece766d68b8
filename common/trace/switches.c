/* switches: turns scheduler records and samples into calls of the timeline. */
#include "trace/switches.h"

#include <string.h>

#include "base/vec.h"

/*
 * In a file, the first record of a thread makes it known; running threads are known before their
 * recording begins.
 */
static struct timeline_thread *
find(struct recording *r, int tid, uint64_t time)
{
	struct timeline_thread *it = timeline_find(&r->timeline, tid);
	const struct process_thread *t;

	if (it != NULL || r->timeline.live != NULL || tid == 0)
		return it;
	t = processes_find_thread(r->processes, tid);
	if (t == NULL)
		return NULL;
	timeline_known(&r->timeline, tid, recording_off_cpu_task(r, t), time);
	return timeline_find(&r->timeline, tid);
}

/* True if script frames can be read while the thread sleeps. */
static bool
may_have_script(struct recording *r, struct process *p)
{
	struct script_process *sp = r->script != NULL ? script_find(r->script, p) : NULL;

	return sp != NULL && (script_needs_stop(sp) || script_stops_for_label(sp));
}

/* The thread of a sample switches out with the stack in r->chain. */
static void
add_leave(struct recording *r, const struct recording_event *ev, const struct perfevent *e,
    const struct process_thread *t, enum chain_reach reach)
{
	const struct chain *c = &r->chain;
	struct timeline_cut cut = {.nkernel = c->nkernel};
	struct unwind_input in = {0};
	uint32_t task = recording_off_cpu_task(r, t);
	bool again =
	    r->timeline.live != NULL && c->unwound && !r->walked &&
	    timeline_stopped(&r->timeline, t->tid, e->time, UINT64_MAX) == 0 &&
	    ((cut.script = may_have_script(r, t->process)) || c->end == UNWIND_TRUNCATED) &&
	    unwind_registers(
		r->unwind, &in, e->sample.regs_abi, ev->format.regs_user, e->sample.regs_user);

	memcpy(cut.reg, in.reg, sizeof cut.reg);
	cut.is_32bit = in.is_32bit;
	timeline_left(&r->timeline, t->tid, task,
	    rawtree_chain(r->rawtree, recording_stack_task(r, t, recording_off_cpu(r)), c, e->time),
	    reach, e->time, again ? &cut : NULL, r->walked);
}

/* The stack of a thread that was preempted is that of no wait, except in a wall-clock profile. */
static void
leave_cpu(struct recording *r, int tid, bool preempted, uint64_t time)
{
	const enum chain_reach reach = timeline_out(&r->timeline, tid, preempted, time);

	if (!r->options.wall)
		r->count.stack[reach] -= reach != CHAIN_NO_USER;
}

/* Read and count the stack of the current thread. */
static struct process_thread *
read_current(struct recording *r, const struct recording_event *ev, const struct perfevent *e,
    enum chain_reach *reach)
{
	struct process_thread *t = processes_thread(r->processes, (int)e->pid, (int)e->tid);

	recording_read_chain(r, &ev->format, e, t, false);
	*reach = CHAIN_NO_USER;
	if (recording_includes(r, e->time)) {
		*reach = recording_count_chain(r, &r->chain, e->sample.stack_size);
		r->count.samples++;
	}
	return t;
}

/*
 * The kernel may have recorded no switch-in of a thread, for example after the idle thread. On an
 * idle CPU the switch-in follows the wake-up at once; otherwise assume that it was the CPU's last
 * event, as perf sched timehist does.
 */
static void
add_missing_switch_in(struct recording *r, const struct recording_cpu *cpu, int tid)
{
	const struct timeline_thread *it = timeline_find(&r->timeline, tid);

	if (it == NULL || it->state < TIMELINE_READY)
		return;
	if (cpu->current != 0 && it->since < cpu->time)
		timeline_in(&r->timeline, tid, cpu->time);
	else if (cpu->current == 0 && it->state == TIMELINE_READY && it->since >= cpu->time)
		timeline_in(&r->timeline, tid, it->since);
}

/*
 * True if the tracepoint is recorded for whole CPUs. Then each thread's switch-in is in another
 * thread's event, and the thread that switches out is the one that switched in before.
 */
static void
follow_cpu(
    struct recording *r, const struct recording_event *ev, const struct perfevent *e, uint64_t next)
{
	const size_t had = r->ncpu;
	struct recording_cpu *cpu;

	if (!(ev->format.sample_type & PERF_SAMPLE_CPU) || e->cpu >= RECORDING_CPUS)
		return;
	vec_fit(r->cpu, r->ncpu, (size_t)e->cpu + 1);
	if (r->ncpu > had)
		memset(r->cpu + had, 0, (r->ncpu - had) * sizeof *r->cpu);
	cpu = &r->cpu[e->cpu];
	if (cpu->time != 0 && (int32_t)e->tid > 0) {
		cpu->current == e->tid ? r->follows++ : r->breaks++;
		if (cpu->current != e->tid && !r->timeline.unseen_ends)
			add_missing_switch_in(r, cpu, (int)e->tid);
	}
	cpu->current = (uint32_t)next;
	cpu->time = e->time;
	if (!r->sees_switch_ins)
		r->timeline.unseen_ends = r->follows <= r->breaks;
}

/*
 * sched:sched_switch. A thread in the ready state was preempted. Without the fields the thread
 * counts as blocked, and PERF_RECORD_SWITCH may supply the rest.
 */
static void
take_tracepoint_switch(
    struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	const struct perfevent_sample *s = &e->sample;
	const struct process_thread *t;
	enum chain_reach reach;
	uint64_t next, state = ev->blocked;

	if (tracepoint_value(&ev->thread, s->raw, s->nraw, r->options.swapped, &next)) {
		follow_cpu(r, ev, e, next);
		if (find(r, (int)next, e->time) != NULL)
			timeline_in(&r->timeline, (int)next, e->time);
	}
	if ((int32_t)e->pid < 0 || e->tid == 0) /* an exited thread; the idle thread */
		return;
	tracepoint_value(&ev->state, s->raw, s->nraw, r->options.swapped, &state);
	if (state & ev->dead) {
		timeline_exit(&r->timeline, (int)e->tid, e->time);
		return;
	}
	t = read_current(r, ev, e, &reach);
	add_leave(r, ev, e, t, reach);
	leave_cpu(r, t->tid, (state & ev->blocked) == 0, e->time);
}

/* In interrupt context the current thread is unrelated to the event. */
static bool
is_interrupt(const struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	/* TRACE_FLAG_HARDIRQ, _SOFTIRQ and _NMI of linux/trace_events.h. */
	enum { INTERRUPT = 0x08 | 0x10 | 0x40 };
	uint64_t flags;

	return tracepoint_value(
		   &ev->flags, e->sample.raw, e->sample.nraw, r->options.swapped, &flags) &&
	       (flags & INTERRUPT) != 0;
}

/* The sleeper's stack with the stack of its waker, the current thread. */
static uint32_t
waker_node(struct recording *r, const struct recording_event *ev, const struct perfevent *e,
    const struct timeline_thread *sleeper)
{
	struct process_thread *t = processes_waker(r->processes, (int)e->pid, (int)e->tid);
	const bool interrupt = is_interrupt(r, ev, e);
	struct rawtree_task task = {.comm = "interrupt"};

	recording_read_chain(r, &ev->format, e, t, false);
	if (!interrupt)
		recording_set_task(r, &task, t);
	return rawtree_waker(
	    r->rawtree, timeline_node(sleeper, e->time), &r->chain, &task, interrupt, e->time);
}

static void
take_wake(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	const struct perfevent_sample *s = &e->sample;
	struct timeline_thread *sleeper;
	uint32_t node;
	uint64_t tid;

	if (!tracepoint_value(&ev->thread, s->raw, s->nraw, r->options.swapped, &tid))
		return;
	sleeper = find(r, (int)tid, e->time);
	if (sleeper == NULL)
		return;
	if (r->options.wakers && ev->has_wakers && sleeper->state == TIMELINE_SLEEPS &&
	    (int32_t)e->pid >= 0)
		node = waker_node(r, ev, e, sleeper);
	else
		node = timeline_node(sleeper, e->time);
	timeline_wake(&r->timeline, sleeper, node, e->time);
}

void
switches_sample(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	const struct process_thread *t;
	enum chain_reach reach;

	if (ev->role == RECORDING_WAKE) {
		take_wake(r, ev, e);
		return;
	}
	if (ev->role == RECORDING_SWITCH) {
		take_tracepoint_switch(r, ev, e);
		return;
	}
	if ((int32_t)e->pid < 0 || e->tid == 0)
		return;
	t = read_current(r, ev, e, &reach);
	if (ev->role == RECORDING_LEAVES)
		add_leave(r, ev, e, t, reach);
	else
		timeline_ran(&r->timeline, t->tid, recording_off_cpu_task(r, t),
		    rawtree_chain(
			r->rawtree, recording_stack_task(r, t, TIMELINE_CPU), &r->chain, e->time),
		    e->time);
}

/*
 * At a switch-out, a sample comes first, then this record; at a switch-in, another record. A
 * preempted thread is runnable, not blocked.
 */
void
switches_switch(struct recording *r, const struct perfevent *e)
{
	if ((int32_t)e->pid <= 0)
		return;
	if (e->misc & PERF_RECORD_MISC_SWITCH_OUT)
		leave_cpu(
		    r, (int)e->tid, (e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0, e->time);
	else if (find(r, (int)e->tid, e->time) != NULL)
		timeline_in(&r->timeline, (int)e->tid, e->time);
}

void
switches_task(struct recording *r, const struct perfevent *e)
{
	struct process_thread *t;

	if ((int32_t)e->pid <= 0)
		return;
	if (e->time == 0 && r->timeline.live == NULL)
		return; /* synthesized by perf: the thread is older than the recording */
	if (e->type == PERF_RECORD_EXIT) {
		timeline_exit(&r->timeline, (int)e->tid, e->time);
		return;
	}
	if (e->type == PERF_RECORD_COMM && !(e->misc & PERF_RECORD_MISC_COMM_EXEC))
		return;
	if (e->type != PERF_RECORD_FORK && e->type != PERF_RECORD_COMM)
		return;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	if (e->type == PERF_RECORD_FORK)
		timeline_fork(&r->timeline, t->tid, recording_off_cpu_task(r, t), e->time);
	else
		timeline_exec(&r->timeline, t->tid, recording_off_cpu_task(r, t), e->time);
}
