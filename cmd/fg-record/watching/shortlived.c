/*
 * shortlived: adds up reported times and samples by task. The report of a thread's time, one for
 * each of its events, follows the record of its end.
 */
#include "fg-record/watching/shortlived.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

#define FEW_MISS 64 /* a thread whose samples miss less than this part of its time is complete */

/*
 * Uncounted CPU time: the end of a thread after its events are removed, and switches between
 * threads, of which each fork causes some. The end of a process unmaps its memory, whose size is in
 * no record. Short processes of compilers and scripts have more memory the longer they run: by
 * sum_exec_runtime (Linux 6.18), time in proportion to their own is within 6 % of it. These ns are
 * scaled to the sum that the kernel has charged, at most SCALE_MAX times.
 */
#define END_NS 65000
#define END_PART 12 /* of the time of a process, and at most this time: */
#define END_LONG 50000000
#define FORK_NS 16000
#define SCALE_MAX 4

/* Preempted threads miss more, in proportion to their time: at most this part of all time. */
#define PREEMPTED_MAX 16

struct shortlived_thread {
	bool ended; /* and `sum` is valid */
	bool forked; /* others, so that its samples miss a part of a period each time */
	uint64_t samples, ns; /* of its program, and reported */
	uint64_t before; /* samples before its execve, with the name of the program that forked */
	size_t sum, sum_before;
};

struct shortlived_sum {
	struct rawtree_task task;
	uint64_t ns, sampled; /* reported, and that of the samples */
	uint64_t all; /* reported of all threads, also of those without missing samples */
	uint64_t expected; /* ns that the clocks do not count, before scaling */
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

/* Adds the time of a thread that has ended to its program. */
static void
settle(struct shortlived *s, struct shortlived_thread *t)
{
	const uint64_t sampled = t->samples * s->period;

	if (!t->ended || t->ns == 0)
		return;
	if (t->before > 0)
		s->sum[t->sum_before].sampled += t->before * s->period;
	s->sum[t->sum].all += t->ns;
	if (t->forked || sampled > t->ns || t->ns - sampled > t->ns / FEW_MISS) {
		s->sum[t->sum].ns += t->ns;
		s->sum[t->sum].sampled += sampled;
	}
	*t = (struct shortlived_thread){0};
}

static void
settle_all(struct shortlived *s)
{
	for (size_t i = 0; i < s->thread.size; i++)
		if (s->thread.slot[i].value != NULL)
			settle(s, s->thread.slot[i].value);
}

void
shortlived_begin(struct shortlived *s, uint32_t tid)
{
	void **slot = intmap_at(&s->thread, tid);

	if (*slot == NULL)
		*slot = cli_alloc(1, sizeof(struct shortlived_thread));
	settle(s, *slot);
	memset(*slot, 0, sizeof(struct shortlived_thread));
}

bool
shortlived_knows(const struct shortlived *s, uint32_t tid)
{
	return intmap_get(&s->thread, tid) != NULL;
}

/*
 * The thread runs another program from now on. Its samples so far have the name of the program
 * that forked, and its time will have the new name.
 */
static void
replace(struct shortlived *s, const struct recording *r, const struct perfevent *e,
    struct shortlived_thread *t)
{
	const struct process_thread *thread = processes_find_thread(r->processes, (int)e->tid);
	struct rawtree_task task;

