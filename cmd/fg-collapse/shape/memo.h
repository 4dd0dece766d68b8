/*
 * memo: what a key led to last time. A slot holds a number and the 128 bits of the
 * key, which come from keyed hashes: nobody can prepare lines that agree in them, and
 * by chance none do. When a memo is full it forgets all, so that its size is bounded
 * whatever the input is.
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
	uint32_t number; /* from 1; 0 is an empty slot */
} __attribute__((packed)); /* 20 bytes: there are many */

struct memo {
	struct memo_slot *slot;
	uint32_t n, mask;
	uint32_t most; /* slots at most, a power of two */
};

void memo_init(struct memo *m, uint32_t slots, uint32_t most);
void memo_free(struct memo *m);
void memo_clear(struct memo *m);

/* The number kept for a key, or 0. */
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

/* Whether the next memo_put would pass the bound: then memo_clear has to come first. */
static inline bool
memo_full(const struct memo *m)
{
	return m->n >= m->most - m->most / 4;
}

/* Keep a number for a key that is not there. */
void memo_put(struct memo *m, struct memo_key key, uint32_t number);

#endif
