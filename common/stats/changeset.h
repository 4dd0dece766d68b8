/*
 * changeset: the changes of many rows, each stored once: most of many functions have one of few
 * changes.
 */
#ifndef CHANGESET_H
#define CHANGESET_H

#include <stddef.h>

#include "base/hash.h"
#include "stats/noisedata.h"

/* All zero when empty. Changes stay where they are until changeset_free. */
struct changeset {
	struct hash_index index; /* of those of changeset_add */
	struct change **block;
	size_t n, cap; /* changes; blocks */
};

/* Returns an equal change of the set, which has it from now on. */
const struct change *changeset_add(struct changeset *s, const struct change *change);

/* Appends a change of one row, which its owner may alter. */
struct change *changeset_own(struct changeset *s, const struct change *change);

void changeset_free(struct changeset *s);

#endif
