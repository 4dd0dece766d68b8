/*
 * sampler: records in; processes followed, stacks read, and each added to the places
 * of the recording.
 */
#include "sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/cli.h"
#include "code/cfi.h"
#include "proc.h"
#include "trace/chain.h"

/* What the root of a thread's stacks says of it, and nothing more that would part them. */
static uint32_t
task_of(const struct recording *r, const struct process_thread *t)
{
	const struct sample_options *o = &r->options->sample;
	struct places_task task = {0};

	if (o->pid || o->tid)
		task.pid = t->process->pid;
	if (o->tid)
		task.tid = t->tid;
	strlcpy(task.comm, t->comm, sizeof task.comm);
	return places_task(r->places, &task);
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

static bool
has_generated(const struct chain *c)
{
	for (size_t i = c->nkernel; i < c->n; i++)
		if (c->frame[i].module != NULL && c->frame[i].module->kind == MODULE_JIT)
			return true;
	return false;
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
	if (!c->unwound || c->end == UNWIND_WHOLE)
		r->count.whole++; /* of frame pointers nobody knows better */
	else if (has_generated(c))
		r->count.generated++;
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
	if (!p->asked && p->maps.root == NULL)
		processes_read(r->processes, p->pid);
	chain_read(&chain, r->unwind, &r->format, e, p);
	if (chain.astray && processes_reread(r->processes, p, e->time))
		chain_read(&chain, r->unwind, &r->format, e, p);
	count_chain(r, &chain);
	node = places_chain(r->places, task_of(r, t), &chain, e->time);
	r->count.samples++;
	if (r->options->off_cpu)
		sleepers_begin(&r->sleepers, t->tid, node, e->time);
	else
		places_add(
		    r->places, node, e->time, r->options->weight_period ? e->sample.period : 1);
}

/*
 * With --off-cpu a sample is taken when a thread leaves its CPU; this record follows
 * it, and another comes when the thread is back. One that was preempted was not
 * blocked: it waited for a CPU.
 */
static void
take_switch(struct recording *r, const struct perfevent *e)
{
	if ((int32_t)e->pid <= 0)
		return;
	if (!(e->misc & PERF_RECORD_MISC_SWITCH_OUT))
		sleepers_end(&r->sleepers, (int)e->tid, e->time, r->places);
	else if (e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		sleepers_forget(&r->sleepers, (int)e->tid);
}

struct places *
sampler_take_places(struct recording *r)
{
	struct places *old = r->places;

	r->places = places_new(old->ordered, old->step);
	sleepers_move(&r->sleepers, old, r->places);
	return old;
}

void
sampler_stopped(struct recording *r, struct process_thread *t, struct unwind_input *in)
{
	struct chain chain;
	uint64_t now = record_now();

	chain_unwind(&chain, r->unwind, in);
	count_chain(r, &chain);
	places_add(r->places, places_chain(r->places, task_of(r, t), &chain, now), now,
	    r->options->weight_period ? r->period : 1);
	r->count.samples++;
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

void
sampler_asleep(struct recording *r, int pid, int tid)
{
	struct unwind_input in = {0}, again;
	struct iovec here, there;
	struct process_thread *t;
	struct chain chain;
	unsigned char *stack;
	ssize_t n;

	if (proc_state(tid) == 'R' || !sleeping_registers(tid, in.reg))
		return;
	stack = cli_alloc(r->options->stack_size, 1);
	here = (struct iovec){stack, r->options->stack_size};
	there = (struct iovec){(void *)(uintptr_t)in.reg[CFI_SP], r->options->stack_size};
	n = process_vm_readv(tid, &here, 1, &there, 1, 0);
	t = processes_thread(r->processes, pid, tid);
	in.process = t->process;
	in.stack = stack;
	in.nstack = n > 0 ? (size_t)n : 0;
	chain_unwind(&chain, r->unwind, &in);
	if (n > 0 && proc_state(tid) != 'R' && sleeping_registers(tid, again.reg) &&
	    memcmp(in.reg, again.reg, sizeof in.reg) == 0) {
		count_chain(r, &chain);
		r->count.samples++;
		sleepers_found(&r->sleepers, tid,
		    places_chain(r->places, task_of(r, t), &chain, r->begin), r->begin,
		    record_now());
	}
	free(stack);
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
	case PERF_RECORD_EXIT:
		if (r->options->off_cpu)
			sleepers_exit(&r->sleepers, (int)e->tid);
		processes_record(r->processes, e);
		break;
	case PERF_RECORD_FORK: sleepers_fork(&r->sleepers, (int)e->tid); /* FALLTHROUGH */
	default: processes_record(r->processes, e);
	}
}
