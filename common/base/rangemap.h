/*
 * rangemap: ranges of addresses that may overlap and nest go in, the innermost
 * one that holds an address comes out: symbols, functions, compilation units.
 */
#ifndef RANGEMAP_H
#define RANGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGEMAP_NONE UINT32_MAX

struct range {
	uint64_t start, end; /* end is not in it */
	const void *what; /* the caller's */
	uint32_t outer; /* where to look on when the address is past end */
	uint16_t rank; /* among ranges that begin together the highest wins */
	bool open; /* end is only its limit: it ends where the next one begins */
};

/* All zero is an empty one. */
struct rangemap {
	struct range *range;
	size_t n, size;
};

/* Add a range, before rangemap_finish. Empty ones are left out. */
void rangemap_add(
    struct rangemap *m, uint64_t start, uint64_t end, bool open, const void *what, unsigned rank);

/*
 * After the last one; more may be added later, and this called again, when none is
 * open. prefer, or NULL, decides between two of equal start, rank and
 * openness: above zero when a is to win.
 */
typedef int rangemap_prefer(const void *a, const void *b);
void rangemap_finish(struct rangemap *m, rangemap_prefer *prefer);

/* The innermost range that holds address, or NULL. */
const struct range *rangemap_find(const struct rangemap *m, uint64_t address);

#endif
