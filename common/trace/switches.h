/*
 * switches: the records from which a timeline follows threads: context switches, wake-ups,
 * forks, execs and exits.
 */
#ifndef SWITCHES_H
#define SWITCHES_H

#include "trace/recording.h"

/* A sample of an event whose role is one of times. */
void switches_sample(
    struct recording *r, const struct recording_event *ev, const struct perfevent *e);

/* PERF_RECORD_SWITCH and _SWITCH_CPU_WIDE. */
void switches_switch(struct recording *r, const struct perfevent *e);

/* PERF_RECORD_FORK, _COMM of an exec, _EXIT; others change nothing. */
void switches_task(struct recording *r, const struct perfevent *e);

#endif
