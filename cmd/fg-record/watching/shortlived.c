/*
 * shortlived: adds up reported times and samples by task. The report of a thread's time, one for
 * each of its events, follows the record of its end.
 */
#include "fg-record/watching/shortlived.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

#define FEW 32 /* samples of a thread from which half a period is nothing */

struct shortlived_thread {
	bool ended; /* and `sum` is valid */
	uint64_t samples;
	size_t sum;
};

struct shortlived_sum {
	struct rawtree_task task;
	uint64_t ns, sampled; /* reported, and that of the samples */
};

static size_t
sum_of(struct shortlived *s, const struct rawtree_task *task)
{
	size_t i = 0;

	while (i < s->n && memcmp(&s->sum[i].task, task, sizeof *task) != 0)
		i++;
	if (i == s->n) {
		vec_fit(s->sum, s->cap, s->n + 1);
		s->sum[s->n++] = (struct shortlived_sum){.task = *task};
	}
	return i;
}

static void
begin(struct shortlived *s, uint32_t tid)
{
	void **slot = intmap_at(&s->thread, tid);

	if (*slot == NULL)
		*slot = cli_alloc(1, sizeof(struct shortlived_thread));
	memset(*slot, 0, sizeof(struct shortlived_thread));
}

/* The name of its program is known until r takes the record. */
static void
end(struct shortlived *s, const struct recording *r, const struct perfevent *e,
    struct shortlived_thread *t)
{
	const struct process_thread *thread = processes_find_thread(r->processes, (int)e->tid);
	struct rawtree_task task;

	if (thread == NULL || t->samples >= FEW)
		return;
	recording_set_task(r, &task, thread);
	t->sum = sum_of(s, &task);
	t->ended = true;
	s->sum[t->sum].sampled += t->samples * s->period;
}

void
shortlived_see(struct shortlived *s, const struct recording *r, const struct recording_event *of,
    const struct perfevent *e)
{
	struct shortlived_thread *t;

	if (s->period == 0)
		return;
	if (e->type == PERF_RECORD_FORK) {
		if (recording_includes(r, e->time))
			begin(s, e->tid);
		return;
	}
	t = intmap_get(&s->thread, e->tid);
	if (t == NULL || !recording_includes(r, e->time))
		return;
	switch (e->type) {
	case PERF_RECORD_SAMPLE: t->samples += of->role == RECORDING_SAMPLES; break;
	case PERF_RECORD_EXIT: end(s, r, e, t); break;
	case PERF_RECORD_READ:
		if (t->ended)
			s->sum[t->sum].ns += e->read;
		break;
	}
}

void
shortlived_add(struct shortlived *s, struct recording *r, uint64_t time)
{
	for (size_t i = 0; i < s->n; i++) {
		struct shortlived_sum *sum = &s->sum[i];
		const uint64_t rest = sum->ns > sum->sampled ? sum->ns - sum->sampled : 0;
		const uint64_t samples = rest / s->period;
		uint32_t node;

		if (samples == 0)
			continue;
		node = rawtree_leaf(r->rawtree, rawtree_task(r->rawtree, &sum->task),
		    module_note(r->modules, "[unsampled]"), 0, time);
		rawtree_add(r->rawtree, node, time,
		    r->options.sample_weight != 0 ? samples * r->options.sample_weight
						  : samples * s->period);
		sum->ns -= samples * s->period;
		s->unsampled += samples * s->period;
		s->samples += samples;
	}
}

void
shortlived_free(struct shortlived *s)
{
	for (size_t i = 0; i < s->thread.size; i++)
		free(s->thread.slot[i].value);
	free(s->thread.slot);
	free(s->sum);
	*s = (struct shortlived){0};
}
