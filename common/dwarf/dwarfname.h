/*
 * dwarfname: a function's name and source location from its DIE.
 */
#ifndef DWARFNAME_H
#define DWARFNAME_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "dwarf/dwarflines.h"
#include "dwarf/dwarfscope.h"

struct dwarfname {
	const char *name; /* demangled, without parameters; NULL: nameless */
	const char *file; /* set by dwarfname_definition; NULL and 0 when unknown */
	unsigned line;
	bool have_definition;
};

/*
 * Replaces die, an inlined, cloned or concrete instance, by its function's DIE. It ends at a DIE
 * that is in names, by address: its attributes were read before, and can be as long as the file.
 */
void dwarfname_origin(const struct intmap *names, Dwarf_Die *die);

/*
 * The name of a function; die must come from dwarfname_origin. *left: most bytes of all further
 * names, which is reduced; a longer name is as none.
 */
struct dwarfname *dwarfname_new(struct dwarfscope *s, Dwarf_Die *die, uint64_t *left);
void dwarfname_definition(struct dwarfname *n, struct dwarflines *lines, Dwarf_Die *die);

/* Source location of an inlined call; NULL and 0 when unknown. */
void dwarfname_call_site(
    struct dwarflines *lines, Dwarf_Die *die, const char **file, unsigned *line);

#endif
