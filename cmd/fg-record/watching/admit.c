/*
 * admit: a list of consumers. They skip records of untargeted processes, join the copies of a deep
 * stack that a BPF program made with the sample that follows them, and pass on the rest.
 */
#include "fg-record/watching/admit.h"

#include <string.h>

#include "base/vec.h"
#include "fg-record/watching/targetdata.h"
#include "fg-record/stopping/stopped.h"
#include "fg-record/watching/tracepointframe.h"
#include "trace/heapsample.h"
#include "trace/take.h"

enum { AFTER_DEEP = 4 }; /* the first consumer of a sample whose stack is joined */

#define WALKER_MISSES_MAX 64 /* consecutive deep copies that did not complete a stack */

/*
 * Returns the event that wrote e. All events share one ring and one format, so that only field
 * values distinguish them.
 */
static const struct recording_event *
event_of(const struct target *t, const struct perfevent *e)
{
	const struct event *ev = t->event;
	const struct recording_event *of;

	if (ev->wakings && e->sample.nraw > sizeof(uint32_t)) /* other events have no raw data */
		return &ev->of_waking;
	if (ev->waited_id != 0 && tracepoints_id(e) == ev->waited_id)
		return &ev->of_waited;
	if (options_timed(t->record->options) && e->sample.period == 1)
		return &ev->of_switch; /* a sample of the clock has a period of thousands of ns */
	if (tracepoints_need_data(&ev->tracepoints) &&
	    (of = tracepointframe_event(&t->event->tracepoints, t->record->recording.modules, e)) !=
		NULL)
		return of;
	if (t->record->options->weight_field != NULL &&
	    (of = tracepoints_event(&ev->tracepoints, e)) != NULL)
		return of;
	return &ev->of_attr;
}

/* Counts a sample that was read, see counted. */
static void
see_tracepoint(struct target *t, const struct perfevent *e)
{
	if (t->counted.n > 0 && e->type == PERF_RECORD_SAMPLE)
		counted_sample(&t->counted, tracepoints_index(&t->event->tracepoints, e));
}

static void offer(struct target *t, int from, const struct perfevent *e);

/*
 * True if e belongs to a process outside the targets, which only a recording of all CPUs can
 * see.
 */
static bool
is_untargeted(const struct target *t, const struct perfevent *e)
{
	const struct process *p;

	if (!t->wide)
		return false;
	switch (e->type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE: return false;
	case PERF_RECORD_SAMPLE:
		if (event_of(t, e)->role == RECORDING_WAKE)
			return false; /* the waker may be any process */
		break;
	}
	p = processes_find(t->record->recording.processes,
	    e->type == PERF_RECORD_FORK ? (int)e->ppid : (int)e->pid);
	return p == NULL || !p->wanted;
}

/*
 * Resets the misses of e's process, which has a new program or has ended, so that its pid may
 * return.
 */
static void
take_new_program(struct target *t, const struct perfevent *e)
{
	struct process *p = processes_find(t->record->recording.processes, (int)e->pid);

	if (p == NULL || p->deep_misses == 0)
		return;
	if (p->deep_misses >= WALKER_MISSES_MAX)
		walker_deny(&t->walker, e->pid, false);
	p->deep_misses = 0;
}

/*
 * Joins the copy of a sample with the first part above it, if nothing is missing between them: then
 * whatever reads the copy needs not know of the parts.
 */
static void
extend_copy(const struct target *t, struct above *a, struct perfevent_sample *s)
{
	const struct unwind *u = t->record->recording.unwind;
	const struct stack_part *first = &a->part[0];
	struct unwind_input in;
	uint64_t sp, end, from;

	if (!unwind_registers(u, &in, s->regs_abi, t->rings.format.regs_user, s->regs_user))
		return;
	sp = unwind_stack_pointer(u, &in);
	end = sp + s->nstack;
	from = first->at > sp ? first->at : sp; /* a part begins with a page */
	if (from > end || first->at + first->n <= end ||
	    memcmp(s->stack + (from - sp), first->bytes + (from - first->at), end - from) != 0)
		return;
	vec_fit(a->joined, a->cap_joined, s->nstack + first->n);
	memcpy(a->joined, s->stack, s->nstack);
	memcpy(a->joined + s->nstack, first->bytes + (end - first->at), first->at + first->n - end);
	s->nstack += first->at + first->n - end;
	s->stack_size = s->nstack;
	s->stack = a->joined;
	s->above = a->n > 1 ? first + 1 : NULL;
	s->nabove = a->n - 1;
}

