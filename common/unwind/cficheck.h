/*
 * cficheck: limits on call frame information. libdw executes the program of an FDE for each
 * address: a hostile one is as long as the file, stores many states, or names a register with a
 * number of millions, for each of which libdw allocates memory.
 */
#ifndef CFICHECK_H
#define CFICHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gelf.h>

#include "base/intmap.h"

/* The .eh_frame that libdw uses, or a .debug_frame. All zero: none. */
struct cficheck {
	Elf_Data *data;
	const unsigned char *file; /* of nfile bytes */
	size_t nfile;
	uint64_t address, offset; /* of data, in memory and in the file */
	/* .eh_frame_hdr: ntable pairs of offsets from base, of a function and its FDE */
	const unsigned char *table;
	uint64_t base;
	uint32_t ntable;
	bool is_eh;
	uint64_t left; /* bytes of the entries that are not checked yet, at most */
	uint64_t long_left; /* bytes of long entries that libdw may still execute */
	struct intmap known; /* by offset: the length of an entry; 1: it exceeds the limits */
};

/*
 * Finds .eh_frame and its table. False if libdw must not use it: the file has none, the table has
 * an encoding that linkers do not write, or it lacks a table and an entry exceeds the limits.
 */
bool cficheck_open(struct cficheck *c, Elf *elf);

/* True if libdw may search for an address, once: long entries are limited by all their searches. */
bool cficheck_address(struct cficheck *c, uint64_t vaddr);

/* True if all entries of a section, .debug_frame, are within the limits. */
bool cficheck_section(Elf *elf, Elf_Data *data);

/* Frees what c holds, not c. */
void cficheck_close(struct cficheck *c);

#endif
