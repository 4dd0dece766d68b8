/*
 * hash: basis of all hash tables. Hashes use a random key per process (getrandom), so that
 * input cannot be made to collide. Therefore no output may depend on a hash or on the order of
 * a table.
 */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#define HASH_SECRET 192 /* XXH3_SECRET_DEFAULT_SIZE */

/* Random keys, set before main. */
extern uint64_t hash_key[2]; /* odd */
extern uint8_t hash_secret[HASH_SECRET];

/* Hash of bytes: XXH3 with a secret of our own. */
static inline uint64_t
hash_bytes(const void *s, size_t len)
{
	return XXH3_64bits_withSecret(s, len, hash_secret, sizeof hash_secret);
}

/* 128-bit hash of bytes, for tables that store hashes without the text. */
static inline XXH128_hash_t
hash_bytes128(const void *s, size_t len)
{
	return XXH3_128bits_withSecret(s, len, hash_secret, sizeof hash_secret);
}

/* Hash of a number: keyed multiplication to 128 bits, folded. */
static inline uint64_t
hash_number(uint64_t n)
{
	unsigned __int128 m = (unsigned __int128)(n ^ hash_key[0]) * hash_key[1];
	uint64_t h = (uint64_t)m ^ (uint64_t)(m >> 64);

	return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/*
 * Place of a product with a key in a table of n entries, at most 2^32. Takes the upper bits: the
 * lower ones do not depend on all of the number that was multiplied.
 */
static inline uint32_t
hash_place(uint64_t product, uint64_t n)
{
	return (uint32_t)((product >> 32) * n >> 32);
}

/* Hash of two numbers: pairs that differ in both collide only by chance, too. */
static inline uint64_t
hash_pair(uint64_t a, uint64_t b)
{
	return hash_number(a + b * hash_key[1]);
}

/*
 * An index of objects that the caller stores and numbers from 1: a table with open addressing of
 * these numbers, each with 32 bits of its hash. All zero when empty.
 *
 *	for (uint32_t at = hash, n; (n = hash_index_next(&x, hash, &at)) != 0;)
 *		if (object n is equal)
 *			return n;
 */
struct hash_index {
	struct hash_slot {
		uint32_t hash, number; /* number 0: free */
	} * slot;
	uint32_t n, mask;
};

/* The next number with that hash; *at starts as the hash. 0 after the last. */
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

/* Fetches the place of a hash, which is searched soon. */
static inline void
hash_index_prefetch(const struct hash_index *x, uint32_t hash)
{
	if (x->slot != NULL)
		__builtin_prefetch(&x->slot[hash & x->mask]);
}

/* Adds a new number; stores 32 bits of its hash. */
void hash_index_add(struct hash_index *x, uint32_t hash, uint32_t number);

/* Removes all numbers; does not free memory. */
void hash_index_clear(struct hash_index *x);
void hash_index_free(struct hash_index *x);

#endif
