/*
 * changeset: blocks of changes, and an index by their bytes.
 */
#include "stats/changeset.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

#define BLOCK 64 /* changes */

struct change *
changeset_own(struct changeset *s, const struct change *change)
{
	size_t block = s->n / BLOCK;
	struct change *own;

	if (s->n % BLOCK == 0) {
		vec_fit(s->block, s->cap, block + 1);
		s->block[block] = cli_alloc(BLOCK, sizeof **s->block);
	}
	own = &s->block[block][s->n++ % BLOCK];
	memcpy(own, change, sizeof *own);
	return own;
}

const struct change *
changeset_add(struct changeset *s, const struct change *change)
{
	uint32_t hash = (uint32_t)hash_bytes(change, sizeof *change);
	const struct change *own;

	/* bytes that fill the structure may differ: then the change is stored twice */
	for (uint32_t at = hash, n; (n = hash_index_next(&s->index, hash, &at)) != 0;) {
		const struct change *other = &s->block[(n - 1) / BLOCK][(n - 1) % BLOCK];

		if (memcmp(other, change, sizeof *other) == 0)
			return other;
	}
	own = changeset_own(s, change);
	hash_index_add(&s->index, hash, (uint32_t)s->n);
	return own;
}

void
changeset_free(struct changeset *s)
{
	for (size_t i = 0; i * BLOCK < s->n; i++)
		free(s->block[i]);
	free(s->block);
	hash_index_free(&s->index);
	*s = (struct changeset){0};
}