/* Stacks whose native frames were read to their end. */
static uint64_t
read_whole(const struct recording_count *c)
{
	return c->stack[CHAIN_COMPLETE] + c->stack[CHAIN_UNREAD] + c->stack[CHAIN_LIMITED];
}

/*
 * Adds the sample e with a, the stack above its copy, and copies by a recipe. Switches deep copies
 * off for a process after WALKER_MISSES_MAX samples in a row that they did not complete.
 */
static void
take_deep_sample(
    struct target *t, const struct perfevent *e, struct above *a, const struct copies *copies)
{
	struct record *r = t->record;
	struct perfevent whole = *e;
	const uint64_t before = read_whole(&r->recording.count);
	const unsigned char *bytes = a->bytes;
	struct process *p;

	for (size_t i = 0; i < a->n; i++) {
		a->part[i].bytes = bytes;
		bytes += a->part[i].n;
	}
	whole.sample.above = a->part;
	whole.sample.nabove = a->n;
	whole.sample.copies = copies;
	if (a->n == 0) {
		offer(t, AFTER_DEEP, &whole);
		return;
	}
	extend_copy(t, a, &whole.sample);
	offer(t, AFTER_DEEP, &whole);
	p = processes_find(r->recording.processes, (int)e->pid);
	if (p == NULL)
		return;
	if (read_whole(&r->recording.count) > before)
		p->deep_misses = 0;
	else if (e->time >= r->recording.begin && ++p->deep_misses == WALKER_MISSES_MAX)
		walker_deny(&t->walker, e->pid, true);
}

/* Adds a part of a deep stack, of n bytes of thread tid from `at` on. */
static void
take_part(struct above *a, uint32_t tid, uint64_t at, const unsigned char *bytes, size_t n)
{
	const struct stack_part *last = a->n > 0 ? &a->part[a->n - 1] : NULL;

	if (last != NULL && (a->tid != tid || at < last->at + last->n))
		a->n = 0;
	if (a->n == 0)
		a->nbytes = 0;
	if (a->n > 0 && a->part[a->n - 1].at + a->part[a->n - 1].n == at) {
		a->part[a->n - 1].n += n;
	} else {
		vec_fit(a->part, a->cap, a->n + 1);
		a->part[a->n++] = (struct stack_part){at, NULL, n};
	}
	vec_fit(a->bytes, a->cap_bytes, a->nbytes + n);
	memcpy(a->bytes + a->nbytes, bytes, n);
	a->nbytes += n;
	a->tid = tid;
}

/* Part of the samples from which on they are lost: a machine that is busy delays interrupts. */
#define OVERRUN_FEW 64
#define OUTPUT_NS 20000 /* that the kernel takes for the sample itself, about */

/*
 * Counts as lost the samples after e for which the BPF program left no time: the timer of a clock
 * has no interrupts while one is handled.
 */
static void
count_overrun(struct target *t, struct above *a, const struct perfevent *e)
{
	struct record *r = t->record;

	if (a->ns == 0)
		return;
	if (a->time_tid == e->tid && e->type == PERF_RECORD_SAMPLE && t->event->period != 0 &&
	    strcmp(t->event->unit, "ns") == 0 && event_of(t, e)->role == RECORDING_SAMPLES &&
	    recording_includes(&r->recording, e->time)) {
		r->overrun += (a->ns + OUTPUT_NS) / t->event->period;
		if (r->overrun > (r->recording.count.samples + OVERRUN_FEW) / OVERRUN_FEW) {
			r->recording.count.lost_samples += r->overrun - r->overrun_lost;
			r->overrun_lost = r->overrun;
		}
	}
	a->ns = 0;
}

