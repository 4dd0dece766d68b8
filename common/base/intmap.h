/*
 * intmap: a hash table from 64-bit numbers (addresses, mostly) to pointers.
 * All zero is an empty one; nothing is ever removed.
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
	size_t n, size; /* used; a power of two or 0 */
};

/*
 * Where the value of key is, holding NULL when the key is new: then the caller puts
 * one there that is not NULL before it calls again.
 */
void **intmap_at(struct intmap *m, uint64_t key);

/* The value of key, or NULL. */
void *intmap_get(const struct intmap *m, uint64_t key);

#endif
