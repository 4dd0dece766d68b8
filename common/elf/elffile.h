/*
 * elffile: an open executable file with its segments, ELF handle and debug information, its own
 * or a separate file's. Each file has its own libdwfl session, at the file's own addresses.
 */
#ifndef ELFFILE_H
#define ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <libelf.h>

#include "elf/elfinflate.h"
#include "elf/moduleinfo.h"

/* All zero: the file could not be opened; no segments, all pointers are NULL. */
struct elffile {
	Elf *elf;
	int fd; /* of elf; -1 after elffile_close_descriptor */
	const char *path;
	Dwfl_Module *main;
	Dwarf *dwarf; /* see elffile_dwarf */
	struct module_places places; /* set by elffile_dwarf */
	Dwarf *shared; /* dwz file of dwarf, or NULL */
	bool tried_dwarf;
	bool no_lines; /* set after elffile_open: dwarf is used without lines */
	struct elfinflate inflated;
	struct elffile_segment {
		uint64_t offset, vaddr, size; /* in the file */
		bool executable;
	} * segment;
	size_t nsegment;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	bool owned; /* dwfl owns elf */
	char *debug_path; /* directories of separate debug files */
};

/*
 * Opens a program or library; takes over fd. path (used to find debug files beside it) stays
 * the caller's and must outlive f; debug names further directories, as in
 * Dwfl_Callbacks.debuginfo_path. f must be all zero, and must not move afterwards. False if it
 * is not an ELF program or library.
 */
bool elffile_open(struct elffile *f, const char *name, const char *path, const char *debug, int fd);

/*
 * Closes the descriptor to save it; DWARF opened later cannot find debug files beside the
 * program.
 */
void elffile_close_descriptor(struct elffile *f);

void elffile_close(struct elffile *f);

/* See module_vaddr and module_dwarf. */
uint64_t elffile_vaddr(const struct elffile *f, uint64_t offset);
Dwarf *elffile_dwarf(struct elffile *f);

#endif
