/*
 * cxxtype: C++ types, parameters and template arguments from the debug information, spelled as
 * the demangler spells them. For cxxname.
 */
#ifndef CXXTYPE_H
#define CXXTYPE_H

#include "base/text.h"
#include "dwarf/dwarfscope.h"

struct cxxprinter {
	struct dwarfscope *scopes;
	struct text out;
	size_t start; /* of the current name with its scopes */
	unsigned depth, steps;
	/* Within the signature of a generic lambda: its operator(), and the number of the `auto`.
	 */
	Dwarf_Die *generic;
	unsigned autos;
};

/* True if the name is too long, too deeply nested, or takes too many steps. */
bool cxx_give_up(struct cxxprinter *p);

/* Calls visit for each child until it returns false. */
void cxx_each_child(struct cxxprinter *p, Dwarf_Die *parent,
    bool (*visit)(struct cxxprinter *, Dwarf_Die *, void *), void *closure);

/* The declaration of a function or class that is defined outside its scope, else die. */
Dwarf_Die cxx_declaration(Dwarf_Die *die);

/* Adds name and template arguments of a function or class. */
void cxx_add_plain(struct cxxprinter *p, Dwarf_Die *die, Dwarf_Die *declared, const char *name);

/* Adds the types of a function's parameters, separated by ", ". */
void cxx_add_parameters(struct cxxprinter *p, Dwarf_Die *function);

/* Adds a function or type with the scopes around it; in cxxname.c. */
void cxx_add_scoped(struct cxxprinter *p, Dwarf_Die *die);

#endif
