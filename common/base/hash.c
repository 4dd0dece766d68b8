/*
 * hash: chooses the random keys of the process; grows the index.
 */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"

#define SMALLEST 256 /* slots */

uint64_t hash_key[2];
uint8_t hash_secret[HASH_SECRET];

/* If getrandom fails (old kernel, sandbox), the key is from the clock and the stack's address. */
__attribute__((constructor)) static void
draw(void)
{
	struct timespec now;

	if (getrandom(hash_key, sizeof hash_key, GRND_NONBLOCK) != sizeof hash_key) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		hash_key[0] = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)getpid();
		hash_key[1] = (uint64_t)(uintptr_t)&now ^ (uint64_t)now.tv_sec;
	}
	hash_key[0] |= 1;
	hash_key[1] |= 1;
	XXH3_generateSecret_fromSeed(hash_secret, hash_key[0]);
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
