/*
 * elffile: an open executable file goes in; its segments, its ELF handle and its
 * debug information, its own or a separate file's, come out. Each is a libdwfl
 * session of its own at the file's own addresses.
 */
#ifndef ELFFILE_H
#define ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <libelf.h>

/* All zero is one that could not be opened: it has no segments and its pointers are NULL. */
struct elffile {
	Elf *elf;
	int fd; /* of elf, -1 when it needs none any more */
	const char *path;
	Dwfl_Module *main;
	Dwarf *dwarf; /* see elffile_dwarf */
	Dwarf *shared; /* what dwz moved out of dwarf, or NULL */
	bool tried_dwarf;
	struct elffile_segment {
		uint64_t offset, vaddr, size; /* in the file */
		bool executable;
	} * segment;
	size_t nsegment;
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
	bool owned; /* elf is dwfl's */
	char *debug_path; /* where separate debug information is looked for */
};

/*
 * Open a program or library of that name and path, the latter to find separate debug
 * information beside it; `debug` names further folders, as Dwfl_Callbacks.debuginfo_path
 * does. fd is taken over; path stays the caller's and has to live as long. f must be
 * all zero, and must not move afterwards. False when it is no ELF program or library.
 */
bool elffile_open(struct elffile *f, const char *name, const char *path, const char *debug, int fd);

/* Its descriptor is needed elsewhere; but DWARF that is not open yet loses files beside it. */
void elffile_close_descriptor(struct elffile *f);

/* Free all. */
void elffile_close(struct elffile *f);

/* See module_vaddr and module_dwarf. */
uint64_t elffile_vaddr(const struct elffile *f, uint64_t offset);
Dwarf *elffile_dwarf(struct elffile *f);

#endif
