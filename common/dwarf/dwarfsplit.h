/*
 * dwarfsplit: the units of split debug information. A program compiled with -gsplit-dwarf has
 * skeleton units, with lines and addresses; their functions are in split units, of an object file
 * (.dwo) or of the program's package (.dwp).
 */
#ifndef DWARFSPLIT_H
#define DWARFSPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "dwarf/dwarfrange.h"
#include "elf/moduleinfo.h"

struct dwarfsplit;

/* A split unit that was found. */
struct dwarfsplit_unit {
	Dwarf_Die die, skeleton;
	struct dwarfrange_unit ranges;
	uint64_t bytes; /* of files that no earlier unit had; 0: it is in one of these */
};

/* places must live as long as the result. */
struct dwarfsplit *dwarfsplit_new(const struct module_places *places);

/*
 * The split unit of a skeleton unit; NULL if there is none, or reading it would not be
 * proportional to its bytes. The files are opened by opener_file, not by libdw.
 */
const struct dwarfsplit_unit *dwarfsplit_find(struct dwarfsplit *s, Dwarf_Die *skeleton);

/* The split unit of a DIE; NULL if it is in another unit. */
const struct dwarfsplit_unit *dwarfsplit_of(const struct dwarfsplit *s, const Dwarf_Die *die);

/* The first file that was not found: "PACKAGE.dwp or FILE.dwo"; NULL if none is missing. */
const char *dwarfsplit_missing(const struct dwarfsplit *s);

#endif
