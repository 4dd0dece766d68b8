/*
 * maps: the code that a process has mapped, by address. Mappings go in, in time order, and
 * take the place of what they cover; an address comes out as its mapping. A child
 * shares its parent's until either changes: a copy costs nothing, a change a path.
 */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "code/module.h"

/* One executable mapping. */
struct process_map {
	uint64_t start, end; /* addresses in the process */
	uint64_t offset; /* of start, in the file */
	uint64_t bias; /* pc + bias is the ELF address, once placed */
	struct module *module;
	bool placed;
};

struct maps {
	struct maps_node *root; /* all zero: none */
};

/* Put one that is not empty over what was there. */
void maps_add(struct maps *m, const struct process_map *new);

/* Makes `to` a copy of `from`. */
void maps_copy(struct maps *to, const struct maps *from);

void maps_clear(struct maps *m);

/* What is mapped where, as a keyed hash: equal where that is. */
uint64_t maps_stamp(const struct maps *m);

/*
 * First mapping that ends after addr (it contains addr if any does), or NULL. Valid until m
 * changes.
 */
struct process_map *maps_from(const struct maps *m, uint64_t addr);

#endif
