/*
 * goheap: the memory profile that the runtime of a Go program keeps itself, read from outside.
 *
 * The runtime samples allocations by their bytes (runtime.MemProfileRate) and counts them by stack
 * in a list of buckets. Input: the memory of the process, which may run. Output: for each bucket
 * its stack, and its sampled blocks: all that were allocated, and those live when the last but one
 * garbage collection ended, which is what runtime.MemProfile reports.
 */
#ifndef GOHEAP_H
#define GOHEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

/* The blocks of one size that one stack allocated, by samples. */
struct goheap_bucket {
	uint64_t address; /* in the process; a bucket is never freed */
	uint64_t *pc; /* return addresses, leaf first; a frame each, for inlined calls too */
	size_t npc;
	uint64_t size; /* bytes of a block */
	uint64_t allocated, live; /* sampled blocks, at the last read */
	uint64_t base; /* allocated at the last goheap_rebase */
};

struct goheap;

/* Whether the runtime samples: it does; it cannot, or must not; or the list was not found. */
enum goheap_state { GOHEAP_SAMPLES, GOHEAP_OFF, GOHEAP_UNKNOWN };

/*
 * Finds out if the program in m samples its allocations. In a file that no process maps yet, m has
 * only its module, and zeros.
 */
enum goheap_state goheap_state(const struct runtime_module *m, int pid);

/* For such a process, empty until goheap_read; NULL: its runtime has not started yet. */
struct goheap *goheap_open(const struct runtime_module *m, int pid);
void goheap_free(struct goheap *g);

/*
 * Reads all buckets. False if that failed, as in a process that has ended: then all values are
 * those of the last read that succeeded, and *reason is the cause.
 */
bool goheap_read(struct goheap *g, const char **reason);

/* Blocks that were allocated until now do not count from now on: base = allocated. */
void goheap_rebase(struct goheap *g);

/* The mean distance of samples in bytes; 0 before the first read. */
uint64_t goheap_rate(const struct goheap *g);

/* The buckets of the last read. */
const struct goheap_bucket *goheap_buckets(const struct goheap *g, size_t *n);

#endif
