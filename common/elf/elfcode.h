/*
 * elfcode: the machine code of an ELF file, and the functions that it calls,
 * by which starts of functions are found in a stripped file.
 */
#ifndef ELFCODE_H
#define ELFCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libelf.h>

#include "base/rangemap.h"
#include "elf/elfmachine.h"

struct elfcode {
	const unsigned char *bytes; /* of the ELF handle's image */
	size_t n;
	uint64_t start; /* the address of bytes */
	const struct elfmachine *machine;
};

/* The name of the ranges that elfcode_add_called adds: "". */
extern const char elfcode_called[];

/*
 * Finds the code of a file: the largest executable segment, since old linkers write one,
 * new ones at most another with stubs. False if the file has none, or is of a machine that
 * elfmachine() does not know: then c has the bytes only.
 */
bool elfcode_find(Elf *elf, struct elfcode *c);

/*
 * Adds the starts of functions that a stripped file has no symbols for, as open ranges with the
 * name "": targets of direct calls, and addresses that the code takes to pass them on. Adds none
 * in more than 4 MiB of code.
 */
void elfcode_add_called(const struct elfcode *c, struct rangemap *functions);

#endif
