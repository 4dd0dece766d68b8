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
 * Parts of a process that the kernel's clocks do not count: the end of a thread after its events
 * are removed, and switches between threads, of which each fork causes some. By sum_exec_runtime
 * (Linux 6.18) the end of a program takes about eight times the switches of a fork, that of a
 * forked process, whose memory is its parent's, four times. At most UNCOUNTED_MAX ns each.
 */
#define UNCOUNTED_END_EXEC 8
#define UNCOUNTED_END 4
#define UNCOUNTED_FORK 1
#define UNCOUNTED_MAX 60000

/* Preempted threads miss more, in proportion to their time: at most this part of all time. */
#define PREEMPTED_MAX 16

struct shortlived_thread {
	bool ended; /* and `sum` is valid */
	bool executed; /* a program since it was forked */
	uint64_t samples, ns; /* of its program, and reported */
	uint64_t before; /* samples before its execve, with the name of the program that forked */
	size_t sum, sum_before;
};

struct shortlived_sum {
	struct rawtree_task task;
	uint64_t ns, sampled; /* reported, and that of the samples */
	uint64_t all; /* reported of all threads, also of those without missing samples */
	uint64_t uncounted; /* parts that the clocks do not count */
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
	if (sampled > t->ns || t->ns - sampled > t->ns / FEW_MISS) {
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

	t->executed = true;
	if (thread == NULL || t->samples == 0 || t->before > 0)
		return;
	recording_set_task(r, &task, thread);
	t->sum_before = sum_of(s, &task);
	t->before = t->samples;
	t->samples = 0;
}

/* Adds uncounted parts to the program of a thread. True, with its sum, if the thread is known. */
static bool
add_uncounted(
    struct shortlived *s, const struct recording *r, uint32_t tid, uint64_t parts, size_t *sum)
{
	const struct process_thread *thread = processes_find_thread(r->processes, (int)tid);
	struct rawtree_task task;

	if (thread == NULL)
		return false;
	recording_set_task(r, &task, thread);
	*sum = sum_of(s, &task);
	s->sum[*sum].uncounted += parts;
	s->uncounted += parts;
	return true;
}

/* The name of its program is known until r takes the record. */
static void
end(struct shortlived *s, const struct recording *r, const struct perfevent *e,
    struct shortlived_thread *t)
{
	t->ended =
	    add_uncounted(s, r, e->tid, t->executed ? UNCOUNTED_END_EXEC : UNCOUNTED_END, &t->sum);
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
			shortlived_begin(s, e->tid);
			add_uncounted(s, r, e->ptid, UNCOUNTED_FORK, &sum);
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
	case PERF_RECORD_READ:
		s->reported += e->read;
		t->ns += e->read;
		break;
	}
}

/*
 * Gives ns that no record reported to the threads that have ended without a report, by their
 * samples. One always has: that of the first events, which are not inherited. It need not be the
 * command's first thread, since the kernel exchanges the events of threads that follow one another
 * on a CPU (perf_event_context_sched_out).
 */
static void
add_unreported(struct shortlived *s, uint32_t first, uint64_t ns)
{
	struct shortlived_thread *t;
	uint64_t samples = 0;

	for (size_t i = 0; i < s->thread.size; i++)
		if ((t = s->thread.slot[i].value) != NULL && t->ended && t->ns == 0)
			samples += t->samples;
	for (size_t i = 0; samples > 0 && i < s->thread.size; i++)
		if ((t = s->thread.slot[i].value) != NULL && t->ended && t->ns == 0)
			t->ns = (uint64_t)((double)ns * (double)t->samples / (double)samples);
	if (samples == 0 && (t = intmap_get(&s->thread, first)) != NULL)
		t->ns += ns;
}

void
shortlived_end(struct shortlived *s, uint32_t tid, uint64_t counted, uint64_t used)
{
	uint64_t each = 0, rest = 0, all = 0;

	if (counted > s->reported)
		add_unreported(s, tid, counted - s->reported);
	settle_all(s);
	for (size_t i = 0; i < s->n; i++)
		all += s->sum[i].all;
	if (used > counted && s->uncounted > 0)
		each = (used - counted) / s->uncounted;
	if (each > UNCOUNTED_MAX) {
		each = UNCOUNTED_MAX;
		rest = used - counted - each * s->uncounted;
	}
	if (rest > all / PREEMPTED_MAX)
		rest = all / PREEMPTED_MAX;
	for (size_t i = 0; i < s->n; i++)
		s->sum[i].ns +=
		    each * s->sum[i].uncounted +
		    (all > 0 ? (uint64_t)((double)rest * (double)s->sum[i].all / (double)all) : 0);
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
