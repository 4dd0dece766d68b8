/*
 * event: what is sampled: an event's name and the options become a
 * perf_event_attr that this machine and this user may open.
 */
#ifndef EVENT_H
#define EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/types.h>

#include "fg-record/options.h"
#include "trace/recording.h"

#define EVENT_ALSO 3

struct event {
	struct perf_event_attr attr; /* its records tell of mappings, forks and exits too */
	struct perf_event_attr sampled; /* attr before its samples became those of also */
	/* Events that copy stacks, of the smallest copies first; attr then copies none. */
	struct perf_event_attr also[EVENT_ALSO];
	size_t nalso;
	bool deep; /* the stack above the copies may be copied too */
	bool wakings; /* wake-ups are seen: an event for each CPU, whoever wakes */
	struct perf_event_attr waking;
	/* The same for the engine: all have one format, that of the rings. */
	struct recording_event of_attr, of_switch, of_waking, of_waited;
	uint64_t waited_id; /* the tracepoint of of_waited, 0: none; raw data begin with it */
	const char *name;
	const char *unit; /* of its periods: ns, or its name */
	uint64_t period; /* of all its samples; 0: they differ */
	bool no_kernel; /* the kernel's part was refused, or not wanted */
};

/*
 * Fill in the event that the options ask for and try it: from hardware cycles that
 * the machine does not have to cpu-clock, and without the kernel's part where the
 * user may not see it, each with a note. False when perf_event_open(2) is refused
 * for good, which has been said with what to type against it. An event that does
 * not exist is a message and exit 125.
 */
bool event_prepare(struct event *ev, const struct options *o);

/* perf_event_open(2); -1 and errno. */
int event_open(const struct perf_event_attr *a, pid_t pid, int cpu);

#endif
