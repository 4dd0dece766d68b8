/*
 * radix: finds the items that are in their places already, and moves the others byte by byte.
 */
#include "base/radix.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

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

void
radix_sort(struct radix *item, size_t n)
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
#pragma GCC unroll 8
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
