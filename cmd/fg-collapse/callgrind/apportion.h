/*
 * apportion: derives stacks with costs from a complete call graph.
 */
#ifndef CALLGRIND_APPORTION_H
#define CALLGRIND_APPORTION_H

#include "fg-collapse/callgrind/costs.h"

/* Passes all samples of the file to the sampler; calls costs_finish. */
void apportion(struct costs *c);

#endif
