/*
 * dwarfdie: attributes of a DIE, or of the DIEs that it is an instance or the definition of.
 */
#ifndef DWARFDIE_H
#define DWARFDIE_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

const char *dwarfdie_string(Dwarf_Die *die, unsigned attribute); /* NULL if missing */
uint64_t dwarfdie_number(Dwarf_Die *die, unsigned attribute); /* 0 if missing */
bool dwarfdie_has(Dwarf_Die *die, unsigned attribute);

/* An attribute of the DIE itself; NULL if missing. libdw opens no split file for it. */
const char *dwarfdie_own_string(Dwarf_Die *die, unsigned attribute);

/* Sets *to to the DIE that an attribute refers to; false if there is none. */
bool dwarfdie_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to);

#endif
