/*
 * maps: the executable mappings of a process, by address. Mappings are added in time order and
 * replace those that they cover. A child process shares its parent's tree until either changes: a
 * copy costs nothing, a change copies one path of the tree.
 */
#ifndef MAPS_H
#define MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/module.h"

/* One executable mapping. */
struct process_map {
	uint64_t start, end; /* addresses in the process */
	uint64_t offset; /* offset in the file of start */
	uint64_t bias; /* pc + bias is the ELF address, once it has been computed */
	struct module *module;
	bool placed;
};

struct maps {
	struct maps_node *root; /* NULL: no mappings */
};

/* Add a non-empty mapping; it replaces whatever it covers. */
void maps_add(struct maps *m, const struct process_map *new);

/* Makes `to` a copy of `from`. */
void maps_copy(struct maps *to, const struct maps *from);

void maps_clear(struct maps *m);

/* Keyed hash of all mappings: equal if the mappings are equal. */
uint64_t maps_stamp(const struct maps *m);

/*
 * First mapping that ends after addr (it contains addr if any does), or NULL. Valid until m
 * changes.
 */
struct process_map *maps_from(const struct maps *m, uint64_t addr);

#endif
