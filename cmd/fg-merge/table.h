/*
 * table: sums by stack, where whole stacks as text are the keys and nothing
 * needs their frames. A stack takes 31 to 40 bytes and its text.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/value.h"
#include "profile/calltree.h"
#include "profile/folded.h"

struct table {
	unsigned columns;
	const char **text; /* of each stack, in the order in which they came; see table_text */
	uint16_t *order; /* of each batch of them: which is the first, the second ... */
	uint32_t n, cap, caporder;
	struct value_array sum[CALLTREE_COLUMNS]; /* by stack */
	struct hash_index index; /* number + 1 */
	struct table_arena *arena;
};

struct table *table_new(unsigned columns);
void table_free(struct table *t);

/* The number of a stack. A copy of it is kept when it is new, with sums that are 0. */
uint32_t table_find(struct table *t, const char *stack, size_t len);

/* What table_find kept. */
struct str table_text(const struct table *t, uint32_t number);

/* Call each for every stack, in canonical order. No stack may be added any more. */
typedef void table_each(void *arg, const struct table *t, uint32_t number);
void table_walk(struct table *t, table_each *each, void *arg);

#endif
