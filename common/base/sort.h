/*
 * sort: stable sorts, so that items which compare equal come out in the same order with any C
 * library: of any items by a comparison; and of many 64-bit keys, such as addresses of symbols,
 * which differ in three or four bytes and are often in order but for some at the end.
 */
#ifndef SORT_H
#define SORT_H

#include <stddef.h>
#include <stdint.h>

/* Like qsort(3). Uses memory for half of the items; exits if there is none. */
void sort_items(void *item, size_t n, size_t size, int (*compare)(const void *, const void *));

/* Like sort_items, with a comparison that is given `of` too. */
void sort_items_of(void *item, size_t n, size_t size,
    int (*compare)(const void *, const void *, void *), void *of);

struct radix {
	uint64_t key, value;
};

/* Sorts by key. */
void radix_sort(struct radix *item, size_t n);

/* The number of sorted items whose key is at most `key`. */
size_t radix_count(const struct radix *item, size_t n, uint64_t key);

#endif
