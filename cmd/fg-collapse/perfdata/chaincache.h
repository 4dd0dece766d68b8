/*
 * chains: call chains that were seen before, in the same mappings, and where their stacks
 * end in the tree of places.
 */
#ifndef CHAINCACHE_H
#define CHAINCACHE_H

#include <stddef.h>
#include <stdint.h>

#define CHAINCACHE_NONE UINT32_MAX

/* All zero is an empty one. It forgets all when it has become large. */
struct chaincache {
	struct chaincache_slot {
		uint64_t high; /* with low 96 bits of a hash: no text is compared */
		uint32_t low;
		uint32_t node;
	} * slot;
	size_t n, size;
};

/* Where that chain is, for ours to fill in when its node is CHAINCACHE_NONE. */
struct chaincache_slot *chaincache_at(struct chaincache *m, uint64_t stamp, uint32_t task,
    unsigned misc, const uint64_t *chain, size_t n);
void chaincache_free(struct chaincache *m);

#endif
