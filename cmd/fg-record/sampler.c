/*
 * sampler: records in; processes followed, stacks read, and each added to the places
 * of the recording.
 */
#include "fg-record/sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/cli.h"
#include "code/cfi.h"
#include "fg-record/proc.h"
#include "trace/chain.h"

static void
set_task(struct rawtree_task *task, const struct recording *r, const struct process_thread *t)
{
	const struct sample_options *o = &r->options->sample;

	*task = (struct rawtree_task){0};
	if (o->pid || o->tid)
		task->pid = t->process->pid;
	if (o->tid)
		task->tid = t->tid;
	strlcpy(task->comm, t->comm, sizeof task->comm);
}

/* What the root of a thread's stacks says of it, and nothing more that would part them. */
static uint32_t
task_of(const struct recording *r, const struct process_thread *t, uint32_t column)
{
	struct rawtree_task task;

	set_task(&task, r, t);
	task.column = column;
	return rawtree_task(r->rawtree, &task);
}

/* Where its time goes that is spent off the CPU: the one column there is, or --wall's. */
static uint32_t
off_cpu_task(const struct recording *r, const struct process_thread *t)
{
	return task_of(r, t, r->options->wall ? TIMELINE_BLOCKED : 0);
}

/* Of one chain, the kernel's part and the user's together. */
static size_t
max_stack(void)
{
	static size_t most;

	if (most == 0)
		most = (size_t)proc_sysctl("perf_event_max_stack", 127);
	return most;
}

static void
count_chain(struct recording *r, const struct chain *c)
{
	bool cut = c->unwound && c->end == UNWIND_TRUNCATED;

	if (!c->unwound && r->options->call_graph != CALL_GRAPH_FP)
		return;
	if (c->n == c->nkernel)
		return; /* a kernel thread, or all its user part is lost */
	cut |= !c->unwound && c->listed >= max_stack();
	r->count.user++;
	r->count.truncated += cut;
	if (cut)
		return;
	if (!c->unwound || c->end == UNWIND_COMPLETE)
		r->count.whole++; /* of frame pointers nobody knows better */
	else if (chain_generated(c))
		r->count.generated++;
	else if (chain_haskell(c))
		r->count.haskell++;
}

/* Its stack when its time is up. */
static void
take_switch_sample(struct recording *r, const struct perfevent *e, const struct chain *c,
    const struct process_thread *t)
{
	struct timeline_cut cut = {.nkernel = c->nkernel};
	struct unwind_input in = {0};
	uint32_t task = off_cpu_task(r, t);
	bool again = c->unwound && c->end == UNWIND_TRUNCATED &&
		     unwind_registers(r->unwind, &in, e->sample.regs_abi, r->format.regs_user,
			 e->sample.regs_user);

	memcpy(cut.reg, in.reg, sizeof cut.reg);
	cut.narrow = in.narrow;
	timeline_left(&r->timeline, t->tid, task, rawtree_chain(r->rawtree, task, c, e->time),
	    e->time, again ? &cut : NULL);
}

static void
read_chain(
    struct recording *r, struct chain *c, const struct perfevent *e, struct process_thread *t)
{
	struct process *p = t->process;

	if (!p->asked && p->maps.root == NULL)
		processes_read(r->processes, p->pid);
	chain_read(c, r->unwind, &r->format, e, p);
	if (c->astray && processes_reread(r->processes, p, e->time))
		chain_read(c, r->unwind, &r->format, e, p);
}

/* In an interrupt the thread that it came upon has nothing to do with what is done. */
static bool
is_interrupt(const struct perfevent *e)
{
	/* common_flags: TRACE_FLAG_HARDIRQ, _SOFTIRQ and _NMI of linux/trace_events.h. */
	return e->sample.nraw > 2 && (e->sample.raw[2] & (0x08 | 0x10 | 0x40)) != 0;
}

static uint32_t
waker_node(struct recording *r, const struct perfevent *e, const struct timeline_thread *sleeper)
{
	struct process_thread *t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	struct rawtree_task task;
	struct chain chain;

	read_chain(r, &chain, e, t);
	set_task(&task, r, t);
	if (is_interrupt(e))
		task = (struct rawtree_task){.comm = "interrupt"};
	return rawtree_waker(
	    r->rawtree, timeline_node(sleeper, e->time), &chain, &task, is_interrupt(e), e->time);
}

