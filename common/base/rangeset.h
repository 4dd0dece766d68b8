/*
 * rangeset: all ranges that contain an address.
 */
#ifndef RANGESET_H
#define RANGESET_H

#include <stddef.h>
#include <stdint.h>

struct rangeset_item {
	uint64_t start, end; /* end is exclusive */
	uint32_t what;
};

/* All zero when empty. */
struct rangeset {
	struct rangeset_item *item;
	struct rangeset_node *node;
	size_t n, size;
};

/* Adds a range, before rangeset_finish. */
void rangeset_add(struct rangeset *s, uint64_t start, uint64_t end, uint32_t what);

/* Call after the last addition. */
void rangeset_finish(struct rangeset *s);

/* Stores what of at most max ranges that contain address, in ascending order; returns their number.
 */
size_t rangeset_find(const struct rangeset *s, uint64_t address, uint32_t *what, size_t max);

#endif
