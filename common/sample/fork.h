/*
 * fork: samplers of threads.
 */
#ifndef SAMPLE_FORK_H
#define SAMPLE_FORK_H

#include "sample/sampler.h"

/*
 * For threads, not in time order: sampler_fork creates an empty sampler with the same choices
 * and its own tree; sampler_join adds all of src to dst and frees src.
 */
struct sampler *sampler_fork(const struct sampler *s);
void sampler_join(struct sampler *dst, struct sampler *src);

#endif
