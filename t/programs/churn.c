/*
 * churn: two threads allocate, grow, check and free blocks of random sizes. Prints a checksum that
 * depends on the sizes and contents only: equal in each run, with and without a sampled allocator.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 512
#define ROUNDS 400000

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void *
churn(void *seed)
{
	unsigned char *block[BLOCKS] = {0};
	size_t size[BLOCKS] = {0};
	uint64_t state = (uintptr_t)seed, sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const size_t at = next(&state) % BLOCKS, n = 2 + next(&state) % 20000;

		if (block[at] != NULL &&
		    (block[at][0] != (at & 255) || block[at][size[at] - 1] != (size[at] & 255)))
			abort(); /* it was overwritten */
		if (next(&state) % 3 == 0) {
			free(block[at]);
			block[at] = malloc(n);
		} else {
			block[at] = realloc(block[at], n);
		}
		size[at] = n;
		block[at][0] = at & 255;
		block[at][n - 1] = n & 255;
		sum = sum * 31 + n;
	}
	for (size_t i = 0; i < BLOCKS; i++)
		free(block[i]);
	return (void *)(uintptr_t)sum;
}

int
main(void)
{
	pthread_t thread;
	void *a, *b;

	pthread_create(&thread, NULL, churn, (void *)1);
	a = churn((void *)2);
	pthread_join(thread, &b);
	printf("%zx %zx\n", (size_t)a, (size_t)b);
	return 0;
}
