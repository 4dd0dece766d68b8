/*
 * dwarfpackage: a package of split debug information (.dwp): the sections of many object files,
 * and an index from a unit's id to its part of each (DWARF 5, section 7.3.5; version 2 is GNU's,
 * for DWARF 4).
 */
#ifndef DWARFPACKAGE_H
#define DWARFPACKAGE_H

#include <stdint.h>

#include <elfutils/libdw.h>
#include <libelf.h>

struct dwarfpackage;

/* NULL if the file has no index of units. elf must live as long as the result. */
struct dwarfpackage *dwarfpackage_new(Elf *elf);

/*
 * The unit with that id, as libdw sees its object file; NULL if there is none, or reading it would
 * not be proportional to the package's bytes. It lives as long as the package.
 */
Dwarf *dwarfpackage_unit(struct dwarfpackage *p, uint64_t id);

#endif
