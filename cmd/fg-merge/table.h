/*
 * table: sums by stack, with the text of complete stacks as keys. A stack takes 31 to 40 bytes
 * and its text.
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
	const char **text; /* of each stack, in order of insertion; see table_text */
	uint16_t *order; /* of each batch: indexes of its stacks in canonical order */
	uint32_t n, cap, caporder;
	struct value_array sum[CALLTREE_COLUMNS]; /* by stack */
	struct hash_index index; /* number of the stack + 1 */
	struct table_arena *arena;
};

struct table *table_new(unsigned columns);
void table_free(struct table *t);

/* Returns the number of a stack. Adds a copy of a new stack, with sums of 0. */
uint32_t table_find(struct table *t, const char *stack, size_t len);

/*
 * Two steps of table_find. table_hash returns the stack's hash and fetches its place in the index
 * into the processor's cache: with many stacks in no order, table_find waits for memory there.
 */
uint32_t table_hash(const struct table *t, const char *stack, size_t len);
uint32_t table_find_hashed(struct table *t, const char *stack, size_t len, uint32_t hash);

/* The text of a stack. Owned by the table. */
struct str table_text(const struct table *t, uint32_t number);

/* Calls `each` for every stack, in canonical order. No stack may be added after that. */
typedef void table_each(void *arg, const struct table *t, uint32_t number);
void table_walk(struct table *t, table_each *each, void *arg);

#endif
