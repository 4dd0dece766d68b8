/*
 * dwarfname: a function's DIE goes in, what it is called and where it was written
 * come out.
 */
#ifndef DWARFNAME_H
#define DWARFNAME_H

#include <stdbool.h>

#include <elfutils/libdw.h>

#include "base/intmap.h"

struct dwarfname {
	const char *name; /* demangled, without parameters; NULL when it has none */
	const char *file; /* set by dwarfname_definition; NULL and 0 when unknown */
	unsigned line;
	bool have_definition;
};

/* Children of the DIEs that were searched for scopes, by the parent's address. All zero at first.
 */
struct dwarfname_scopes {
	struct intmap children;
};

/* Go on to the function of which die is an inlined, cloned or concrete instance. */
void dwarfname_origin(Dwarf_Die *die);

/* Of a function's DIE as dwarfname_origin leaves it. */
struct dwarfname *dwarfname_new(struct dwarfname_scopes *s, Dwarf_Die *die);
void dwarfname_definition(struct dwarfname *n, Dwarf_Die *die);

/* Where an inlined call stands in its caller's source; NULL and 0 when it is not said. */
void dwarfname_call_site(Dwarf_Die *die, const char **file, unsigned *line);

/*
 * Whether the file that a skeleton unit names for its split half may be opened:
 * false for FIFOs and devices, on which libdw would wait.
 */
bool dwarfname_split_is_file(Dwarf_Die *unit);

#endif