	if (thread == NULL || t->samples == 0 || t->before > 0)
		return;
	recording_set_task(r, &task, thread);
	t->sum_before = sum_of(s, &task);
	t->before = t->samples;
	t->samples = 0;
}

static void
expect(struct shortlived *s, size_t sum, uint64_t ns)
{
	s->sum[sum].expected += ns;
	s->expected += ns;
}

/* Expects uncounted ns of a thread's program. True, with its sum, if the thread is known. */
static bool
expect_of(struct shortlived *s, const struct recording *r, uint32_t tid, uint64_t ns, size_t *sum)
{
	const struct process_thread *thread = processes_find_thread(r->processes, (int)tid);
	struct rawtree_task task;

	if (thread == NULL)
		return false;
	recording_set_task(r, &task, thread);
	*sum = sum_of(s, &task);
	expect(s, *sum, ns);
	return true;
}

/* The name of its program is known until r takes the record. */
static void
end(struct shortlived *s, const struct recording *r, const struct perfevent *e,
    struct shortlived_thread *t)
{
	t->ended = expect_of(s, r, e->tid, END_NS, &t->sum);
}

static uint64_t
end_part(uint64_t ns)
{
	return (ns < END_LONG ? ns : END_LONG) / END_PART;
}

/* The time of a thread that has ended. The one with the process's number stands for the memory. */
static void
report(struct shortlived *s, const struct perfevent *e, struct shortlived_thread *t)
{
	s->reported += e->read;
	if (t->ended && e->pid == e->tid)
		expect(s, t->sum, end_part(t->ns + e->read) - end_part(t->ns));
	t->ns += e->read;
}

void
shortlived_see(struct shortlived *s, const struct recording *r, const struct recording_event *of,
    const struct perfevent *e)
{
	struct shortlived_thread *t;
	size_t sum;

	if (s->period == 0)
		return;
	if (e->type == PERF_RECORD_FORK) {
		if (recording_includes(r, e->time)) {
			if ((t = intmap_get(&s->thread, e->ptid)) != NULL)
				t->forked = true;
			shortlived_begin(s, e->tid);
			expect_of(s, r, e->ptid, FORK_NS, &sum);
		}
		return;
	}
	t = intmap_get(&s->thread, e->tid);
	if (t == NULL || !recording_includes(r, e->time))
		return;
	switch (e->type) {
	case PERF_RECORD_SAMPLE: t->samples += of->role == RECORDING_SAMPLES; break;
	case PERF_RECORD_COMM:
		if ((e->misc & PERF_RECORD_MISC_COMM_EXEC) != 0)
			replace(s, r, e, t);
		break;
	case PERF_RECORD_EXIT: end(s, r, e, t); break;
	case PERF_RECORD_READ: report(s, e, t); break;
	}
}

/* True for a thread that has ended or runs on, and whose time has no report. */
static bool
is_unreported(struct shortlived *s, const struct recording *r, const struct intmap_slot *slot)
{
	struct shortlived_thread *t = slot->value;

	if (t != NULL && !t->ended && t->ns == 0)
		t->ended = expect_of(s, r, (uint32_t)slot->key, 0, &t->sum);
	return t != NULL && t->ended && t->ns == 0;
}

/*
 * Divides ns without a report among the threads without a report, by their samples. Threads that
 * run on have no report, nor have threads with the first events, which are not inherited. Such a
 * thread need not be the command's first one: the kernel exchanges the events of threads that
 * follow one another on a CPU (perf_event_context_sched_out), with their part of a period.
 */
static void
add_unreported(struct shortlived *s, const struct recording *r, uint64_t ns)
{
	double samples = 0, threads = 0;

	for (size_t i = 0; i < s->thread.size; i++)
		if (is_unreported(s, r, &s->thread.slot[i])) {
			const struct shortlived_thread *t = s->thread.slot[i].value;

			samples += (double)t->samples;
			threads++;
		}
	for (size_t i = 0; i < s->thread.size; i++)
		if (is_unreported(s, r, &s->thread.slot[i])) {
			struct shortlived_thread *t = s->thread.slot[i].value;

			t->ns = (uint64_t)((double)ns * (samples > 0 ? (double)t->samples / samples
								     : 1 / threads));
		}
}

void
shortlived_charge(struct shortlived *s, double scale)
{
	if (scale > SCALE_MAX)
		scale = SCALE_MAX;
	for (size_t i = 0; i < s->n; i++) {
		s->sum[i].ns += (uint64_t)((double)s->sum[i].expected * scale);
		s->sum[i].expected = 0;
	}
}

void
shortlived_end(struct shortlived *s, const struct recording *r, uint64_t counted, uint64_t used)
{
	double scale = 0, rest = 0, all = 0;

	if (counted > s->reported && s->expected > 0)
		add_unreported(s, r, counted - s->reported);
	settle_all(s);
	for (size_t i = 0; i < s->n; i++)
		all += (double)s->sum[i].all;
	if (used > counted && s->expected > 0)
		scale = (double)(used - counted) / (double)s->expected;
	if (scale > SCALE_MAX)
		rest = (scale - SCALE_MAX) * (double)s->expected;
	if (rest > all / PREEMPTED_MAX)
		rest = all / PREEMPTED_MAX;
	shortlived_charge(s, scale);
	for (size_t i = 0; i < s->n && rest > 0; i++)
		s->sum[i].ns += (uint64_t)(rest * (double)s->sum[i].all / all);
	s->rounds = true;
}

/*
 * A program that forked may have more samples of its children than it lacks of its own time. The
 * surplus is subtracted from the time that the other programs lack: the sum is the time of all.
 */
static void
subtract_surplus(struct shortlived *s)
{
	double missing = 0, surplus = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct shortlived_sum *sum = &s->sum[i];

		if (sum->ns > sum->sampled)
			missing += (double)(sum->ns - sum->sampled);
		else
			surplus += (double)(sum->sampled - sum->ns);
	}
	for (size_t i = 0; surplus > 0 && i < s->n; i++) {
		struct shortlived_sum *sum = &s->sum[i];

		if (sum->ns > sum->sampled)
			sum->sampled +=
			    surplus >= missing
				? sum->ns - sum->sampled
				: (uint64_t)((double)(sum->ns - sum->sampled) * surplus / missing);
	}
}

void
shortlived_add(struct shortlived *s, struct recording *r, uint64_t time)
{
	settle_all(s);
	if (s->rounds)
		subtract_surplus(s);
	for (size_t i = 0; i < s->n; i++) {
		struct shortlived_sum *sum = &s->sum[i];
		const uint64_t rest = sum->ns > sum->sampled ? sum->ns - sum->sampled : 0;
		const uint64_t samples = (rest + (s->rounds ? s->period / 2 : 0)) / s->period;
		struct rawtree_task task = sum->task;
		uint32_t node;

		if (samples == 0)
			continue;
		if (r->script != NULL)
			task.label =
			    rawtree_label(r->rawtree, script_comm_label(r->script, task.comm));
		node = rawtree_leaf(r->rawtree, rawtree_task(r->rawtree, &task),
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
	intmap_free_values(&s->thread);
	free(s->sum);
	*s = (struct shortlived){0};
}
