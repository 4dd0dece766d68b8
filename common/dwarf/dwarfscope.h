/*
 * dwarfscope: the DIEs around a DIE. A DIE has no reference to its parent, so the children of
 * every DIE on the way are cached.
 */
#ifndef DWARFSCOPE_H
#define DWARFSCOPE_H

#include <stddef.h>

#include <elfutils/libdw.h>

#include "base/intmap.h"

#define DWARFSCOPE_MAX 128

/*
 * Cache of the children of DIEs, by the parent's address. left: most children of further DIEs; more
 * than the file has bytes are DIEs that overlap.
 */
struct dwarfscope {
	struct intmap children;
	uint64_t left;
};

/*
 * Sets path to the DIEs around target, outermost first, without target and its unit. Returns
 * their number.
 */
size_t dwarfscope_path(struct dwarfscope *s, Dwarf_Die *target, Dwarf_Die path[DWARFSCOPE_MAX]);

#endif
