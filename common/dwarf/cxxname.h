/*
 * cxxname: names of C++ functions from the debug information, spelled as the demangler of the
 * linker's names spells them. GCC gives functions without external linkage (static ones, those
 * of anonymous namespaces, lambdas and templates of local types) no linkage name, and once they
 * are inlined they have no symbol either.
 */
#ifndef CXXNAME_H
#define CXXNAME_H

#include "dwarf/dwarfscope.h"

/*
 * Returns the name of a function without parameters, as demangle() has it, with all scopes and
 * template arguments:
 *
 *	app::Shop::fill(int)::{lambda(int)#1}::operator()
 *	std::for_each<int*, main::{lambda(auto:1&)#2}>
 *
 * function: a DW_TAG_subprogram of a C++ unit. NULL if it has no name, or the name would be
 * longer than 32 KiB or too deeply nested. The caller frees the result.
 */
char *cxxname(struct dwarfscope *s, Dwarf_Die *function);

#endif
