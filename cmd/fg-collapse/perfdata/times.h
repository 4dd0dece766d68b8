/*
 * times: which events of a recording say how threads spent their time. They are, best first:
 * samples of perf record --off-cpu; the tracepoint sched:sched_switch; context switches with
 * the records of perf record --switch-events. Wake-ups (sched:sched_wakeup, sched_waking,
 * sched_stat_sleep, _blocked, _iowait) say when blocked time ended.
 */
#ifndef TIMES_H
#define TIMES_H

#include "base/text.h"
#include "fg-collapse/options.h"
#include "attrs.h"

enum times_source {
	TIMES_NONE, /* the recording has nothing of the kind */
	TIMES_SAMPLES, /* periods are blocked ns */
	TIMES_TRACEPOINT, /* of the thread that switches out; the one that switches in is in its
			     fields */
	TIMES_SWITCHES, /* of the thread that switches out; records tell of switch-ins */
};

struct times {
	enum times_source source;
	size_t event; /* number of the event in attrs whose samples are switches */
	bool wakeups; /* the recording has such events */
	bool records; /* PERF_RECORD_SWITCH: switch-ins are recorded */
	const char *missing; /* why there is none: what to record, for a message */
};

/*
 * Choose by the events' names and the recording's tracing data, and give each event its
 * role for --off-cpu, --wall and --wakers.
 */
void times_choose(struct times *t, struct attrs *a, struct str tracing, const struct options *o);

#endif
