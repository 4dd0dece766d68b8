/*
 * dwarflines: limits on line tables. libdw reads all of the table that a unit names, and makes a
 * path of each file and its directory. In a hostile file tables overlap, so that each unit has one
 * as long as the file, or many files are in a directory whose name is as long.
 */
#ifndef DWARFLINES_H
#define DWARFLINES_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "base/intmap.h"

/* Line tables of several files that were checked. All zero when empty. */
struct dwarflines {
	struct intmap sections; /* by Dwarf: struct dwarflines_section */
	struct intmap skeletons; /* by Dwarf_CU of a split unit: Dwarf_Die of its skeleton unit */
};

/* True if libdw may read the line table of a unit. */
bool dwarflines_fit(struct dwarflines *l, Dwarf_Die *unit);

/*
 * The skeleton, which must live as long as l, has the table of a split unit's files: one that the
 * object file has is that of its type units.
 */
void dwarflines_link(struct dwarflines *l, const Dwarf_Die *split, Dwarf_Die *skeleton);

/* The files of a unit; false if there are none, or libdw may not read their table. */
bool dwarflines_files(struct dwarflines *l, Dwarf_Die *unit, Dwarf_Files **files, size_t *n);

#endif
