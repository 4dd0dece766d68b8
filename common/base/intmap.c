/*
 * intmap: open addressing, linear probing, at most half full.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/intmap.h"

static struct intmap_slot *
place(const struct intmap *m, uint64_t key)
{
	size_t i = (size_t)(hash_number(key) >> 32);

	for (;; i++) {
		struct intmap_slot *s = &m->slot[i & (m->size - 1)];

		if (s->value == NULL || s->key == key)
			return s;
	}
}

static void
grow(struct intmap *m)
{
	struct intmap old = *m;

	m->size = old.size == 0 ? 64 : 2 * old.size;
	m->slot = cli_alloc(m->size, sizeof *m->slot);
	m->n = 0;
	for (size_t i = 0; i < old.size; i++)
		if (old.slot[i].value != NULL) {
			*place(m, old.slot[i].key) = old.slot[i];
			m->n++;
		}
	free(old.slot);
}

void **
intmap_at(struct intmap *m, uint64_t key)
{
	struct intmap_slot *s;

	if (2 * (m->n + 1) > m->size)
		grow(m);
	s = place(m, key);
	if (s->value == NULL) {
		s->key = key;
		m->n++;
	}
	return &s->value;
}

void *
intmap_get(const struct intmap *m, uint64_t key)
{
	return m->size > 0 ? place(m, key)->value : NULL;
}

void
intmap_free_values(struct intmap *m)
{
	for (size_t i = 0; i < m->size; i++)
		free(m->slot[i].value);
	free(m->slot);
	*m = (struct intmap){0};
}
