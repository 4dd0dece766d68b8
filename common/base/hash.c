/*
 * hash: the process's key, and the index.
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

/* Where getrandom is refused (an old kernel, a sandbox), the clock and the stack's place are better
 * than nothing. */
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

void
hash_index_add(struct hash_index *x, uint32_t hash, uint32_t number)
{
	if (x->slot == NULL || x->n >= x->mask - x->mask / 4) {
		struct hash_index old = *x;

		x->mask = old.slot != NULL ? 2 * old.mask + 1 : SMALLEST - 1;
		x->slot = cli_alloc((size_t)x->mask + 1, sizeof *x->slot);
		for (uint32_t i = 0; old.slot != NULL && i <= old.mask; i++)
			if (old.slot[i].number != 0)
				put(x, old.slot[i].hash, old.slot[i].number);
		free(old.slot);
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
