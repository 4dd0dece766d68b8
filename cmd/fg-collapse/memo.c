/*
 * memo: open addressing that grows fourfold up to its bound.
 */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

void
memo_init(struct memo *m, uint32_t slots, uint32_t most)
{
	*m = (struct memo){cli_alloc(slots, sizeof *m->slot), 0, slots - 1, most};
}

void
memo_free(struct memo *m)
{
	free(m->slot);
	m->slot = NULL;
}

void
memo_clear(struct memo *m)
{
	memset(m->slot, 0, ((size_t)m->mask + 1) * sizeof *m->slot);
	m->n = 0;
}

static void
put(struct memo *m, struct memo_slot slot)
{
	uint32_t i = (uint32_t)slot.lo & m->mask;

	while (m->slot[i].number != 0)
		i = (i + 1) & m->mask;
	m->slot[i] = slot;
}

static void
grow(struct memo *m)
{
	struct memo old = *m;
	uint32_t slots = old.mask + 1;

	slots = slots <= m->most / 4 ? 4 * slots : m->most;
	m->slot = cli_alloc(slots, sizeof *m->slot);
	m->mask = slots - 1;
	for (uint32_t i = 0; i <= old.mask; i++)
		if (old.slot[i].number != 0)
			put(m, old.slot[i]);
	memo_free(&old);
}

void
memo_put(struct memo *m, struct memo_key key, uint32_t number)
{
	if (m->n > m->mask - m->mask / 4 && m->mask + 1 < m->most)
		grow(m);
	put(m, (struct memo_slot){key.lo, (uint32_t)key.hi, number});
	m->n++;
}
