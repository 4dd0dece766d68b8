/*
 * opening: opens the events of a target's threads and CPUs, with their rings. Exits 125 if an event
 * is refused; a thread or CPU that is gone is skipped.
 */
#ifndef OPENING_H
#define OPENING_H

#include "fg-record/watching/targetdata.h"

/* Opens the event of a thread on a CPU; tid -1: of all threads. The first one maps the ring. */
void opening_on_cpu(struct target *t, pid_t tid, int cpu);

/* Opens the event of a thread on all CPUs, with a ring of its own. */
void opening_on_any(struct target *t, pid_t tid);

/* Opens the event of all wake-ups on a CPU, in the ring of that CPU. */
void opening_waking(struct target *t, int cpu);

/* Opens the event that deep copies are written to, in the ring of that CPU. */
void opening_deep_output(struct target *t, int cpu);

#endif
