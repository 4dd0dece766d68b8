/*
 * chaincache: an open hash table whose keys are keyed hashes.
 */
#include "trace/chaincache.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"

#define FIRST ((size_t)1 << 12)
#define SLOTS_MAX ((size_t)1 << 20) /* slots */

static void
clear(struct chaincache_slot *slot, size_t n)
{
	for (size_t i = 0; i < n; i++)
		slot[i] = (struct chaincache_slot){.node = CHAINCACHE_NONE};
}

static struct chaincache_slot *
find(struct chaincache *m, uint64_t high, uint32_t low)
{
	size_t i = low & (m->size - 1);

	while (m->slot[i].node != CHAINCACHE_NONE &&
	       (m->slot[i].low != low || m->slot[i].high != high))
		i = (i + 1) & (m->size - 1);
	return &m->slot[i];
}

static void
grow(struct chaincache *m)
{
	struct chaincache_slot *old = m->slot;
	size_t had = m->size;

	if (had == SLOTS_MAX) {
		clear(m->slot, had);
		m->n = 0;
		return;
	}
	m->size = had == 0 ? FIRST : 2 * had;
	m->slot = cli_realloc(NULL, m->size, sizeof *m->slot);
	clear(m->slot, m->size);
	for (size_t i = 0; i < had; i++)
		if (old[i].node != CHAINCACHE_NONE)
			*find(m, old[i].high, old[i].low) = old[i];
	free(old);
}

struct chaincache_slot *
chaincache_at(struct chaincache *m, uint64_t stamp, uint32_t task, unsigned misc,
    const uint64_t *chain, size_t n, uint64_t link)
{
	const XXH128_hash_t h = hash_bytes128(chain, n * sizeof *chain);
	const uint64_t who = hash_pair(stamp, link) + hash_number((uint64_t)task << 32 | misc);
	const uint64_t high = h.high64 ^ who;
	const uint32_t low = (uint32_t)(h.low64 + who);
	struct chaincache_slot *s;

	if (m->n * 2 >= m->size)
		grow(m);
	s = find(m, high, low);
	if (s->node == CHAINCACHE_NONE) {
		s->high = high;
		s->low = low;
		m->n++;
	}
	return s;
}

void
chaincache_free(struct chaincache *m)
{
	free(m->slot);
	*m = (struct chaincache){0};
}
