/*
 * batchsort: sorts one batch of stacks, which fits a processor's cache, into canonical order.
 */
#ifndef BATCHSORT_H
#define BATCHSORT_H

#include <stdint.h>

#include "base/text.h"

#define BATCHSORT_MAX 16384u

struct batchsort_item {
	uint64_t key; /* eight bytes of the stack, ranked */
	struct str stack;
	uint16_t number;
};

/* Memory for a sort, without content before and after. */
struct batchsort {
	struct batchsort_item item[BATCHSORT_MAX], copy[BATCHSORT_MAX];
};

/*
 * Fills order[0..n) with the indexes of the stacks, which must all differ, in canonical order; n
 * is at most a batch.
 */
void batchsort(struct batchsort *memory, const struct str *stack, uint32_t n, uint16_t *order);

#endif
