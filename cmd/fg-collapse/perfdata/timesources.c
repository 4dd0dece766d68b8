/*
 * timesources: chooses the roles of events.
 */
#include "fg-collapse/perfdata/timesources.h"

#include <string.h>

static bool
is_named(const struct attr *a, const char *name)
{
	return strcmp(a->name, name) == 0;
}

static bool
starts_with(const struct attr *a, const char *prefix)
{
	return strncmp(a->name, prefix, strlen(prefix)) == 0;
}

static bool
is_software(const struct attr *a, uint64_t config)
{
	return a->attr.type == PERF_TYPE_SOFTWARE && a->attr.config == config;
}

/* Format text of a tracepoint, "system:name"; empty if the recording lacks it. */
static struct str
format_of(const struct attr *a, struct str tracing)
{
	const char *colon = strchr(a->name, ':');
	char system[64];

	if (a->attr.type != PERF_TYPE_TRACEPOINT || colon == NULL ||
	    (size_t)(colon - a->name) >= sizeof system)
		return (struct str){0};
	memcpy(system, a->name, (size_t)(colon - a->name));
	system[colon - a->name] = '\0';
	return tracepoint_find(tracing, system, colon + 1);
}

/* Finds the first event that records switches with this source; false if there is none. */
static bool
find_source(struct timesources *t, struct attrs *a, struct str tracing)
{
	for (enum times_source s = TIMES_SAMPLES; s <= TIMES_SWITCHES; s++)
		for (size_t i = 0; i < a->n; i++) {
			struct attr *at = &a->attr[i];

			if ((s == TIMES_SAMPLES && is_named(at, "offcpu-time")) ||
			    (s == TIMES_TRACEPOINT && is_named(at, "sched:sched_switch") &&
				recording_tracepoint(&at->ev, at->name, format_of(at, tracing))) ||
			    (s == TIMES_SWITCHES && t->records &&
				is_software(at, PERF_COUNT_SW_CONTEXT_SWITCHES))) {
				t->source = s;
				t->event = i;
				return true;
			}
		}
	return false;
}

/* Rank of an event as a measure of CPU time; 0: not one. */
static int
clock_rank(const struct attr *a, const char *wanted)
{
	if (a->attr.type == PERF_TYPE_TRACEPOINT || is_named(a, "offcpu-time") ||
	    is_software(a, PERF_COUNT_SW_CONTEXT_SWITCHES) || is_software(a, PERF_COUNT_SW_DUMMY))
		return 0;
	if (wanted != NULL)
		return is_named(a, wanted);
	if (is_software(a, PERF_COUNT_SW_CPU_CLOCK) || is_software(a, PERF_COUNT_SW_TASK_CLOCK))
		return 3;
	if (a->attr.type == PERF_TYPE_HARDWARE && a->attr.config == PERF_COUNT_HW_CPU_CYCLES)
		return 2;
	return 1;
}

/* For --wall: chooses the event whose stacks measure CPU time; false if there is none. */
static bool
choose_clock(struct attrs *a, const char *wanted)
{
	struct attr *best = NULL;
	int rank = 0;

	for (size_t i = 0; i < a->n; i++)
		if (clock_rank(&a->attr[i], wanted) > rank) {
			best = &a->attr[i];
			rank = clock_rank(best, wanted);
		}
	if (best != NULL)
		best->ev.role = RECORDING_CLOCK;
	return best != NULL;
}

/*
 * Blocked time ends where the thread is queued for a CPU, at sched_wakeup. Its waker is the
 * current thread of sched_waking, a moment earlier.
 */
static bool
choose_wakeups(struct attrs *a, struct str tracing, bool wakers)
{
	bool any = false, wakeup = false;

	for (size_t i = 0; i < a->n; i++)
		wakeup |= is_named(&a->attr[i], "sched:sched_wakeup");
	for (size_t i = 0; i < a->n; i++) {
		struct attr *at = &a->attr[i];
		const bool waking = is_named(at, "sched:sched_waking");

		if (is_named(at, "sched:sched_switch") || (waking && wakeup && !wakers) ||
		    (wakers && starts_with(at, "sched:sched_wakeup")))
			continue;
		any |= recording_tracepoint(&at->ev, at->name, format_of(at, tracing));
	}
	return any;
}

/* Message: the reason why the recording cannot serve --off-cpu. */
static const char *
why_none(const struct attrs *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (is_named(&a->attr[i], "sched:sched_switch"))
			return "the recording lacks the format of sched:sched_switch (tracing "
			       "data)";
	return "no context switches in the recording; record with perf record --off-cpu, or -g "
	       "-e sched:sched_switch -e sched:sched_wakeup, or -g -e context-switches -c 1 "
	       "--switch-events";
}

void
timesources_choose(
    struct timesources *t, struct attrs *a, struct str tracing, const struct options *o)
{
	bool waking = false;

	*t = (struct timesources){0};
	for (size_t i = 0; i < a->n; i++) {
		a->attr[i].ev.role = RECORDING_IGNORED;
		t->records |= a->attr[i].attr.context_switch;
		waking |= is_named(&a->attr[i], "sched:sched_waking");
	}
	if (!find_source(t, a, tracing)) {
		t->missing = why_none(a);
		return;
	}
	if (t->source == TIMES_SAMPLES && (o->wall || o->wakers)) {
		t->missing =
		    "perf record --off-cpu records neither CPU times nor wake-ups; "
		    "record with -g -e cpu-clock -e sched:sched_switch -e sched:sched_waking";
	} else if (o->wakers && !waking) {
		t->missing = "no wakers in the recording; record with perf record -a -g -e "
			     "sched:sched_switch -e sched:sched_waking";
	} else if (o->wall && !choose_clock(a, o->sample.event)) {
		t->missing = "no samples of running threads in the recording; record with perf "
			     "record -g -e cpu-clock -e sched:sched_switch -e sched:sched_wakeup";
	}
	if (t->source == TIMES_SAMPLES) {
		for (size_t i = 0; i < a->n; i++)
			if (is_named(&a->attr[i], "offcpu-time"))
				a->attr[i].ev.role = RECORDING_SAMPLES;
		return;
	}
	if (t->source == TIMES_SWITCHES)
		a->attr[t->event].ev.role = RECORDING_LEAVES;
	t->wakeups = choose_wakeups(a, tracing, o->wakers);
}
