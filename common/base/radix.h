/*
 * radix: stable sort of many 64-bit keys, such as addresses of symbols, which differ in three or
 * four bytes and are often in order but for some at the end.
 */
#ifndef RADIX_H
#define RADIX_H

#include <stddef.h>
#include <stdint.h>

struct radix {
	uint64_t key, value;
};

/* Sorts by key. */
void radix_sort(struct radix *item, size_t n);

/* The number of sorted items whose key is at most `key`. */
size_t radix_count(const struct radix *item, size_t n, uint64_t key);

#endif
