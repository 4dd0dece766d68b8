/*
 * Sorts random items of a size by the first byte, which has few values, and fails unless they come
 * out in order, equal ones in the order that they had: sort SIZE ITEMS SEED.
 */
#include "base/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
compare(const void *a, const void *b, void *of)
{
	++*(size_t *)of;
	return (int)*(const unsigned char *)a - (int)*(const unsigned char *)b;
}

int
main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;
	size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 100, compared = 0, place, before;
	unsigned char *item = calloc(n + 1, size);

	srandom((unsigned)atoi(argc > 3 ? argv[3] : "1"));
	for (size_t i = 0; i < n; i++) {
		item[i * size] = (unsigned char)(random() % 5);
		for (size_t b = 1; b < size; b++) /* where it was */
			item[i * size + b] =
			    b < 4 ? (unsigned char)(i >> 8 * (b - 1)) : item[i * size];
	}
	sort_items_of(item, n, size, compare, &compared);
	for (size_t i = 1; i < n; i++) {
		const unsigned char *a = item + (i - 1) * size, *b = item + i * size;

		place = before = 0;
		for (size_t k = 1; k < size && k < 4; k++) {
			place |= (size_t)b[k] << 8 * (k - 1);
			before |= (size_t)a[k] << 8 * (k - 1);
		}
		if (a[0] > b[0] || (a[0] == b[0] && size >= 4 && place <= before) ||
		    (size > 4 && b[size - 1] != b[0])) {
			printf("item %zu is out of order\n", i);
			return 1;
		}
	}
	sort_items_of(item, n, size, compare, memset(&compared, 0, sizeof compared));
	printf("%zu\n", compared);
	free(item);
	return 0;
}
