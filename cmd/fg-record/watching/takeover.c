/*
 * takeover: counts skipped samples, and reads the CPU clocks of the other processes.
 */
#include "fg-record/watching/takeover.h"

#include "base/clock.h"
#include "fg-record/asking/proc.h"

#define ROW_FIRST 16 /* skipped samples in a row before the first takeover */
#define ROW_AGAIN 8 /* the same after a pause of the threads */
#define ROW_GROWTH 4 /* times, when another process had appeared */
#define ROW_MAX (UINT64_C(1) << 32)
#define PAUSE UINT64_C(50000000) /* ns without a stop: the events cost nothing then */

void
takeover_open(struct takeover *t, struct scripts *s, struct copysize *c)
{
	const struct options *o = s->record->options;

	if (c->levels > 0 && !o->all && !o->every && o->cgroup == NULL && o->tids.n == 0)
		*t = (struct takeover){.scripts = s, .copy = c, .needed = ROW_FIRST};
}

/* CPU time in ns; 0 when it cannot be read, as that of an ended process. */
static uint64_t
ran(const struct takeover_other *o)
{
	return o->tid != 0 ? proc_ran(o->tid) : clock_ns(o->clock);
}

/* Lists the processes and threads that scripts does not sample; false if they are too many. */
static bool
list_others(struct takeover *t)
{
	struct processes *ps = t->scripts->record->recording.processes;
	int tid[TAKEOVER_OTHERS];

	t->nother = scripts_unsampled(t->scripts, tid, TAKEOVER_OTHERS);
	if (t->nother > TAKEOVER_OTHERS)
		return false;
	for (size_t i = 0; i < t->nother; i++)
		t->other[i] = (struct takeover_other){.tid = tid[i]};
	for (struct process *p = NULL; (p = processes_next(ps, p)) != NULL;) {
		struct takeover_other o = {0};

		if (scripts_covers(t->scripts, p->pid) ||
		    clock_getcpuclockid(p->pid, &o.clock) != 0 || ran(&o) == 0)
			continue;
		if (t->nother == TAKEOVER_OTHERS)
			return false;
		t->other[t->nother++] = o;
	}
	for (size_t i = 0; i < t->nother; i++)
		t->other[i].ran = ran(&t->other[i]);
	return true;
}

/* True if one of the others has run since they were listed. */
static bool
others_ran(const struct takeover *t)
{
	for (size_t i = 0; i < t->nother; i++) {
		const uint64_t now = ran(&t->other[i]);

		if (now != 0 && now != t->other[i].ran)
			return true;
	}
	return false;
}

/* True if a new thread is not sampled: it blocks the signals, or has no event. */
static bool
has_new_thread(const struct takeover *t)
{
	int tid[TAKEOVER_OTHERS];
	const size_t n = scripts_unsampled(t->scripts, tid, TAKEOVER_OTHERS);

	for (size_t i = 0; i < n && i < TAKEOVER_OTHERS; i++) {
		size_t k = 0;

		while (k < t->nother && t->other[k].tid != tid[i])
			k++;
		if (k == t->nother)
			return true;
	}
	return n > TAKEOVER_OTHERS;
}

static void
end(struct takeover *t, bool by_other)
{
	copysize_pause(t->copy, false);
	t->active = false;
	t->returns = !by_other;
	t->row = 0;
	if (by_other && t->needed < ROW_MAX)
		t->needed *= ROW_GROWTH;
}

void
takeover_see(struct takeover *t, const struct perfevent *e, bool skipped)
{
	if (t->scripts == NULL)
		return;
	if (e->type == PERF_RECORD_SAMPLE && !t->active) {
		t->returns &= skipped;
		t->row = skipped ? t->row + 1 : 0;
	}
	/* Of a new thread, scripts learns from ptrace; of a process, from its first sample. */
	if (e->type == PERF_RECORD_FORK && t->active && e->pid != e->ppid)
		end(t, true);
}

void
takeover_step(struct takeover *t)
{
	struct scripts *s = t->scripts;

	if (s == NULL)
		return;
	if (t->active) {
		if (others_ran(t) || has_new_thread(t))
			end(t, true);
		else if (record_now() - s->sampled > PAUSE)
			end(t, false);
		return;
	}
	if (t->row < (t->returns ? ROW_AGAIN : t->needed))
		return;
	t->row = 0;
	if (!list_others(t))
		return;
	copysize_pause(t->copy, true);
	t->active = true;
}
