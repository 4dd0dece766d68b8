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
 * MODULE_DYNAMIC or MODULE_NAMELESS.
 */
enum module_info elfsym_load(struct module *m, struct rangemap *map);

/* Compares linker names a and b of one address; see rangemap_prefer. */
int elfsym_prefer(const void *a, const void *b);

/* Ranks of symbol bindings, also for kernel symbols. */
enum {
	ELFSYM_WEAK,
	ELFSYM_LOCAL,
	ELFSYM_GLOBAL,
	ELFSYM_FUNCTION = 4, /* added: declared a function, not a bare label */
	ELFSYM_STUB = 8, /* preferred to mold's own stub name, rand$plt */
};

#endif
