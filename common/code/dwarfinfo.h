/*
 * dwarfinfo: the debug information of one file and an ELF address go in, the
 * function there and what was inlined into it come out, with source lines. Each
 * unit and function is looked into when the first address falls into it.
 */
#ifndef DWARFINFO_H
#define DWARFINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>

#include "code/symbol.h"

struct dwarfinfo;

struct dwarfinfo *dwarfinfo_new(Dwarf *dwarf);

/*
 * Write the frames at an address into frames, innermost first, at most max; the
 * flags are symbol.h's; with `named` the caller knows the function's name (not that
 * of the inlined ones) from elsewhere, and it may be left out. 0 when no unit knows
 * the address. When a unit does, but without a function or without its name, there is
 * one frame whose function is NULL and whose line may be known. Strings live as long as the Dwarf.
 */
size_t dwarfinfo_find(struct dwarfinfo *d, uint64_t address, unsigned flags, bool named,
    struct symbol_frame *frames, size_t max);

#endif
