/*
 * functionsums: self and total values of functions over all their frames, and the heaviest
 * functions.
 */
#ifndef FUNCTIONSUMS_H
#define FUNCTIONSUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "profile/calltree.h"
#include "profile/labels.h"

/* Sums of a function. All zero: a function without frames. */
struct function_sum {
	value self, total; /* total: recursion counts once */
	uint32_t node; /* frame with the largest total; 0: none */
	uint32_t deepest; /* largest number of its calls in one stack */
	uint32_t open, called; /* private */
	value widest; /* private: total of node */
};

/*
 * Returns sums by function number. function[name] is the number of a name's function (one of
 * its names). no_call[name]: its frames are not calls of the function. gap: the name of frames
 * that are their caller's self time (flame charts), or 0. The caller frees.
 */
struct function_sum *summary_functions(const struct calltree *t, unsigned column,
    const uint32_t *function, const bool *no_call, uint32_t gap);

/* A function with its self value; the tree owns the name's bytes. */
struct heavy_function {
	uint32_t name;
	value self;
};

/*
 * Stores the functions with the largest self value in a column, largest first, ties by name,
 * without unsymbolized ones, also by the label build-id. Returns their number, at most `most`.
 */
unsigned summary_heaviest(const struct calltree *t, unsigned column, const struct labels *l,
    struct heavy_function *best, unsigned most);

#endif
