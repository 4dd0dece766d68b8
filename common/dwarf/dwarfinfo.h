/*
 * dwarfinfo: an ELF address to its function and inlined calls, with source lines, by one file's
 * debug information. Each unit and function is parsed at the first address in it.
 */
#ifndef DWARFINFO_H
#define DWARFINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "dwarf/symbolframe.h"
#include "elf/moduleinfo.h"

struct dwarfinfo;

/*
 * NULL if reading it would not be proportional to its bytes; see dwarflimit. places: of its split
 * files; it must live as long as the result.
 */
struct dwarfinfo *dwarfinfo_new(Dwarf *dwarf, const struct module_places *places);

/* The first split file that a lookup needed and did not find, in words; or NULL. */
const char *dwarfinfo_missing(const struct dwarfinfo *d);

/*
 * Stores the frames at an address, innermost first, at most max; returns their number. flags
 * are those of symbolframe.h. named: the caller has the function's name, so it may be omitted
 * (names of inlined functions are always set). 0 when no unit covers the address. If a unit does,
 * but without a function or its name, one frame has a NULL function and perhaps a line. Strings
 * live as long as the Dwarf.
 */
size_t dwarfinfo_find(struct dwarfinfo *d, uint64_t address, unsigned flags, bool named,
    struct symbol_frame *frames, size_t max);

#endif
