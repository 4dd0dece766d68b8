/*
 * memo: a cache from 128-bit keys to numbers, bounded in size. Keys are keyed hashes:
 * untrusted input cannot construct lines with equal keys, and chance collisions are
 * negligible. A full memo is cleared.
 */
#ifndef MEMO_H
#define MEMO_H

#include <stdbool.h>
#include <stdint.h>

struct memo_key {
	uint64_t lo, hi;
};

struct memo_slot {
	struct memo_key key;
	uint32_t number; /* from 1; 0: empty slot */
} __attribute__((packed)); /* 20 bytes, because there are many */

struct memo {
	struct memo_slot *slot;
	uint32_t n, mask;
	uint32_t most; /* maximum number of slots, a power of two */
};

void memo_init(struct memo *m, uint32_t slots, uint32_t most);
void memo_free(struct memo *m);
void memo_clear(struct memo *m);

/* Number stored for a key, or 0. */
static inline uint32_t
memo_find(const struct memo *m, struct memo_key key)
{
	for (uint32_t i = (uint32_t)key.lo & m->mask;; i = (i + 1) & m->mask) {
		const struct memo_slot *s = &m->slot[i];

		if (s->number == 0 || (s->key.lo == key.lo && s->key.hi == key.hi))
			return s->number;
	}
}

static inline void
memo_prefetch(const struct memo *m, struct memo_key key)
{
	__builtin_prefetch(&m->slot[(uint32_t)key.lo & m->mask]);
}

/* True if the memo is full: call memo_clear before the next memo_put. */
static inline bool
memo_full(const struct memo *m)
{
	return m->n >= m->most - m->most / 4;
}

/* Stores a number for a key that is not in m. */
void memo_put(struct memo *m, struct memo_key key, uint32_t number);

#endif
