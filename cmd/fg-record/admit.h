/*
 * take: a record out of a ring, on its way to the sampler.
 */
#ifndef ADMIT_H
#define ADMIT_H

#include "trace/perfevent.h"

/* For ring_drain; arg is the struct target. */
void admit_record(void *arg, const struct perfevent *e);

#endif
