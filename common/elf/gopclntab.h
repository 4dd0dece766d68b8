/*
 * gopclntab: functions of an ELF file by address, and their frame sizes, from Go's own function
 * table. The Go runtime needs it for tracebacks, so strip(1) keeps it.
 */
#ifndef GOPCLNTAB_H
#define GOPCLNTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/rangemap.h"

struct gopclntab;

/*
 * NULL when the file has no such table, or an unknown version of it. elf must outlive the
 * result.
 */
struct gopclntab *gopclntab_open(Elf *elf);
void gopclntab_close(struct gopclntab *t);

/* Adds all functions with that rank; elf owns their names. Returns their number. */
size_t gopclntab_add(const struct gopclntab *t, struct rangemap *map, unsigned rank);

/*
 * Sets *below to the distance in bytes from the stack pointer up to the return address, and
 * *first if the function has no caller. False when unknown.
 */
bool gopclntab_frame(struct gopclntab *t, uint64_t vaddr, int32_t *below, bool *first);

/*
 * True if the instruction at an address is of a call that was inlined into its function. False
 * also when unknown: before Go 1.18.
 */
bool gopclntab_is_inlined(struct gopclntab *t, uint64_t vaddr);

/* Finds a function by its name: its first address, and the one after its last. */
bool gopclntab_function(
    const struct gopclntab *t, const char *name, uint64_t *start, uint64_t *end);

#endif
