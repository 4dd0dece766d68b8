/*
 * take: follows processes, reads stacks, and counts each sample or passes it to the timeline.
 */
#include "trace/take.h"

#include <string.h>

#include "base/cli.h"
#include "trace/heapabi.h"
#include "trace/heapsample.h"
#include "trace/kernelmap.h"
#include "trace/switches.h"

/* Add a sample whose deferred call chain is in e; NULL: it is missing. */
static void
add_deferred(struct recording *r, struct deferred_sample *s, const struct perfevent *e)
{
	struct chain *chain = &r->chain;
	struct process_thread *t;

	chain->n = chain->nkernel = s->n;
	chain->listed = 0;
	if (s->n > 0)
		memcpy(chain->frame, s->frame, s->n * sizeof *s->frame);
	if (e != NULL) {
		t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
		chain_deferred(chain, &e->deferred, t->process);
	} else {
		r->count.undeferred++;
	}
	rawtree_add(
	    r->rawtree, rawtree_chain(r->rawtree, s->task, chain, s->time), s->time, s->weight);
	deferred_remove(&r->deferred, s);
}

static void
take_deferred(struct recording *r, const struct perfevent *e)
{
	struct deferred_sample *s;

	while ((s = deferred_find(&r->deferred, (int)e->tid, e->deferred.cookie)) != NULL)
		add_deferred(r, s, e);
}

static void
defer(struct recording *r, const struct perfevent *e, int tid, uint32_t task, uint64_t weight)
{
	struct deferred_sample *s = deferred_add(&r->deferred, tid, &r->chain);

	s->time = e->time;
	s->weight = weight;
	s->task = task;
	if (r->deferred.n > DEFERRED_MAX)
		add_deferred(r, deferred_oldest(&r->deferred), NULL);
}

/* The node of a stack with the frame of its event. */
static uint32_t
with_frame(struct recording *r, const struct recording_event *ev, uint32_t node, uint64_t time)
{
	return ev == NULL || ev->frame == 0
		   ? node
		   : rawtree_leaf(r->rawtree, node, module_kernel_at(r->modules, ev->frame),
			 ev->frame, time);
}

/* Node of a sample's stack; CHAINCACHE_NONE if a part will arrive later. */
static uint32_t
stack_of(struct recording *r, const struct recording_event *ev, const struct perfevent *e,
    struct process_thread *t, uint64_t weight)
{
	const struct perfevent_sample *s = &e->sample;
	const uint64_t other = PERF_SAMPLE_STACK_USER | PERF_SAMPLE_BRANCH_STACK;
	struct chaincache_slot *known = NULL;
	uint32_t root, node;

	/*
	 * Mappings of living processes may be read again at any sample, so their chains are not
	 * cached.
	 */
	if (!(ev->format.sample_type & other) && s->ncallchain > 0 && !r->processes->live) {
		known = chaincache_at(&r->chains, t->process->stamp + (r->kernel_changes << 40),
		    recording_task(r, t, 0), e->misc & PERF_RECORD_MISC_CPUMODE_MASK, s->callchain,
		    s->ncallchain,
		    unwind_link(r->unwind, s->regs_abi, ev->format.regs_user, s->regs_user));
		if (known->node != CHAINCACHE_NONE)
			return known->node;
	}
	recording_read_chain(r, &ev->format, e, t, true);
	recording_count_chain(r, &r->chain, s->stack_size);
	if (r->heap != NULL)
		heapsample_strip(&r->chain, !r->options.allocator_frames);
	root = recording_stack_task(r, t, 0);
	if (r->chain.deferred) {
		defer(r, e, t->tid, root, weight);
		return CHAINCACHE_NONE;
	}
	node = with_frame(r, ev, rawtree_chain(r->rawtree, root, &r->chain, e->time), e->time);
	if (known != NULL)
		known->node = node;
	return node;
}

/* Add a sample with the given period. */
static void
add_sample(struct recording *r, const struct recording_event *ev, const struct perfevent *e,
    uint64_t period)
{
	uint64_t weight = period != 0 ? period : 1;
	struct process_thread *t;
	uint32_t node;

	if (!recording_includes(r, e->time))
		return;
	if (r->wanted != NULL && !r->wanted(r->arg, (struct recording_event *)ev, e->time, weight))
		return;
	if (r->options.sample_weight != 0)
		weight = r->options.sample_weight;
	r->count.samples++;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	node = stack_of(r, ev, e, t, weight);
	if (node != CHAINCACHE_NONE &&
	    (r->held == NULL || !r->held(r->arg, (int)e->pid, node, e->time, weight)))
		rawtree_add(r->rawtree, node, e->time, weight);
}

