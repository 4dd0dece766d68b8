/*
 * admit: a record from a ring, on its way to the engine.
 */
#ifndef ADMIT_H
#define ADMIT_H

#include "trace/perfevent.h"

/* For ring_drain; arg is the struct target. */
void admit_record(void *arg, const struct perfevent *e);

#endif
