/*
 * rename: functions that have another name in head: one function went and another one came, with
 * the same main caller, the same main callee and a similar cost. Functions without a callee have
 * little in common by that: a part of their names must be the same, or their costs, if exact.
 */
#ifndef RENAME_H
#define RENAME_H

#include "fg-diff/compare.h"
#include "fg-diff/mergedtree.h"

#define RENAMES_MAX 100

struct rename {
	const struct row *gone, *come;
	bool costs_more; /* or less: by more than noise */
};

/* True if each side has a function that the other one does not: only then renames are possible. */
bool renames_possible(const struct comparison *c);

/* Finds at most RENAMES_MAX renames, the largest in base first; returns their number. */
size_t renames_find(
    const struct comparison *c, const struct mergedtree *tree, struct rename rename[RENAMES_MAX]);

#endif