/*
 * Collects the parts of a deep stack and adds them to the sample that follows; one interrupt
 * writes all of them. True if it consumed e.
 */
static bool
take_deep_stack(struct target *t, const struct perfevent *e)
{
	struct above *a = &t->above[t->rings.taking];
	const unsigned char *bytes;
	uint64_t at;
	const struct copies *copies;
	struct walk_head head;
	bool taken;
	size_t n;

	if (walker_copies(e, &head, &bytes, &n)) {
		copies_add(&a->copies, e->tid, &head, bytes, n);
		return true;
	}
	if (walker_part(e, &at, &bytes, &n)) {
		take_part(a, e->tid, at, bytes, n);
		return true;
	}
	if (walker_time(e, &a->ns)) {
		a->time_tid = e->tid;
		return true;
	}
	count_overrun(t, a, e);
	copies = copies_end(&a->copies, e->tid);
	if (a->tid != e->tid)
		a->n = 0;
	taken = (a->n > 0 || copies != NULL) && e->type == PERF_RECORD_SAMPLE;
	if (taken)
		take_deep_sample(t, e, a, copies);
	a->n = 0; /* parts before another record do not belong to a later sample */
	return taken;
}

#define DEEP_MAX                                                                        \
	(UINT64_C(1) << 20) /* bytes above the copy that the BPF program copies at most \
			     */

void
admit_truncated(void *arg, const struct perfevent_format *f, const struct perfevent *e,
    const struct process_thread *thread)
{
	struct target *t = arg;
	const struct perfevent_sample *s = &e->sample;
	const struct unwind *u = t->record->recording.unwind;
	struct unwind_input in;
	uint64_t sp, end;

	if (!unwind_registers(u, &in, s->regs_abi, f->regs_user, s->regs_user))
		return;
	sp = unwind_stack_pointer(u, &in);
	end = sp + s->stack_size;
	if (s->nstack < s->stack_size)
		touch_stack(&t->touch, thread->process->pid, thread->tid, sp, sp + s->nstack,
		    t->record->deep ? end + DEEP_MAX : end);
	else if (t->record->deep)
		touch_stack(&t->touch, thread->process->pid, thread->tid, sp, end, end + DEEP_MAX);
}

/* Samples of threads that can be stopped by now. */
static bool
take_stopped(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	stopped_take(t->record, e->time);
	return false;
}

static bool
skip_untargeted(void *arg, const struct perfevent *e)
{
	const bool skipped = is_untargeted(arg, e);

	if (skipped)
		see_tracepoint(arg, e);
	return skipped;
}

bool
admit_early(void *arg, int pid, uint32_t node, uint64_t time, uint64_t weight)
{
	struct target *t = arg;

	return early_hold(&t->early, t->record->recording.rawtree, pid, node, time, weight);
}

/*
 * A program writes such a sample itself: it can claim to be another process. No process is read
 * that no record has reported.
 */
static bool
skip_claimed(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (t->record->options->heap_shared == NULL || e->type != PERF_RECORD_SAMPLE ||
	    processes_find(t->record->recording.processes, (int)e->pid) != NULL)
		return false;
	t->rings.malformed++;
	return true;
}

static bool
take_deep(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (!t->record->deep)
		return false;
	if ((e->type == PERF_RECORD_COMM && (e->misc & PERF_RECORD_MISC_COMM_EXEC)) ||
	    (e->type == PERF_RECORD_EXIT && e->pid == e->tid))
		take_new_program(t, e);
	return take_deep_stack(t, e);
}

static bool
see_task(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (e->type == PERF_RECORD_FORK)
		ids_add(&t->forked, (int)e->tid);
	t->copy.switches += e->type == PERF_RECORD_SWITCH || e->type == PERF_RECORD_SWITCH_CPU_WIDE;
	if (e->type == PERF_RECORD_SAMPLE) {
		t->copy.copied += e->sample.nstack;
		for (size_t i = 0; i < e->sample.nabove; i++)
			t->copy.copied += e->sample.above[i].n;
	}
	return false;
}

