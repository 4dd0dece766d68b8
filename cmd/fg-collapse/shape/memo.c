/*
 * memo: an open-addressing hash table that grows fourfold up to its limit.
 */
#include "fg-collapse/shape/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/compat.h"

#define HUGE_PAGE (2u << 20)

/*
 * Lookups hit random pages, so huge pages are requested. All slots are written at once: a
 * page that is read first maps the shared zero page, and replacing that later interrupts
 * all other threads.
 */
static struct memo_slot *
new_slots(uint32_t n)
{
	size_t size = n * sizeof(struct memo_slot);
	void *slots;

	if (posix_memalign(&slots, size >= HUGE_PAGE ? HUGE_PAGE : 64, size) != 0)
		cli_die("out of memory");
	if (size >= HUGE_PAGE)
		compat_huge_pages(slots, size);
	return memset(slots, 0, size);
}

void
memo_init(struct memo *m, uint32_t slots, uint32_t most)
{
	*m = (struct memo){new_slots(slots), 0, slots - 1, most};
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
	uint32_t i = (uint32_t)slot.key.lo & m->mask;

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
	m->slot = new_slots(slots);
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
	put(m, (struct memo_slot){key, number});
	m->n++;
}
