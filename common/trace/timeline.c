/* timeline: charges intervals of time to stacks, from events of threads in time order. */
#include "trace/timeline.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

/*
 * Switch-outs of a thread that are less than this apart are one: while the size of stack copies
 * changes, the events of both sizes may report it.
 */
#define SAME_SWITCH UINT64_C(100000) /* ns */

const char *const timeline_column[TIMELINE_COLUMNS] = {"cpu", "waiting", "blocked"};

static int
compare(const struct timeline_thread *a, const struct timeline_thread *b)
{
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* RB_GENERATE also defines functions that are not called. */
#define UNUSED_TOO static __attribute__((unused))
RB_GENERATE_INTERNAL(timeline_tree, timeline_thread, entry, compare, UNUSED_TOO)

struct timeline_thread *
timeline_find(struct timeline *tl, int tid)
{
	struct timeline_thread key = {.tid = tid};

	return RB_FIND(timeline_tree, &tl->tree, &key);
}

static struct timeline_thread *
get(struct timeline *tl, int tid, uint32_t task, uint64_t time)
{
	struct timeline_thread *it = timeline_find(tl, tid);

	if (it == NULL) {
		it = cli_alloc(1, sizeof *it);
		it->tid = tid;
		it->task = it->node = task;
		it->since = it->slept_since = time;
		RB_INSERT(timeline_tree, &tl->tree, it);
	}
	return it;
}

static void
forget(struct timeline *tl, struct timeline_thread *it)
{
	RB_REMOVE(timeline_tree, &tl->tree, it);
	free(it->cut);
	free(it);
}

static uint64_t
max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Clips an interval to the recording; returns its length in ns, 0 for none. */
static uint64_t
within(const struct timeline *tl, uint64_t *from, uint64_t to)
{
	*from = max(*from, tl->begin);
	if (tl->end != 0 && to > tl->end)
		to = tl->end;
	return to > *from ? to - *from : 0;
}

static void
add(struct timeline *tl, enum timeline_column c, uint32_t node, uint64_t from, uint64_t ns)
{
	if (tl->wanted != NULL && !tl->wanted(tl->arg, c, node, from, ns))
		return;
	tl->charged += ns;
	rawtree_add(tl->rawtree, node, from, tl->stretch_weight != 0 ? tl->stretch_weight : ns);
}

/* Charge an interval; node is of TIMELINE_BLOCKED. */
static void
charge(struct timeline *tl, enum timeline_column c, uint32_t node, uint64_t from, uint64_t to)
{
	uint64_t ns = within(tl, &from, to);

	if (ns == 0 || node == CALLTREE_ROOT || (c != TIMELINE_BLOCKED && !tl->wall))
		return;
	if (c != TIMELINE_BLOCKED)
		node = rawtree_in_column(tl->rawtree, node, c);
	add(tl, c, node, from, ns);
}

/* Add CPU time that the next sample's stack will be charged with. */
static void
owe(struct timeline *tl, struct timeline_thread *it, uint64_t from, uint64_t to)
{
	it->owed += within(tl, &from, to);
}

static void
pay(struct timeline *tl, struct timeline_thread *it)
{
	const uint64_t from = max(it->since, tl->begin);
	uint32_t node = it->ran;

	if (it->owed > 0 && tl->wall && it->task != CALLTREE_ROOT) {
		if (node == 0) {
			node = rawtree_leaf(tl->rawtree,
			    rawtree_in_column(tl->rawtree, it->task, TIMELINE_CPU), tl->brief, 0,
			    from);
			tl->unsampled += it->owed;
		}
		tl->ran += it->owed;
		add(tl, TIMELINE_CPU, node, from, it->owed);
	}
	it->owed = 0;
}

/* A thread has slept up to `to`: counts whether its stack was completed. */
static void
count_cut(struct timeline *tl, struct timeline_thread *it, uint64_t to)
{
	uint64_t from = it->since, ns = within(tl, &from, to);
	const bool complete = it->complete != 0 && to > it->read;

	if (it->walked) {
		tl->script += ns;
		tl->script_read += ns;
	}
	if (it->cut == NULL)
		return;
	if (it->cut->script) {
		tl->script += ns;
		tl->script_read += complete ? ns : 0;
	}
	if (complete && chain_is_truncated(it->reach)) {
		tl->live->completed(tl->live_arg, it->reach);
		it->reach = CHAIN_COMPLETE;
	}
}

uint64_t
timeline_stopped(const struct timeline *tl, int tid, uint64_t from, uint64_t to)
{
	if (!tl->wall || tl->live == NULL)
		return 0;
	return tl->live->stopped(tl->live_arg, tid, from, to);
}

/* Set another stack, which is not completed yet. */
static void
set_node(struct timeline_thread *it, uint32_t node)
{
	it->node = node;
	it->walked = false;
	it->reach = CHAIN_NO_USER;
	it->found = 0;
	it->complete = 0;
	free(it->cut);
	it->cut = NULL;
}

static void
set_state(struct timeline_thread *it, enum timeline_state state, uint64_t time)
{
	it->state = state;
	it->since = it->slept_since = time;
}

uint32_t
timeline_node(const struct timeline_thread *it, uint64_t time)
{
	if (time < it->found)
		return it->task; /* that wake-up belongs to an earlier sleep */
	return it->complete != 0 && time > it->read ? it->complete : it->node;
}

/* End a sleep without a wake-up. */
static void
end_sleep(struct timeline *tl, struct timeline_thread *it, uint64_t time)
{
	uint32_t node = timeline_node(it, time);
	const uint64_t continued = timeline_stopped(tl, it->tid, it->since, time);

	if (time < it->found && !tl->wall)
		return;
	if (continued != 0) {
		it->preempted += time - continued;
		return;
	}
	if (!it->woken)
		count_cut(tl, it, time);
	if (tl->wakings || tl->live == NULL) {
		/* A wake-up that came while the thread switched out ended the sleep at once. */
		charge(tl, it->woken ? TIMELINE_WAITING : TIMELINE_BLOCKED, node, it->since, time);
		return;
	}
	vec_fit(tl->sleep, tl->capsleep, tl->nsleep + 1);
	tl->sleep[tl->nsleep++] = (struct timeline_sleep){it->tid, node, it->since, time};
	it->slept += time - it->since;
}

static void
end_wait(struct timeline *tl, struct timeline_thread *it, uint64_t time)
{
	if (it->held) {
		it->held = false;
		it->preempted += time - it->since;
		return;
	}
	charge(tl, TIMELINE_WAITING, timeline_node(it, time), it->since, time);
	it->preempted += time - it->since;
}

void
timeline_fork(struct timeline *tl, int tid, uint32_t task, uint64_t time)
{
	struct timeline_thread *it = timeline_find(tl, tid);

	if (it != NULL)
		forget(tl, it); /* an earlier thread with the same tid */
	it = get(tl, tid, task, time);
	it->state = TIMELINE_READY;
	it->has_delay = true;
}

void
timeline_exec(struct timeline *tl, int tid, uint32_t task, uint64_t time)
{
	struct timeline_thread *it = get(tl, tid, task, time);

	it->task = task;
	if (it->state == TIMELINE_UNKNOWN)
		set_state(it, TIMELINE_RUNS, time);
}

void
timeline_known(struct timeline *tl, int tid, uint32_t task, uint64_t time)
{
	get(tl, tid, task, time);
}

void
timeline_found(struct timeline *tl, int tid, uint32_t node, uint64_t found)
{
	struct timeline_thread *it = timeline_find(tl, tid);

	/*
	 * A new thread may still count as ready, without a stack, if its events were opened after
	 * its first switches.
	 */
	if (it == NULL || (it->state != TIMELINE_UNKNOWN &&
			      (it->state != TIMELINE_READY || it->node != it->task)))
		return;
	it->state = TIMELINE_SLEEPS;
	it->node = node;
	it->found = found;
}

/*
 * Start of the current state of a thread without an earlier record. A live recording knows all
 * threads from its start; a file does not.
 */
static uint64_t
first_known(const struct timeline *tl, uint64_t time)
{
	return tl->live != NULL ? tl->begin : time;
}

static void
fall_asleep(struct timeline *tl, struct timeline_thread *it, uint64_t time)
{
	tl->sleeps++;
	set_state(it, TIMELINE_SLEEPS, time);
}

void
timeline_left(struct timeline *tl, int tid, uint32_t task, uint32_t node, enum chain_reach reach,
    uint64_t time, const struct timeline_cut *cut, bool walked)
{
	struct timeline_thread *it = get(tl, tid, task, first_known(tl, time));

	it->task = task;
	if (it->state < TIMELINE_READY) {
		owe(tl, it, it->since, time);
		fall_asleep(tl, it, time);
	} else if (it->found != 0 || time > it->since + SAME_SWITCH) {
		/*
		 * The switch-in was lost or is not recorded, so the start of this run is unknown.
		 */
		if (it->found != 0 && time < it->found)
			owe(tl, it, it->since, time);
		tl->endless += it->state == TIMELINE_SLEEPS;
		fall_asleep(tl, it, time);
	}
	set_node(it, node);
	it->reach = reach;
	it->walked = walked;
	if (it->ended)
		pay(tl, it); /* no other sample may follow */
	if (cut == NULL)
		return;
	tl->scripts += cut->script;
	it->cut = cli_alloc(1, sizeof *cut);
	*it->cut = *cut;
	vec_fit(tl->cut, tl->capcut, tl->ncut + 1);
	tl->cut[tl->ncut++] = tid;
}

enum chain_reach
timeline_out(struct timeline *tl, int tid, bool preempted, uint64_t time)
{
	struct timeline_thread *it = timeline_find(tl, tid);
	enum chain_reach reach;

	if (it == NULL)
		return CHAIN_NO_USER;
	if (it->state < TIMELINE_READY) { /* no sample since the switch-in */
		owe(tl, it, it->since, time);
		fall_asleep(tl, it, time);
		set_node(it, it->task);
	}
	if (!preempted || it->state != TIMELINE_SLEEPS)
		return CHAIN_NO_USER;
	tl->sleeps--;
	it->state = TIMELINE_READY;
	reach = it->reach;
	it->reach = CHAIN_NO_USER;
	return reach;
}

void
timeline_wake(struct timeline *tl, struct timeline_thread *it, uint32_t node, uint64_t time)
{
	if (it->state == TIMELINE_SLEEPS && time >= it->since &&
	    timeline_stopped(tl, it->tid, it->since, time) != 0) {
		it->held = true;
		set_state(it, TIMELINE_READY, time);
	} else if (it->state == TIMELINE_SLEEPS && time >= it->since) {
		if (time >= it->found || tl->wall)
			charge(tl, TIMELINE_BLOCKED, node, it->since, time);
		count_cut(tl, it, time);
		tl->wakeups++;
		set_state(it, TIMELINE_READY, time);
	} else if (it->state == TIMELINE_RUNS) {
		it->woken = true;
	} else if (it->state == TIMELINE_UNKNOWN && tl->live == NULL) {
		set_state(it, TIMELINE_READY, time); /* the start of its sleep is unknown */
	}
}

void
timeline_in(struct timeline *tl, int tid, uint64_t time)
{
	struct timeline_thread *it = timeline_find(tl, tid);

	if (it == NULL)
		return;
	switch (it->state) {
	case TIMELINE_SLEEPS: end_sleep(tl, it, time); break;
	case TIMELINE_READY:
	case TIMELINE_UNKNOWN: end_wait(tl, it, time); break;
	case TIMELINE_RUNS: owe(tl, it, it->since, time); break;
	}
	it->woken = false;
	set_state(it, TIMELINE_RUNS, time);
	set_node(it, it->task);
}

void
timeline_ran(struct timeline *tl, int tid, uint32_t task, uint32_t node, uint64_t time)
{
	struct timeline_thread *it = get(tl, tid, task, first_known(tl, time));

	if (it->state < TIMELINE_READY) {
		owe(tl, it, it->since, time);
		set_state(it, TIMELINE_RUNS, time);
	}
	it->ran = node;
	pay(tl, it);
}

void
timeline_exit(struct timeline *tl, int tid, uint64_t time)
{
	int *oldest = &tl->ended[tl->nended++ % TIMELINE_ENDED];
	struct timeline_thread *it = *oldest != 0 ? timeline_find(tl, *oldest) : NULL;

	if (it != NULL && it->ended) /* its last record was lost, or had no tid */
		forget(tl, it);
	*oldest = tid;
	it = get(tl, tid, 0, time);
	tl->endless += it->state == TIMELINE_SLEEPS && !it->ended; /* its switch-in is missing */
	if (it->state < TIMELINE_READY) {
		owe(tl, it, it->since, time);
		it->since = time;
	}
	pay(tl, it);
	it->ended = true;
}

/* Fraction of the thread's sleeps that was run queue latency, by the kernel's count. */
static double
waited(const struct timeline *tl, struct timeline_thread *it)
{
	uint64_t delay = tl->live->delay(it->tid), more = delay - it->delay;
	bool knows = it->has_delay && delay >= it->delay;
	double share = 0;

	if (knows && more > it->preempted)
		share = (double)(more - it->preempted) / (double)it->slept;
	if (delay > 0) {
		it->has_delay = true;
		it->delay = delay;
	}
	it->preempted = it->slept = 0;
	return share > 1 ? 1 : share;
}

static int
by_thread(const void *a, const void *b)
{
	const struct timeline_sleep *x = a, *y = b;

	if (x->tid != y->tid)
		return (x->tid > y->tid) - (x->tid < y->tid);
	return (x->since > y->since) - (x->since < y->since);
}

void
timeline_subtract_delay(struct timeline *tl)
{
	struct timeline_thread *it = NULL;
	double share = 0;

	if (tl->nsleep > 0)
		sort_items(tl->sleep, tl->nsleep, sizeof *tl->sleep, by_thread);
	for (size_t i = 0; i < tl->nsleep; i++) {
		const struct timeline_sleep *s = &tl->sleep[i];
		uint64_t woken;

		if (i == 0 || s->tid != s[-1].tid) {
			it = timeline_find(tl, s->tid);
			share = it != NULL && it->slept > 0 ? waited(tl, it) : 0;
		}
		woken = s->until - (uint64_t)(share * (double)(s->until - s->since));
		charge(tl, TIMELINE_BLOCKED, s->node, s->since, woken);
		charge(tl, TIMELINE_WAITING, s->node, woken, s->until);
	}
	tl->nsleep = 0;
}

/* True if the thread has slept since the recording began, so that it may be hidden; counts it. */
static bool
is_idle(struct timeline *tl, const struct timeline_thread *it, uint64_t now)
{
	if (it->slept_since > tl->begin)
		return false;
	tl->idle++;
	tl->idle_ns += now - max(it->since, tl->begin);
	return tl->hide_idle;
}

/* Charge a thread's state up to now. */
static void
charge_thread(struct timeline *tl, struct timeline_thread *it, uint64_t now)
{
	char state = 'S';

	switch (it->state) {
	case TIMELINE_SLEEPS:
		if (tl->live != NULL)
			state = tl->live->state(it->tid);
		if (state == 0 || state == 'Z' || state == 'X')
			it->ended = true;
		else if (tl->unseen_ends)
			tl->endless++;
		else if (!is_idle(tl, it, now)) {
			charge(tl, TIMELINE_BLOCKED, timeline_node(it, now), it->since, now);
			count_cut(tl, it, now);
		}
		break;
	case TIMELINE_READY:
		if (!tl->unseen_ends)
			end_wait(tl, it, now);
		break;
	case TIMELINE_UNKNOWN:
	case TIMELINE_RUNS:
		owe(tl, it, it->since, now);
		pay(tl, it);
		break;
	}
	it->since = now;
}

void
timeline_charge(struct timeline *tl, uint64_t now)
{
	struct timeline_thread *it;

	timeline_subtract_delay(tl);
	tl->idle = tl->idle_ns = 0;
	RB_FOREACH(it, timeline_tree, &tl->tree)
	if (!it->ended && now > it->since)
		charge_thread(tl, it, now);
}

void
timeline_move(struct timeline *tl, struct rawtree *to)
{
	const struct rawtree *from = tl->rawtree;
	struct timeline_thread *it;

	tl->rawtree = to;
	RB_FOREACH(it, timeline_tree, &tl->tree)
	{
		if (it->task == CALLTREE_ROOT) /* it exited before any other record */
			continue;
		it->task = rawtree_copy(to, from, it->task);
		it->node = rawtree_copy(to, from, it->node);
		it->ran = it->ran != 0 ? rawtree_copy(to, from, it->ran) : 0;
		it->complete = it->complete != 0 ? rawtree_copy(to, from, it->complete) : 0;
	}
}

void
timeline_free(struct timeline *tl)
{
	struct timeline_thread *it, *next;

	RB_FOREACH_SAFE(it, timeline_tree, &tl->tree, next)
	forget(tl, it);
	free(tl->sleep);
	free(tl->cut);
	tl->sleep = NULL;
	tl->cut = NULL;
}
