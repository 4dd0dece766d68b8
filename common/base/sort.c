/*
 * sort: of items, by merging halves, which are left alone where they are in order; of keys, by
 * finding the items that are in their places already, and moving the others byte by byte.
 */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define FEW 8 /* items that are sorted by insertion */
#define FEW_KEYS 96 /* keys that are sorted by insertion */

struct sorting {
	size_t size;
	int (*compare)(const void *, const void *, void *);
	void *of;
	char *half; /* as large as half of the items */
};

/* Most items are a pointer, a number or two of them, for which the compiler has moves. */
static inline void
copy(char *to, const char *from, size_t size)
{
	switch (size) {
	case 4: memcpy(to, from, 4); break;
	case 8: memcpy(to, from, 8); break;
	case 16: memcpy(to, from, 16); break;
	default: memcpy(to, from, size); break;
	}
}

/* Sorts by insertion, for up to FEW items; half keeps the item that moves. */
static void
insert(const struct sorting *s, char *item, size_t n)
{
	const size_t size = s->size;

	for (size_t i = 1; i < n; i++) {
		size_t at = i;

		while (at > 0 && s->compare(item + (at - 1) * size, item + i * size, s->of) > 0)
			at--;
		if (at == i)
			continue;
		copy(s->half, item + i * size, size);
		memmove(item + (at + 1) * size, item + at * size, (i - at) * size);
		copy(item + at * size, s->half, size);
	}
}

static void
merge(const struct sorting *s, char *item, size_t n)
{
	const size_t size = s->size, half = n / 2;
	char *to = item, *left = s->half, *right = item + half * size;
	char *const left_end = left + half * size, *const right_end = item + n * size;

	if (n <= FEW) {
		insert(s, item, n);
		return;
	}
	merge(s, item, half);
	merge(s, right, n - half);
	if (s->compare(right - size, right, s->of) <= 0)
		return;
	memcpy(left, item, half * size);
	for (; left < left_end && right < right_end; to += size)
		if (s->compare(left, right, s->of) <= 0) {
			copy(to, left, size);
			left += size;
		} else {
			copy(to, right, size);
			right += size;
		}
	memcpy(to, left, (size_t)(left_end - left));
}

void
sort_items_of(
    void *item, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *of)
{
	struct sorting s = {size, compare, of, NULL};

	if (n < 2)
		return;
	s.half = cli_realloc(NULL, n / 2, size);
	merge(&s, item, n);
	free(s.half);
}

struct plain {
	int (*compare)(const void *, const void *);
};

static int
compare_plain(const void *a, const void *b, void *of)
{
	return ((const struct plain *)of)->compare(a, b);
}

void
sort_items(void *item, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	struct plain p = {compare};

	sort_items_of(item, n, size, compare_plain, &p);
}

size_t
radix_count(const struct radix *item, size_t n, uint64_t key)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (item[middle].key <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Number of the first items that no later item precedes. */
static size_t
in_place(const struct radix *item, size_t n)
{
	size_t ordered = 1;
	uint64_t least;

	while (ordered < n && item[ordered].key >= item[ordered - 1].key)
		ordered++;
	if (ordered >= n)
		return n;
	least = item[ordered].key;
	for (size_t i = ordered + 1; i < n; i++)
		if (item[i].key < least)
			least = item[i].key;
	return radix_count(item, ordered, least);
}

static void
insert_keys(struct radix *item, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct radix x = item[i];
		size_t k = i;

		for (; k > 0 && item[k - 1].key > x.key; k--)
			item[k] = item[k - 1];
		item[k] = x;
	}
}

static void
sort_bytes(struct radix *item, size_t n)
{
	size_t placed = in_place(item, n), count[8][256] = {0};
	struct radix *other, *from, *to, *swap;

	if (placed == n)
		return;
	item += placed;
	n -= placed;
	other = cli_realloc(NULL, n, sizeof *other);
	from = item;
	to = other;
	for (size_t i = 0; i < n; i++)
#ifndef __clang__ /* which unrolls it without; 11 does not know the pragma */
#pragma GCC unroll 8
#endif
		for (unsigned byte = 0; byte < 8; byte++)
			count[byte][item[i].key >> 8 * byte & 0xff]++;
	for (unsigned byte = 0; byte < 8; byte++) {
		size_t *c = count[byte], at = 0;

		if (c[from[0].key >> 8 * byte & 0xff] == n)
			continue;
		for (unsigned v = 0; v < 256; v++) {
			size_t here = c[v];

			c[v] = at;
			at += here;
		}
		for (size_t i = 0; i < n; i++)
			to[c[from[i].key >> 8 * byte & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != item)
		memcpy(item, from, n * sizeof *item);
	free(other);
}

void
radix_sort(struct radix *item, size_t n)
{
	if (n > FEW_KEYS)
		sort_bytes(item, n);
	else
		insert_keys(item, n);
}
