/*
 * order: so many stacks as fit a processor's cache into canonical order.
 */
#ifndef BATCHSORT_H
#define BATCHSORT_H

#include <stdint.h>

#include "base/text.h"

#define BATCHSORT_MAX 8192u

/* Fill order[0..n) with the numbers of the stacks, which all differ, in order; n up to a batch. */
void batchsort(const struct str *stack, uint32_t n, uint16_t *order);

#endif
