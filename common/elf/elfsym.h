/*
 * elfsym: the functions of an ELF file, as a rangemap from ELF addresses to linker names.
 * Sources: the symbol table of the file or of its debug file; else .gnu_debugdata with the
 * dynamic symbols; Go's own table for stripped Go programs. Stubs into other libraries are
 * NAME@plt.
 */
#ifndef ELFSYM_H
#define ELFSYM_H

#include "elf/module.h"
#include "base/rangemap.h"

/*
 * Fills map, whose `what` are names that live as long as the module. Returns MODULE_SYMBOLS,
 * MODULE_GO, MODULE_DYNAMIC or MODULE_NAMELESS.
 */
enum module_info elfsym_load(struct module *m, struct rangemap *map);

#endif
