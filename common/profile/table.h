/*
 * table: sums by stack, for stacks in any order. A stack takes 16 to 40 bytes, and its text after
 * the bytes that it shares with the one before it in order. Stacks that are added in canonical
 * order are not hashed, until the first one that is not.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/value.h"
#include "profile/folded.h"

struct table {
	unsigned columns;
	uint32_t n, cap; /* numbers of stacks */
	struct value_array sum[CALLTREE_COLUMNS]; /* by number */
	bool unordered; /* a stack came before the one that was added before it */
	size_t bytes; /* of memory that has stacks */

	/* Private to table.c. */
	struct table *joined; /* list, by this member */
	uint32_t ordered; /* numbers below this are in canonical order; UINT32_MAX: all */
	uint32_t *order; /* by place from `ordered` on: number of the stack */
	uint32_t caporder;
	struct table_run *run;
	size_t nrun, caprun;
	struct table_chunk *first, *chunk;
	struct text last; /* the stack at the last place */
	struct table_batch *batch; /* stacks without a place */
	uint64_t *hash; /* by number from `ordered` on: 64 bits of a hash of 96 */
	uint32_t caphash;
	struct hash_index index; /* number + 1 - ordered, with the other 32 bits */
};

struct table *table_new(unsigned columns);
void table_free(struct table *t);

/*
 * Returns the number of a stack. Adds a new stack, with sums of 0. A stack that was added in order
 * may get another number when others are not in order: table_walk adds its sums.
 */
uint32_t table_find(struct table *t, const char *stack, size_t len);
/* table_find of a stack that shares at least `shared` bytes with the last one. */
uint32_t table_find_shared(struct table *t, const char *stack, size_t len, size_t shared);

/*
 * For an unordered table, two steps of table_find. table_hash returns the stack's hash and fetches
 * its place in the index into the processor's cache: with many stacks in no order, table_find
 * waits for memory there.
 */
XXH128_hash_t table_hash(const struct table *t, const char *stack, size_t len);
uint32_t table_find_hashed(struct table *t, const char *stack, size_t len, XXH128_hash_t hash);

/* Adds cell k of `from`, another table's sum of that column, to cell n. */
static inline void
table_carry(struct table *t, uint32_t n, const struct table *from, uint32_t k)
{
	for (unsigned c = 0; c < t->columns; c++)
		value_array_carry(&t->sum[c], n, &from->sum[c], k);
}

/*
 * Adds lines with their values. If they are not in order, a line waits for the next one, so that
 * the table's memory arrives in the meantime. All zero at first; tableadd_end adds the last line.
 */
struct tableadd {
	struct tableadd_line {
		char *stack;
		size_t len, size;
		XXH128_hash_t hash;
		value value[CALLTREE_COLUMNS];
		uint64_t count[CALLTREE_COLUMNS];
	} line[2];
	unsigned at;
	bool waits;
};
void tableadd_line(
    struct tableadd *a, struct table *t, struct str stack, const struct folded_line *l);
void tableadd_end(struct tableadd *a, struct table *t);

/* Sorts the last stacks, which table_walk would do: for a thread that has read its part. */
void table_settle(struct table *t);

/*
 * Adds the stacks of another table with equal columns, which belongs to t from now on. They take
 * memory of their own, and t->n and t->bytes do not count them.
 */
void table_join(struct table *t, struct table *other);

struct table_stack {
	struct str text;
	size_t shared; /* bytes in common with the stack before it, 0 for the first */
};

/*
 * Calls `each` for every stack of a table, in canonical order, with its number in the table t, the
 * same or a joined one. No stack may be added after that. The text is valid in the call.
 */
typedef void table_each(
    void *arg, const struct table *t, uint32_t number, const struct table_stack *stack);
void table_walk(struct table *t, table_each *each, void *arg);

#endif
