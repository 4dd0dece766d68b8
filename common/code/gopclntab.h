/*
 * gopclntab: Go's own table of functions, which the runtime needs for its tracebacks and
 * strip(1) leaves in place: an ELF file goes in, its functions come out by ELF address,
 * and how large their frames are.
 */
#ifndef GOPCLNTAB_H
#define GOPCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/rangemap.h"

struct gopclntab;

/* NULL when the file has no such table, or one that is not known. It needs elf as long. */
struct gopclntab *gopclntab_open(Elf *elf);
void gopclntab_close(struct gopclntab *t);

/* Add all functions with that rank; their names are elf's. Returns how many there are. */
size_t gopclntab_add(const struct gopclntab *t, struct rangemap *map, unsigned rank);

/*
 * How far the stack pointer is below the return address at an address; first says that the
 * function has no caller. False when nothing is known.
 */
bool gopclntab_frame(const struct gopclntab *t, uint64_t vaddr, int32_t *below, bool *first);

#endif
