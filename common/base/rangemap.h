/*
 * rangemap: the innermost of overlapping or nested address ranges (symbols, functions,
 * compilation units) at an address.
 */
#ifndef RANGEMAP_H
#define RANGEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANGEMAP_NONE UINT32_MAX

struct range {
	uint64_t start, end; /* end is exclusive */
	const void *what; /* owned by the caller */
	uint32_t outer; /* next candidate when the address is beyond end */
	uint16_t rank; /* of ranges with equal start the highest wins */
	bool open; /* ends at the next range's start, at most at end */
};

/* All zero when empty. */
struct rangemap {
	struct range *range;
	size_t n, size;
};

/* Adds a range, before rangemap_finish. Skips empty ones. */
void rangemap_add(
    struct rangemap *m, uint64_t start, uint64_t end, bool open, const void *what, unsigned rank);

/*
 * Call after the last addition. If no range is open, more may be added and this called again.
 * prefer, or NULL, decides between ranges of equal start, rank and openness: > 0 when a wins.
 */
typedef int rangemap_prefer(const void *a, const void *b);
void rangemap_finish(struct rangemap *m, rangemap_prefer *prefer);

/* The innermost range that contains address, or NULL. */
const struct range *rangemap_find(const struct rangemap *m, uint64_t address);

#endif
