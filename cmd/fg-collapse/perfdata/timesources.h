/*
 * timesources: chooses the events of a recording that measure how threads spent their time. Best
 * first: samples of perf record --off-cpu; the tracepoint sched:sched_switch; context
 * switches with the records of perf record --switch-events. Wake-ups (sched:sched_wakeup,
 * sched_waking, sched_stat_sleep, _blocked, _iowait) mark the end of blocked time.
 */
#ifndef TIMESOURCES_H
#define TIMESOURCES_H

#include "base/text.h"
#include "fg-collapse/options.h"
#include "fg-collapse/perfdata/attrs.h"

enum times_source {
	TIMES_NONE, /* the recording has no such event */
	TIMES_SAMPLES, /* periods are blocked ns */
	TIMES_TRACEPOINT, /* sched_switch: samples of switch-outs; a field has the next thread */
	TIMES_SWITCHES, /* samples are of switch-outs; switch-ins are records */
};

struct timesources {
	enum times_source source;
	size_t event; /* index in attrs of the event whose samples are switches */
	bool wakeups; /* the recording has such events */
	bool records; /* PERF_RECORD_SWITCH: switch-ins are recorded */
	const char *missing; /* message if there is none: what to record */
};

/*
 * Chooses by the events' names and the recording's tracing data, and sets each event's
 * role for --off-cpu, --wall and --wakers.
 */
void timesources_choose(
    struct timesources *t, struct attrs *a, struct str tracing, const struct options *o);

#endif
