/*
 * elftable: the symbol tables and relocations of an ELF file. Together they have at most the
 * bytes of the file: more are tables that overlap, which only hostile files have, and are skipped.
 */
#ifndef ELFTABLE_H
#define ELFTABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <gelf.h>

/* Bits of the section types to visit. */
enum { ELFTABLE_SYMTAB = 1, ELFTABLE_DYNSYM = 2, ELFTABLE_RELA = 4 };

/*
 * Bytes of a symbol's name that are compared or searched. Names can overlap: in a hostile file each
 * symbol has one that is as long as the file.
 */
#define ELFTABLE_NAME 8192

struct elftable {
	Elf *elf;
	unsigned types;
	Elf_Scn *section;
	size_t left; /* bytes */
	GElf_Shdr header;
	Elf_Data *data; /* of the current table; valid as long as elf */
};

/* Begins before the first table. elf may be NULL: no tables. */
struct elftable elftable_begin(Elf *elf, unsigned types);

/* Moves to the next table and sets section, header and data; false at the end. */
bool elftable_next(struct elftable *t);

/* The first section with that name after another one, or of all for NULL; NULL if there is none. */
Elf_Scn *elftable_section(Elf *elf, Elf_Scn *after, const char *name);

/*
 * Data of a section of debug information, as ".debug_line", which libdw has decompressed; NULL if
 * there is none. Split files' names end with .dwo, those of old compressed sections begin with .z.
 */
Elf_Data *elftable_debug(Elf *elf, const char *name);

/*
 * Sets the data of a section, for libelf's and libdw's later calls; false if that is impossible.
 * The bytes must live as long as the file.
 */
bool elftable_set_data(Elf_Scn *section, void *bytes, size_t n);

#endif
