/*
 * elfsym: an ELF file goes in, its functions come out as a rangemap from ELF
 * addresses to linkers' names: those of the symbol table (of the file, of its
 * separate debug file, or of its .gnu_debugdata and dynamic symbols together, or of Go's
 * own table where a program of Go was stripped), and NAME@plt for the stubs that lead into other
 * libraries.
 */
#ifndef ELFSYM_H
#define ELFSYM_H

#include "code/module.h"
#include "base/rangemap.h"

/*
 * Fill map, whose `what` are names that live as long as the module. Returns
 * MODULE_SYMBOLS, MODULE_DYNAMIC or MODULE_NAMELESS.
 */
enum module_info elfsym_load(struct module *m, struct rangemap *map);

/* Whether linker's name a is the better of two for one address; see rangemap_prefer. */
int elfsym_prefer(const void *a, const void *b);

/* Ranks of a binding, for the kernel's symbols too. */
enum {
	ELFSYM_WEAK,
	ELFSYM_LOCAL,
	ELFSYM_GLOBAL,
	ELFSYM_FUNCTION = 4, /* added to the others: declared a function, not a bare label */
	ELFSYM_STUB = 8, /* before mold's own name for it, rand$plt */
};

#endif
