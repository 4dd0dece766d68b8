/*
 * take: a record out of a ring, on its way to the sampler.
 */
#ifndef TAKE_H
#define TAKE_H

#include "trace/perfevent.h"

/* For ring_drain; arg is the struct target. */
void take_record(void *arg, const struct perfevent *e);

#endif