static void
take_waking(struct recording *r, const struct perfevent *e)
{
	struct timeline_thread *sleeper;
	int32_t tid;

	if (e->sample.nraw < r->woken + sizeof tid)
		return;
	memcpy(&tid, e->sample.raw + r->woken, sizeof tid);
	sleeper = timeline_find(&r->timeline, tid);
	if (sleeper == NULL || sleeper->ended)
		return;
	if (r->options->wakers && sleeper->state == TIMELINE_SLEEPS)
		timeline_wake(&r->timeline, sleeper, waker_node(r, e, sleeper), e->time);
	else
		timeline_wake(&r->timeline, sleeper, timeline_node(sleeper, e->time), e->time);
}

bool
sampler_is_waking(const struct recording *r, const struct perfevent *e)
{
	return r->woken != 0 && e->sample.nraw > sizeof(uint32_t); /* other events' is empty */
}

static void
take_sample(struct recording *r, const struct perfevent *e)
{
	struct chain chain;
	struct process_thread *t;

	if ((int32_t)e->pid < 0) /* it has exited */
		return;
	if (sampler_is_waking(r, e)) {
		take_waking(r, e);
		return;
	}
	if (e->time < r->begin && !options_timed(r->options))
		return;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	read_chain(r, &chain, e, t);
	if (e->time >= r->begin) {
		count_chain(r, &chain);
		r->count.samples++;
	}
	if (!options_timed(r->options))
		rawtree_add(r->rawtree,
		    rawtree_chain(r->rawtree, task_of(r, t, 0), &chain, e->time), e->time,
		    r->options->weight_period ? e->sample.period : 1);
	else if (e->sample.period == 1) /* of switches; the clock's are thousands of ns */
		take_switch_sample(r, e, &chain, t);
	else
		timeline_ran(&r->timeline, t->tid, off_cpu_task(r, t),
		    rawtree_chain(r->rawtree, task_of(r, t, TIMELINE_CPU), &chain, e->time),
		    e->time);
}

/*
 * When a thread leaves its CPU a sample is taken; this record follows it, and another
 * comes when the thread is back. One that was preempted is not blocked: it waits for a
 * CPU.
 */
