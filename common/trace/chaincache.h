/*
 * chaincache: maps a call chain in the same mappings to the node of its stack in a rawtree.
 */
#ifndef CHAINCACHE_H
#define CHAINCACHE_H

#include <stddef.h>
#include <stdint.h>

#define CHAINCACHE_NONE UINT32_MAX

/* All zero is an empty cache. It is cleared when it reaches its size limit. */
struct chaincache {
	struct chaincache_slot {
		uint64_t high; /* with low, 96 bits of a keyed hash that identifies the chain */
		uint32_t low;
		uint32_t node;
	} * slot;
	size_t n, size;
};

/*
 * Slot of that chain; the caller sets its node if that is CHAINCACHE_NONE. link: see unwind_link.
 */
struct chaincache_slot *chaincache_at(struct chaincache *m, uint64_t stamp, uint32_t task,
    unsigned misc, const uint64_t *chain, size_t n, uint64_t link);
void chaincache_free(struct chaincache *m);

#endif
