/*
 * copies: parts of a process's memory at a sample, from the records of the BPF program
 * (kernel/walkabi.h).
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/walkabi.h"

#define COPIES_PARTS 9 /* parts of a recipe, at most: runtimes and a label, see recipes.h */

/* Bytes of a process from an address on. */
struct copies_range {
	uint64_t at;
	const unsigned char *bytes;
	size_t n;
};

/* The copies of one sample. */
struct copies {
	const struct copies_range *range; /* by address; several may have the same bytes */
	size_t n;
	uint64_t number; /* of the recipe */
	/* of each part of the recipe, address of the first copy of no bytes; 0: there is none */
	uint64_t start[COPIES_PARTS];
	bool limited; /* the recipe has more steps than the program takes */
	size_t part; /* of the recipe: the last that was begun */
};

/* The copies of a sample whose records arrive, for copies_end. Zeroed at first. */
struct copies_parts {
	struct copies all;
	uint32_t tid;
	unsigned char *bytes; /* of all records */
	size_t nbytes, cap;
	struct copies_range *range;
	size_t caprange;
};

/* Adds n bytes of copies, of a record of thread tid. */
void copies_add(struct copies_parts *p, uint32_t tid, const struct walk_head *head,
    const unsigned char *bytes, size_t n);

/*
 * The copies that were added, if they are of that thread; NULL: there are none, or a record is
 * malformed. Valid until the next copies_add, which starts with none.
 */
const struct copies *copies_end(struct copies_parts *p, uint32_t tid);

void copies_free(struct copies_parts *p);

/* The range that has n bytes from an address on; NULL: there is none. */
const struct copies_range *copies_find(const struct copies *c, uint64_t address, size_t n);

#endif
