/*
 * dwarfname: a function's name and source location from its DIE.
 */
#ifndef DWARFNAME_H
#define DWARFNAME_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "code/dwarfscope.h"

struct dwarfname {
	const char *name; /* demangled, without parameters; NULL: nameless */
	const char *file; /* set by dwarfname_definition; NULL and 0 when unknown */
	unsigned line;
	bool have_definition;
};

/* Replaces die, an inlined, cloned or concrete instance, by its function's DIE. */
void dwarfname_origin(Dwarf_Die *die);

/* Name and definition of a function; die must come from dwarfname_origin. */
struct dwarfname *dwarfname_new(struct dwarfscope *s, Dwarf_Die *die);
void dwarfname_definition(struct dwarfname *n, Dwarf_Die *die);

/* Source location of an inlined call; NULL and 0 when unknown. */
void dwarfname_call_site(Dwarf_Die *die, const char **file, unsigned *line);

/*
 * True if the split file that a skeleton unit names may be opened: not FIFOs and devices, on
 * which libdw would block.
 */
bool dwarfname_split_is_file(Dwarf_Die *unit);

#endif
