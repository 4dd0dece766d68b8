/*
 * hash: chooses the random keys of the process; grows the index.
 */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "kernel/compat.h"

#define SMALLEST 256 /* slots */

uint64_t hash_key[2];
uint8_t hash_secret[HASH_SECRET];

/* If the kernel gives none (old, sandbox), the keys are from the clock and the stack's address. */
__attribute__((constructor)) static void
draw(void)
{
	struct {
		uint64_t key[2];
		uint8_t secret[HASH_SECRET];
	} drawn;
	unsigned char *byte = (unsigned char *)&drawn;
	struct timespec now;
	uint64_t x;

	if (!compat_random(&drawn, sizeof drawn)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		x = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid() ^ (uintptr_t)&now;
		for (size_t i = 0; i < sizeof drawn; i++) {
			x = x * UINT64_C(6364136223846793005) + 1;
			byte[i] = (unsigned char)(x >> 56);
		}
	}
	hash_key[0] = drawn.key[0] | 1;
	hash_key[1] = drawn.key[1] | 1;
	memcpy(hash_secret, drawn.secret, sizeof hash_secret);
}

static void
put(struct hash_index *x, uint32_t hash, uint32_t number)
{
	uint32_t i = hash & x->mask;

	while (x->slot[i].number != 0)
		i = (i + 1) & x->mask;
	x->slot[i] = (struct hash_slot){hash, number};
}

/*
 * Doubles the table in place: a second table would need half as much memory again. Entries that
 * wrapped around from the end to the start are set aside. The others are removed and inserted
 * one by one, at or before their old slot or in the new half.
 */
static void
grow(struct hash_index *x)
{
	uint32_t size = x->mask + 1, first = 0;
	struct hash_slot *aside;

	if (size > UINT32_MAX / 2)
		cli_die("a table of more than 2 billion entries");
	x->slot = cli_realloc(x->slot, 2 * (size_t)size, sizeof *x->slot);
	memset(x->slot + size, 0, size * sizeof *x->slot);
	x->mask = 2 * size - 1;
	while (x->slot[first].number != 0)
		first++;
	aside = cli_alloc(first + 1, sizeof *aside);
	memcpy(aside, x->slot, first * sizeof *aside);
	memset(x->slot, 0, first * sizeof *aside);
	for (uint32_t i = first; i < size; i++) {
		struct hash_slot s = x->slot[i];

		if (s.number == 0)
			continue;
		x->slot[i].number = 0;
		put(x, s.hash, s.number);
	}
	for (uint32_t i = 0; i < first; i++)
		put(x, aside[i].hash, aside[i].number);
	free(aside);
}

void
hash_index_add(struct hash_index *x, uint32_t hash, uint32_t number)
{
	if (x->slot == NULL) {
		x->mask = SMALLEST - 1;
		x->slot = cli_alloc(SMALLEST, sizeof *x->slot);
	} else if (x->n >= x->mask / 16 * 13) {
		grow(x);
	}
	put(x, hash, number);
	x->n++;
}

void
hash_index_clear(struct hash_index *x)
{
	if (x->slot != NULL)
		memset(x->slot, 0, ((size_t)x->mask + 1) * sizeof *x->slot);
	x->n = 0;
}

void
hash_index_free(struct hash_index *x)
{
	free(x->slot);
	*x = (struct hash_index){0};
}
