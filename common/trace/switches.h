/* switches: feeds the timeline with context switches, wake-ups, forks, execs and exits. */
#ifndef SWITCHES_H
#define SWITCHES_H

#include "trace/recording.h"

/* Take a sample of an event that has an off-CPU or wall-clock role. */
void switches_sample(
    struct recording *r, const struct recording_event *ev, const struct perfevent *e);

/* Take PERF_RECORD_SWITCH and _SWITCH_CPU_WIDE. */
void switches_switch(struct recording *r, const struct perfevent *e);

/* Take PERF_RECORD_FORK, _COMM of an exec, and _EXIT; ignores other records. */
void switches_task(struct recording *r, const struct perfevent *e);

#endif