/* Read the counter values of a group: their increases are samples of the group's events. */
static void
add_values(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	const uint64_t format = ev->format.read_format, *v = e->sample.read;
	const size_t times = (size_t) !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	const size_t each = (size_t)2 + !!(format & PERF_FORMAT_LOST);
	const uint64_t n = format & PERF_FORMAT_GROUP ? v[0] : 1;
	const uint64_t *at = format & PERF_FORMAT_GROUP ? v + 1 + times : v;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t now = at[0], id = format & PERF_FORMAT_GROUP ? at[1] : at[1 + times];
		const struct recording_event *of = r->event_of_id(r->arg, id);
		uint64_t *last;

		at += each;
		if (of == NULL) {
			r->count.stray++;
			continue;
		}
		/* Stored as the value plus one: an intmap cannot hold 0. */
		last = (uint64_t *)intmap_at(&r->values, id);
		if (*last == 0)
			*last = 1;
		if (now != *last - 1)
			add_sample(r, of, e, now - (*last - 1));
		*last = now + 1 != 0 ? now + 1 : 1;
	}
}

/*
 * A wait for a lock starts. A thread waits for one lock at a time; a second start replaces the
 * first.
 */
static void
begin_wait(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	struct process_thread *t;
	struct recording_wait **at, *w;
	uint32_t node;

	if (!recording_includes(r, e->time))
		return;
	t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
	node = stack_of(r, ev, e, t, 0);
	if (node == CHAINCACHE_NONE)
		return;
	at = (struct recording_wait **)intmap_at(&r->waits, e->tid);
	w = *at != NULL ? *at : (*at = cli_alloc(1, sizeof *w));
	*w = (struct recording_wait){e->time, node};
}

static void
end_wait(struct recording *r, const struct perfevent *e)
{
	struct recording_wait *w = intmap_get(&r->waits, e->tid);

	if (w == NULL || w->time == 0 || !recording_includes(r, e->time))
		return;
	r->count.samples++;
	if (e->time > w->time)
		rawtree_add(r->rawtree, w->node, w->time, e->time - w->time);
	w->time = 0;
}

/* An allocation that was sampled, or the end of such a block. */
static void
take_block(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	struct heap_block b;
	const enum heapsample what = heapsample_read(r->unwind, &r->probes, &ev->format, e, &b);
	struct process_thread *t;

	if (!recording_includes(r, e->time))
		return;
	if (what == HEAPSAMPLE_NONE) {
		r->count.malformed++;
	} else if (what == HEAPSAMPLE_FREED) {
		heap_freed(r->heap, e->pid, b.address, e->time);
	} else if (what == HEAPSAMPLE_RESTORED) {
		heap_restored(r->heap, e->pid, b.address);
	} else {
		r->count.samples++;
		t = processes_thread(r->processes, (int)e->pid, (int)e->tid);
		heap_allocated(r->heap, &b, stack_of(r, ev, e, t, 0));
	}
}

/* The number of events that a sample stands for; 0: not known. */
static uint64_t
period_of(const struct recording_event *ev, const struct perfevent *e)
{
	return ev->format.sample_type & PERF_SAMPLE_PERIOD ? e->sample.period : ev->period;
}

bool
recording_weight(
    const struct recording_event *ev, const struct perfevent *e, bool swapped, uint64_t *weight)
{
	const uint64_t period = period_of(ev, e);

	if (!tracepoint_weight(&ev->weight, e->sample.raw, e->sample.nraw, swapped, weight))
		return false;
	if (ev->scaled && period > 1 && __builtin_mul_overflow(*weight, period, weight))
		*weight = UINT64_MAX;
	return true;
}

/* Add a sample whose weight is a field of its tracepoint. */
static void
add_weighted(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	uint64_t weight;

	if (!recording_weight(ev, e, r->options.swapped, &weight)) {
		r->count.malformed++;
		return;
	}
	if (weight != 0)
		add_sample(r, ev, e, weight);
}

