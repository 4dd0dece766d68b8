/*
 * sampler: records in; processes followed, stacks unwound, and each added to the
 * stacks of the recording, with the kernel's frames as its leaf.
 */
#include "sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "profile/folded.h"
#include "profile/frame.h"

/* More than any chain has: kernel.perf_event_max_stack is 127 unless it was raised. */
#define KERNEL_DEPTH 1024

/* A stack, leaf first, before it is put into the tree. */
struct chain {
	struct unwind_frame user[UNWIND_DEPTH];
	size_t nuser;
	uint64_t kernel[KERNEL_DEPTH];
	size_t nkernel;
};

/* The root frame, as fg-collapse writes it: comm, comm-PID or comm-PID/TID. */
static uint32_t
thread_label(struct recording *r, struct process_thread *t)
{
	char label[PROCESS_COMM + 32], comm[PROCESS_COMM];
	int pid = t->process->pid;

	if (t->label != 0)
		return t->label;
	memcpy(comm, t->comm, sizeof comm);
	for (char *c = comm; *c != '\0'; c++)
		if (*c == ' ')
			*c = '_';
	if (r->options->show_tid)
		snprintf(label, sizeof label, "%s-%d/%d", comm, pid, t->tid);
	else if (r->options->show_pid)
		snprintf(label, sizeof label, "%s-%d", comm, pid);
	else
		snprintf(label, sizeof label, "%s", comm);
	frame_clean(label, strlen(label));
	return t->label = stacks_label(r->stacks, label);
}

static uint32_t
add_chain(struct recording *r, struct process_thread *t, const struct chain *c, uint64_t time)
{
	uint32_t node = thread_label(r, t);

	for (size_t i = c->nuser; i-- > 0;)
		node = stacks_call(r->stacks, node, c->user[i].module, c->user[i].vaddr, time);
	for (size_t i = c->nkernel; i-- > 0;)
		node = stacks_call(r->stacks, node, module_kernel(), c->kernel[i], time);
	return node;
}

static void
unwind_user(struct recording *r, const struct unwind_input *in, struct chain *c)
{
	enum unwind_end end;

	c->nuser = unwind_stack(r->unwind, in, c->user, &end);
	r->count.user++;
	r->count.whole += end == UNWIND_WHOLE;
	r->count.truncated += end == UNWIND_TRUNCATED;
}

/* A user address that the kernel or the processor recorded. */
static void
add_user_ip(struct process *p, struct chain *c, uint64_t ip)
{
	const struct process_map *map;

	if (c->nuser == UNWIND_DEPTH)
		return;
	ip -= c->nuser > 0; /* to the call, out of the return address */
	map = process_find(p, ip);
	c->user[c->nuser++] = (struct unwind_frame){
	    map == NULL ? NULL : map->module, ip + (map == NULL ? 0 : map->bias)};
}

static void
add_kernel_ip(struct chain *c, uint64_t ip)
{
	if (c->nkernel == KERNEL_DEPTH)
		return;
	ip -= c->nkernel > 0;
	c->kernel[c->nkernel++] = ip;
}

/* The kernel's part of the call chain, and with --call-graph fp the user's. */
static void
read_callchain(const struct perfevent_sample *s, struct process *p, bool user, struct chain *c)
{
	uint64_t context = 0;

	for (size_t i = 0; i < s->ncallchain; i++) {
		uint64_t ip = s->callchain[i];

		if (ip >= (uint64_t)PERF_CONTEXT_MAX)
			context = ip;
		else if (context == (uint64_t)PERF_CONTEXT_KERNEL)
			add_kernel_ip(c, ip);
		else if (context == (uint64_t)PERF_CONTEXT_USER && user)
			add_user_ip(p, c, ip);
	}
}

/* What the processor's branch records say of user calls: each went from its caller. */
static void
read_branches(const struct perfevent_sample *s, struct process *p, struct chain *c)
{
	if (c->nkernel == 0)
		add_user_ip(p, c, s->ip);
	else if (s->nbranch > 0)
		add_user_ip(p, c, s->branch[0].to);
	for (size_t i = 0; i < s->nbranch; i++)
		add_user_ip(p, c, s->branch[i].from + 1);
}

static void
read_chain(struct recording *r, const struct perfevent *e, struct process *p, struct chain *c)
{
	const struct perfevent_sample *s = &e->sample;
	enum call_graph how = r->options->call_graph;

	c->nuser = c->nkernel = 0;
	read_callchain(s, p, how == CALL_GRAPH_FP, c);
	if (how == CALL_GRAPH_LBR)
		read_branches(s, p, c);
	if (how == CALL_GRAPH_DWARF && s->regs_user != NULL) {
		struct unwind_input in = {.process = p, .stack = s->stack, .nstack = s->nstack};

		unwind_registers(in.reg, s->regs_user);
		if (s->regs_abi == PERF_SAMPLE_REGS_ABI_64)
			unwind_user(r, &in, c);
	}
}

static void
take_sample(struct recording *r, const struct perfevent *e)
{
	struct chain chain;
	struct process_thread *t;
	struct process *p;
	uint32_t node;

	if (e->time < r->begin || (int32_t)e->pid < 0) /* -1: it has exited */
		return;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	p = t->process;
	if (!p->asked && p->nmap == 0)
		processes_read(r->processes, p->pid);
	read_chain(r, e, p, &chain);
	node = add_chain(r, t, &chain, e->time);
	r->count.samples++;
	if (r->options->off_cpu) {
		t->blocked = node;
		t->blocked_since = e->time;
	} else {
		stacks_add(r->stacks, node, r->options->weight_period ? e->sample.period : 1);
	}
}

static void
charge(struct recording *r, struct process_thread *t, uint64_t now)
{
	if (t->blocked != 0 && now > t->blocked_since)
		stacks_add(r->stacks, t->blocked, now - t->blocked_since);
}

/*
 * With --off-cpu a sample is taken when a thread leaves its CPU; this record follows
 * it, and another comes when the thread is back. One that was preempted was not
 * blocked: it waited for a CPU.
 */
static void
take_switch(struct recording *r, const struct perfevent *e)
{
	struct process_thread *t;

	if ((int32_t)e->pid <= 0)
		return;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	if (!(e->misc & PERF_RECORD_MISC_SWITCH_OUT)) {
		charge(r, t, e->time);
		t->blocked = 0;
	} else if (e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) {
		t->blocked = 0;
	}
}

void
sampler_charge_blocked(struct recording *r, uint64_t now)
{
	struct process_thread *t = NULL;

	while ((t = processes_next(r->processes, t)) != NULL) {
		charge(r, t, now);
		t->blocked_since = now;
	}
}

struct stacks *
sampler_take_stacks(struct recording *r)
{
	struct stacks *old = r->stacks;
	struct process_thread *t = NULL;

	r->stacks = stacks_new(old->ordered);
	while ((t = processes_next(r->processes, t)) != NULL) {
		t->label = 0;
		if (t->blocked != 0)
			t->blocked = stacks_copy(r->stacks, old, t->blocked);
	}
	return old;
}

void
sampler_stopped(struct recording *r, struct process_thread *t, struct unwind_input *in)
{
	struct chain chain;

	chain.nkernel = 0;
	unwind_user(r, in, &chain);
	stacks_add(r->stacks, add_chain(r, t, &chain, record_now()), 1);
	r->count.samples++;
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
	case PERF_RECORD_LOST_SAMPLES: r->count.lost += e->lost; break;
	case PERF_RECORD_THROTTLE: r->count.throttled++; break;
	default: processes_record(r->processes, e);
	}
}
