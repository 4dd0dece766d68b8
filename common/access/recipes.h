/*
 * recipes: joins recipes of the BPF program (kernel/walkabi.h), since a process has one: each part
 * is that of a reader.
 */
#ifndef RECIPES_H
#define RECIPES_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/walkabi.h"

/* The parts that were added so far. Zeroed at first. */
struct recipes {
	struct walk_step step[WALK_STEPS];
	size_t n, parts;
};

/*
 * Adds a part, whose number is that of parts before it; false if there are too many steps. The only
 * part is not changed. The first copy of no bytes of a part is its start (struct copies).
 */
bool recipes_add(struct recipes *r, const struct walk_step part[WALK_STEPS]);

#endif
