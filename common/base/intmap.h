/*
 * intmap: a hash table from 64-bit numbers, mostly addresses, to pointers. All zero when empty;
 * without removal.
 */
#ifndef INTMAP_H
#define INTMAP_H

#include <stddef.h>
#include <stdint.h>

struct intmap_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct intmap {
	struct intmap_slot *slot;
	size_t n, size; /* slots in use; size: a power of two or 0 */
};

/*
 * Pointer to the value of key, NULL for a new key: the caller must then store a non-NULL value
 * before the next call.
 */
void **intmap_at(struct intmap *m, uint64_t key);

/* The value of key, or NULL. */
void *intmap_get(const struct intmap *m, uint64_t key);

/* Frees the values, which are from malloc(3), and the slots: the map is empty afterwards. */
void intmap_free_values(struct intmap *m);

#endif
