/*
 * table: sums by stack, where whole stacks as text are the keys and nothing
 * needs their frames.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

struct table_stack {
	const char *text; /* owned by the table, no NUL at its end */
	uint32_t len;
	uint32_t hash;
};

struct table {
	unsigned columns;
	struct table_stack *stack; /* in the order in which they came */
	uint32_t n, cap;
	value *sum; /* of column c of stack i: sum[i * columns + c] */
	uint32_t *slot; /* by hash: number of a stack + 1, 0 for none */
	uint32_t mask;
	struct table_arena *arena;
};

struct table *table_new(unsigned columns);
void table_free(struct table *t);

/* Add one value per column to the sums of a stack; a copy of it is kept when it is new. */
void table_add(struct table *t, const char *stack, size_t len, const value *v);

/* Call each for every stack, in canonical order. */
typedef void table_each(void *arg, const struct table_stack *stack, const value *sum);
void table_walk(const struct table *t, table_each *each, void *arg);

#endif