static void
take_sample(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	if (ev->role == RECORDING_IGNORED)
		return;
	if (ev->role == RECORDING_WAIT)
		begin_wait(r, ev, e);
	else if (ev->role == RECORDING_WAITED)
		end_wait(r, e);
	else if (ev->role == RECORDING_HEAP)
		take_block(r, ev, e);
	else if (ev->role != RECORDING_SAMPLES)
		switches_sample(r, ev, e);
	else if (ev->weight.size != 0)
		add_weighted(r, ev, e);
	else if (ev->format.sample_type & PERF_SAMPLE_READ &&
		 ev->format.read_format & PERF_FORMAT_ID && r->event_of_id != NULL)
		add_values(r, ev, e);
	else
		add_sample(r, ev, e, period_of(ev, e));
}

static bool
has_times(const struct recording *r)
{
	return r->options.off_cpu || r->options.wall;
}

static void
take_task(struct recording *r, const struct perfevent *e)
{
	const bool exits = e->type == PERF_RECORD_EXIT;

	if (!exits)
		processes_record(r->processes, e);
	if (has_times(r))
		switches_task(r, e);
	if (exits) /* its comm was needed until now */
		processes_record(r->processes, e);
	if (r->heap != NULL && exits && e->pid == e->tid)
		heap_gone(r->heap, e->pid, false);
	if (r->heap != NULL && e->type == PERF_RECORD_COMM && e->misc & PERF_RECORD_MISC_COMM_EXEC)
		heap_gone(r->heap, e->pid, true);
}

/* --heap: a file is mapped. */
static void
see_library(struct recording *r, const struct perfevent *e)
{
	const struct process *p = processes_find(r->processes, (int)e->pid);
	const struct process_map *m = p != NULL ? maps_from(&p->maps, e->mmap.start) : NULL;
	const struct heapruntime *runtime = m != NULL ? heapruntime_of(m->module) : NULL;

	if (e->mmap.start == HEAPABI_PAGE)
		heap_loaded(r->heap, e->pid);
	if (runtime != NULL)
		heap_has_runtime(r->heap, runtime);
}

void
recording_take(struct recording *r, const struct recording_event *ev, const struct perfevent *e)
{
	switch (e->type) {
	case PERF_RECORD_SAMPLE: take_sample(r, ev, e); break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if ((e->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
			kernelmap_mmap(r, &e->mmap);
		else
			processes_record(r->processes, e);
		if (r->heap != NULL)
			see_library(r, e);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (has_times(r))
			switches_switch(r, e);
		break;
	case PERF_RECORD_KSYMBOL: kernelmap_symbol(r, &e->ksymbol); break;
	case PERF_RECORD_CALLCHAIN_DEFERRED: take_deferred(r, e); break;
	case PERF_RECORD_LOST: r->count.lost += recording_includes(r, e->time) ? e->lost : 0; break;
	case PERF_RECORD_LOST_SAMPLES:
		r->count.lost_samples += recording_includes(r, e->time) ? e->lost : 0;
		break;
	case PERF_RECORD_THROTTLE: r->count.throttled++; break;
	default: take_task(r, e);
	}
}

void
recording_end(struct recording *r)
{
	struct deferred_sample *s;

	while ((s = deferred_oldest(&r->deferred)) != NULL)
		add_deferred(r, s, NULL);
}

void
recording_stopped_block(struct recording *r, const struct perfevent_format *f,
    const struct perfevent *e, const struct process_thread *t)
{
	struct heap_block b;

	switch (heapsample_read(r->unwind, &r->probes, f, e, &b)) {
	case HEAPSAMPLE_ALLOCATED: break;
	case HEAPSAMPLE_RESTORED: heap_restored(r->heap, b.pid, b.address); return;
	default: r->count.malformed++; return;
	}
	heapsample_strip(&r->chain, !r->options.allocator_frames);
	recording_count_chain(r, &r->chain, UINT64_MAX);
	heap_allocated(r->heap, &b,
	    rawtree_chain(r->rawtree, recording_stack_task(r, t, 0), &r->chain, e->time));
}

void
recording_stopped(struct recording *r, const struct recording_event *ev,
    const struct process_thread *t, uint64_t time, uint64_t weight)
{
	const uint32_t task = recording_stack_task(r, t, 0);

	recording_count_chain(r, &r->chain, UINT64_MAX);
	rawtree_add(r->rawtree,
	    with_frame(r, ev, rawtree_chain(r->rawtree, task, &r->chain, time), time), time,
	    weight);
}
