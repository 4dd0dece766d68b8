/*
 * event: turns an event's name and the options into a perf_event_attr that this machine supports
 * and this user may open.
 */
#ifndef EVENT_H
#define EVENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "kernel/perfabi.h"
#include "fg-record/asking/options.h"
#include "fg-record/asking/tracepoints.h"
#include "trace/recording.h"

#define EVENT_ALSO 5

struct event {
	struct perf_event_attr attr; /* with the sideband records: mappings, forks, exits */
	struct perf_event_attr sampled; /* attr before its samples moved to `also` */
	/*
	 * Events with stack copies, the smallest copies first; attr then has none. Each of them is
	 * opened for each tracepoint.
	 */
	struct perf_event_attr also[EVENT_ALSO];
	size_t nalso;
	bool frees; /* --heap: the ends of blocks are events, too */
	struct perf_event_attr freed; /* of them; without stacks */
	bool deep; /* the stack above the copies may be copied too */
	bool wakings; /* wake-ups are recorded, by one event for each CPU */
	struct perf_event_attr waking;
	/* Descriptions of these events for the engine; all have the record format of the rings. */
	struct recording_event of_attr, of_switch, of_waking, of_waited;
	struct tracepoints
	    tracepoints; /* attr's config is the first one's ID; n 0: not of that type */
	uint64_t waited_id; /* tracepoint ID of of_waited, first in its raw data; 0: none */
	const char *name;
	const char *unit; /* of its periods: "ns", or the event's name */
	uint64_t period; /* of all its samples; 0: varies */
	bool no_kernel; /* kernel code is not sampled: refused, or not requested */
};

/* The number of events that each element of `also` stands for. */
static inline size_t
event_each(const struct event *ev)
{
	return ev->tracepoints.n > 0 ? ev->tracepoints.n : 1;
}

/*
 * Fills in the event that the options request and tries to open it. Falls back, each time with a
 * note, from hardware cycles to cpu-clock where the machine has none, and to user code only
 * where the user may not see the kernel. False if perf_event_open(2) is refused for good, after
 * a message with the remedy. Exits 125 for an event that does not exist.
 */
bool event_prepare(struct event *ev, const struct options *o);

#endif
