/*
 * task: the thread of a sample, and its root frame.
 */
#ifndef SAMPLE_TASK_H
#define SAMPLE_TASK_H

#include <stdint.h>

#include "base/text.h"
#include "sample/sampler.h"

/* The thread of a sample; unknown fields are empty. pid and tid are decimal strings. */
struct sample_task {
	struct str comm, pid, tid;
	struct str group; /* root frame of group_by, KEY=VALUE; empty: KEY=[unknown] */
};

/*
 * Returns the node of the root frame as stackcollapse-perf.pl writes it: comm, comm-PID or
 * comm-PID/TID, `_` for spaces; below that of group_by.
 */
uint32_t sample_root(struct sampler *s, const struct sample_task *task);

#endif
