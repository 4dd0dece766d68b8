/*
 * dwarfsplit: checks of split DWARF files (.dwo), which libdw opens by the name in a skeleton unit.
 */
#ifndef DWARFSPLIT_H
#define DWARFSPLIT_H

#include <stdbool.h>

#include <elfutils/libdw.h>

/*
 * True if libdw may open the split file of a unit: each file that it tries is a regular one, not a
 * FIFO or device on which it would block, and within dwarflimit's limits. file: path of the file
 * with the skeleton unit, whose directory it tries first; or NULL.
 */
bool dwarfsplit_fits(Dwarf_Die *unit, const char *file);

#endif