static void
take_switch(struct recording *r, const struct perfevent *e)
{
	if ((int32_t)e->pid <= 0)
		return;
	if (!(e->misc & PERF_RECORD_MISC_SWITCH_OUT))
		timeline_in(&r->timeline, (int)e->tid, e->time);
	else
		timeline_out(&r->timeline, (int)e->tid,
		    (e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0, e->time);
}

/* Threads that come and go, when their time is kept. */
static void
take_task(struct recording *r, const struct perfevent *e)
{
	struct process_thread *t;

	if (!options_timed(r->options) || (int32_t)e->pid <= 0)
		return;
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
		timeline_fork(&r->timeline, t->tid, off_cpu_task(r, t), e->time);
	else
		timeline_exec(&r->timeline, t->tid, off_cpu_task(r, t), e->time);
}

struct rawtree *
sampler_take_places(struct recording *r)
{
	struct rawtree *old = r->rawtree;

	r->rawtree = rawtree_new(old->ordered, old->step);
	timeline_move(&r->timeline, r->rawtree);
	return old;
}

void
sampler_stopped(
    struct recording *r, struct process_thread *t, struct unwind_input *in, uint64_t weight)
{
	struct chain chain;
	uint64_t now = record_now();

	chain_unwind(&chain, r->unwind, in);
	count_chain(r, &chain);
	rawtree_add(r->rawtree, rawtree_chain(r->rawtree, task_of(r, t, 0), &chain, now), now,
	    r->options->weight_period ? weight * r->period : weight);
	r->count.samples += weight;
}

/* What /proc tells of a thread that sleeps: its stack pointer and pc, no other register. */
static bool
sleeping_registers(int tid, uint64_t reg[UNWIND_REGS])
{
	char path[32], line[256];
	size_t n;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/syscall", tid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	n = fread(line, 1, sizeof line - 1, f);
	fclose(f);
	line[n] = '\0';
	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	for (char *last = line + n; last > line; last--)
		if (*last == ' ' && memrchr(line, ' ', (size_t)(last - line)) != NULL) {
			char *sp = memrchr(line, ' ', (size_t)(last - line));

			reg[CFI_SP] = strtoull(sp, NULL, 16);
			reg[CFI_PC] = strtoull(last, NULL, 16);
			return reg[CFI_PC] != 0;
		}
	return false; /* it runs */
}

#define DEEPEST ((size_t)8 << 20) /* bytes of a sleeping thread's stack that are looked at */
#define DEEP ((size_t)64 << 10) /* and to begin with */

/*
 * Unwind a sleeping thread by registers and what its stack has now. Whether it has slept
 * all the time is the caller's to know. False when its memory may not be read.
 */
static bool
unwind_sleeping(struct recording *r, struct process_thread *t, const uint64_t *reg, bool narrow,
    struct chain *c)
{
	struct unwind_input in = {.process = t->process, .narrow = narrow};
	unsigned char *stack = NULL;
	ssize_t n;

	memcpy(in.reg, reg, sizeof in.reg);
	for (size_t size = DEEP;; size *= 4) {
		struct iovec there = {(void *)(uintptr_t)reg[CFI_SP], size};
		struct iovec here;

		stack = cli_realloc(stack, size, 1);
		here = (struct iovec){stack, size};
		/* Less than all of it where the stack's mapping ends. */
		n = process_vm_readv(t->tid, &here, 1, &there, 1, 0);
		if (n <= 0)
			break;
		in.stack = stack;
		in.nstack = (size_t)n;
		chain_unwind(c, r->unwind, &in);
		if (c->end != UNWIND_TRUNCATED || (size_t)n < size || size >= DEEPEST)
			break;
	}
	free(stack);
	return n > 0;
}

void
sampler_asleep(struct recording *r, int pid, int tid)
{
	uint64_t reg[UNWIND_REGS], again[UNWIND_REGS];
	struct process_thread *t = processes_thread(r->processes, pid, tid);
	struct chain chain;

	timeline_known(&r->timeline, tid, off_cpu_task(r, t), r->begin);
	if (proc_state(tid) == 'R' || !sleeping_registers(tid, reg) ||
	    !unwind_sleeping(r, t, reg, false, &chain))
		return;
	if (proc_state(tid) != 'R' && sleeping_registers(tid, again) &&
	    memcmp(reg, again, sizeof reg) == 0) {
		count_chain(r, &chain);
		r->count.samples++;
		timeline_found(&r->timeline, tid,
		    rawtree_chain(r->rawtree, off_cpu_task(r, t), &chain, r->begin), record_now());
	}
}

/* A thread's stack as it is now, in place of the one whose copy was too short. */
static void
read_cut(struct recording *r, struct timeline_thread *it)
{
	int pid = proc_pid(it->tid);
	struct process_thread *t;
	struct chain chain;

	if (pid == 0)
		return;
	t = processes_thread(r->processes, pid, it->tid);
	if (unwind_sleeping(r, t, it->cut->reg, it->cut->narrow, &chain) &&
	    chain.end == UNWIND_COMPLETE) {
		it->whole = rawtree_with_top(r->rawtree,
		    rawtree_chain(r->rawtree, off_cpu_task(r, t), &chain, it->since), it->node,
		    it->cut->nkernel);
		it->read = record_now();
	}
}

void
sampler_settle(struct recording *r)
{
	struct timeline *tl = &r->timeline;

	for (size_t i = 0; i < tl->ncut; i++) {
		struct timeline_thread *it = timeline_find(tl, tl->cut[i]);

		if (it != NULL && it->state == TIMELINE_SLEEPS && it->cut != NULL && it->whole == 0)
			read_cut(r, it);
	}
	tl->ncut = 0;
	timeline_settle(tl);
}

void
sampler_record(void *arg, const struct perfevent *e)
{
	struct recording *r = arg;

	switch (e->type) {
	case PERF_RECORD_SAMPLE: take_sample(r, e); break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: take_switch(r, e); break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES: r->count.lost += e->time < r->begin ? 0 : e->lost; break;
	case PERF_RECORD_THROTTLE: r->count.throttled++; break;
	case PERF_RECORD_EXIT:
		take_task(r, e); /* before it is forgotten */
		processes_record(r->processes, e);
		break;
	default: processes_record(r->processes, e); take_task(r, e);
	}
}