/* Records of .NET's runtime. */
static bool
see_runtime(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (t->dotnet != NULL)
		dotnet_see(t->dotnet, e);
	return false;
}

static bool
find_event(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	t->admitting = event_of(t, e);
	return false;
}

/* True for samples whose threads may be stopped to read the stack. */
static bool
has_stack(
    const struct recording_event *ev, const struct heapprobes *probes, const struct perfevent *e)
{
	return ev->role == RECORDING_SAMPLES || ev->role == RECORDING_CLOCK ||
	       (ev->role == RECORDING_HEAP && heapsample_has_stack(probes, e));
}

/* A sample of a thread that is sampled at stops. */
static bool
skip_scripts(void *arg, const struct perfevent *e)
{
	struct target *t = arg;
	const bool scripted =
	    t->scripts != NULL && e->type == PERF_RECORD_SAMPLE && (int32_t)e->pid > 0;
	const bool skipped = scripted && has_stack(t->admitting, &t->record->recording.probes, e) &&
			     scripts_take(t->scripts, e);

	if (scripted && t->admitting->role == RECORDING_LEAVES)
		scripts_follow(t->scripts, e);
	shortlived_see(&t->shortlived, &t->record->recording, t->admitting, e);
	early_see(&t->early, t->record->recording.rawtree, e);
	if (t->shortlived.period != 0)
		charged_see(&t->charged, e, shortlived_knows(&t->shortlived, e->ppid));
	takeover_see(&t->takeover, e, skipped);
	return skipped;
}

static bool
count_tracepoint(void *arg, const struct perfevent *e)
{
	see_tracepoint(arg, e);
	return false;
}

/* Adds a sample with a stack copy, and counts what its stack needed. */
static bool
take_copy(void *arg, const struct perfevent *e)
{
	struct target *t = arg;
	struct record *r = t->record;
	const struct recording_count *c = &r->recording.count, before = *c;

	if (e->type != PERF_RECORD_SAMPLE || e->sample.stack_size == 0)
		return false;
	recording_take(&r->recording, t->admitting, e);
	if (c->stack[CHAIN_COMPLETE] > before.stack[CHAIN_COMPLETE])
		copysize_needs(&t->copy, unwind_needed(r->recording.unwind));
	else if (recording_stacks(c, CHAIN_DEEPER, CHAIN_REDUCED) >
		 recording_stacks(&before, CHAIN_DEEPER, CHAIN_REDUCED))
		copysize_needs(&t->copy, e->sample.stack_size + 1);
	if (c->stack[CHAIN_REDUCED] > before.stack[CHAIN_REDUCED])
		r->reduced_to = e->sample.stack_size;
	return true;
}

static bool
take_other(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	recording_take(&t->record->recording, t->admitting, e);
	return false;
}

static bool
see_loss(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (e->type == PERF_RECORD_LOST)
		__atomic_store_n(&t->lost, t->record->recording.count.lost, __ATOMIC_RELAXED);
	return false;
}

/*
 * The consumers of a record, in this order. One that returns true has consumed it: those after it
 * do not get it. arg: the struct target.
 */
static bool (*const consumer[])(void *arg, const struct perfevent *e) = {
    take_stopped,
    skip_untargeted,
    skip_claimed,
    take_deep,
    [AFTER_DEEP] = see_task,
    see_runtime,
    find_event,
    skip_scripts,
    count_tracepoint,
    take_copy,
    take_other,
    see_loss,
};

/* Passes a record to the consumers from that one on. */
static void
offer(struct target *t, int from, const struct perfevent *e)
{
	for (size_t i = (size_t)from; i < sizeof consumer / sizeof *consumer; i++)
		if (consumer[i](t, e))
			return;
}

void
admit_record(void *arg, const struct perfevent *e)
{
	offer(arg, 0, e);
}
