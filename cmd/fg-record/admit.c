/*
 * take: what others did is left out, and what a BPF program copied of a deep stack goes
 * with the sample that follows it.
 */
#include "fg-record/admit.h"

#include <string.h>

#include "base/vec.h"
#include "fg-record/sampler.h"
#include "fg-record/target.h"

#define DEEPSTACK_MISSES_MAX \
	64 /* samples with deep stacks that lead nowhere, and no more are made */

/* Whether a record is of others than those that were asked for. */
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
		if (sampler_is_waking(t->recording, e))
			return false; /* of whoever wakes one of them */
		break;
	}
	p = processes_find(
	    t->recording->processes, e->type == PERF_RECORD_FORK ? (int)e->ppid : (int)e->pid);
	return p == NULL || !p->wanted;
}

/* A program of its own may have deep stacks again, and so may who gets the process's number. */
static void
take_new_program(struct target *t, const struct perfevent *e)
{
	struct process *p = processes_find(t->recording->processes, (int)e->pid);

	if (p == NULL || p->deep_misses == 0)
		return;
	if (p->deep_misses >= DEEPSTACK_MISSES_MAX)
		deepstack_deny(&t->deep, e->pid, false);
	p->deep_misses = 0;
}

/*
 * A sample after what was copied from above it. Where that leads nowhere time and again
 * it is not worth the copying.
 */
static void
take_deep_sample(struct target *t, const struct perfevent *e, const struct above *a)
{
	struct recording *r = t->recording;
	struct perfevent whole = *e;
	const uint64_t before = r->count.whole;
	struct process *p;

	whole.sample.above = a->bytes;
	whole.sample.above_at = a->at;
	whole.sample.nabove = a->n;
	sampler_record(r, &whole);
	p = processes_find(r->processes, (int)e->pid);
	if (p == NULL)
		return;
	if (r->count.whole > before)
		p->deep_misses = 0;
	else if (e->time >= r->begin && ++p->deep_misses == DEEPSTACK_MISSES_MAX)
		deepstack_deny(&t->deep, e->pid, true);
}

/* Parts of a stack come one after the other, and then its sample; all in one interrupt. */
static bool
take_deep(struct target *t, const struct perfevent *e)
{
	struct above *a = &t->above[t->rings.taking];
	const unsigned char *bytes;
	uint64_t at;
	bool taken;
	size_t n;

	if (deepstack_part(e, &at, &bytes, &n)) {
		if (a->n == 0 || a->tid != e->tid || a->at + a->n != at) {
			a->tid = e->tid;
			a->at = at;
			a->n = 0;
		}
		vec_fit(a->bytes, a->cap, a->n + n);
		memcpy(a->bytes + a->n, bytes, n);
		a->n += n;
		return true;
	}
	taken = a->n > 0 && e->type == PERF_RECORD_SAMPLE && a->tid == e->tid;
	if (taken)
		take_deep_sample(t, e, a);
	a->n = 0; /* whatever else came between: they do not belong together */
	return taken;
}

void
admit_record(void *arg, const struct perfevent *e)
{
	struct target *t = arg;

	if (is_untargeted(t, e))
		return;
	if (t->recording->deep) {
		if ((e->type == PERF_RECORD_COMM && (e->misc & PERF_RECORD_MISC_COMM_EXEC)) ||
		    (e->type == PERF_RECORD_EXIT && e->pid == e->tid))
			take_new_program(t, e);
		if (take_deep(t, e))
			return;
	}
	if (e->type == PERF_RECORD_FORK)
		ids_add(&t->forked, (int)e->tid);
	t->taken += e->type == PERF_RECORD_SWITCH || e->type == PERF_RECORD_SWITCH_CPU_WIDE;
	sampler_record(t->recording, e);
}
