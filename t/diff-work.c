/*
 * diff-work: the program of the recordings that t/diff-recordings.t compares: the same work in
 * every run, in a handful of functions of different sizes and kinds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK __attribute__((noinline, noclone))
#define N (1 << 20)

static uint32_t table[N];

WORK static uint32_t
mix(uint32_t x)
{
	for (int i = 0; i < 12; i++)
		x = (x ^ x >> 15) * 0x2c1b3c6d;
	return x;
}

WORK static void
fill(uint32_t seed)
{
	for (uint32_t i = 0; i < N; i++)
		table[i] = mix(seed + i);
}

WORK static uint32_t
scatter(void)
{
	uint32_t at = 0;

	for (int i = 0; i < 4 * N; i++)
		at = table[(at + (uint32_t)i) % N];
	return at;
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(uint32_t));
}

WORK static void
sort(void)
{
	qsort(table, N / 8, sizeof *table, compare);
}

WORK static size_t
text(void)
{
	char line[64];
	size_t n = 0;

	for (uint32_t i = 0; i < N / 8; i++)
		n += (size_t)snprintf(line, sizeof line, "%u %x", table[i], table[N - 1 - i]);
	return n;
}

WORK static void
copy(void)
{
	for (int i = 0; i < 40; i++) {
		char *p = malloc(sizeof table);

		memcpy(p, table, sizeof table);
		table[i] ^= (uint32_t)p[i];
		free(p);
	}
}

int
main(void)
{
	uint64_t sum = 0;

	for (uint32_t round = 0; round < 3; round++) {
		fill(round);
		sum += scatter();
		sort();
		sum += text();
		copy();
	}
	return printf("%llu\n", (unsigned long long)sum) < 0;
}
