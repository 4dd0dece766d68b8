/*
 * summary: the functions of a profile that have the most, over all their frames.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "profile/calltree.h"

/* What a function amounts to. Zeroed memory of one is that of a function without frames. */
struct function_sum {
	value self, total; /* total: recursion counts once */
	uint32_t node; /* its frame with the largest total, 0 for none */
	uint32_t deepest; /* the most of its frames in one stack */
	uint32_t open; /* private */
};

/*
 * Sums by number of function. function[name] is the number, one of the names, that stands
 * for all names of a function. gap: the name of frames that are their caller's own time
 * (flame charts), or 0. The caller frees.
 */
struct function_sum *summary_functions(
    const struct calltree *t, unsigned column, const uint32_t *function, uint32_t gap);

/*
 * The number of the function that each name is of: its module, text and file, whatever the
 * line and the annotations; the smallest number of its names. The caller frees.
 */
uint32_t *summary_numbers(const struct calltree *t);

/* A function with its self value; the name's bytes are the tree's. */
struct heavy_function {
	uint32_t name;
	value self;
};

/*
 * The functions with the largest self in a column, largest first, equal ones in order of
 * their names; those without a symbol are left out. Returns how many there are, at most
 * `most`.
 */
unsigned summary_heaviest(
    const struct calltree *t, unsigned column, struct heavy_function *best, unsigned most);

#endif
