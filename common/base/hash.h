/*
 * hash: what every hash table here stands on. Hashes are keyed with a number drawn
 * once per process (getrandom), so that nobody can prepare names that collide;
 * therefore nothing that is written may depend on a hash or on the order of a table.
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#define HASH_SECRET 192 /* XXH3_SECRET_DEFAULT_SIZE */

/* Drawn before main. */
extern uint64_t hash_key[2]; /* odd */
extern uint8_t hash_secret[HASH_SECRET];

/* Of bytes: XXH3, seeded. */
static inline uint64_t
hash_bytes(const void *s, size_t len)
{
	return XXH3_64bits_withSecretandSeed(s, len, hash_secret, sizeof hash_secret, hash_key[0]);
}

/* The same in 128 bits, for tables that keep hashes without the text. */
static inline XXH128_hash_t
hash_bytes128(const void *s, size_t len)
{
	return XXH3_128bits_withSecretandSeed(s, len, hash_secret, sizeof hash_secret, hash_key[0]);
}

/* Of a number: a keyed multiplication to 128 bits, folded. */
static inline uint64_t
hash_number(uint64_t n)
{
	unsigned __int128 m = (unsigned __int128)(n ^ hash_key[0]) * hash_key[1];
	uint64_t h = (uint64_t)m ^ (uint64_t)(m >> 64);

	return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Of two numbers: also pairs that differ in both collide by chance only. */
static inline uint64_t
hash_pair(uint64_t a, uint64_t b)
{
	return hash_number(a + b * hash_key[1]);
}

/*
 * An index over things that the caller keeps and numbers: open addressing over
 * numbers from 1 up, with 32 bits of the hash beside each. All zero is an empty one.
 *
 *	for (uint32_t at = hash, n; (n = hash_index_next(&x, hash, &at)) != 0;)
 *		if (thing n is the one)
 *			return n;
 */
struct hash_index {
	struct hash_slot {
		uint32_t hash, number; /* number 0: free */
	} * slot;
	uint32_t n, mask;
};

/* The next number with that hash from *at on, which begins as the hash; 0 after the last. */
static inline uint32_t
hash_index_next(const struct hash_index *x, uint32_t hash, uint32_t *at)
{
	if (x->slot == NULL)
		return 0;
	for (;;) {
		const struct hash_slot *s = &x->slot[(*at)++ & x->mask];

		if (s->number == 0 || s->hash == hash)
			return s->number;
	}
}

/* Add a number that is not there; its hash is kept in 32 bits. */
void hash_index_add(struct hash_index *x, uint32_t hash, uint32_t number);

/* Forget all, keep the memory. */
void hash_index_clear(struct hash_index *x);
void hash_index_free(struct hash_index *x);

#endif
