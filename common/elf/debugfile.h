/*
 * debugfile: finds a program's separate debug files, beside the program and below its own root
 * directory. Both locations are untrusted: each file is checked before it is opened
 * (opener_file), since opening a FIFO would block forever.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include <stdbool.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/sandbox.h"

/*
 * Grants debuginfod's needs in the sandbox: sockets, files of the resolver, certificates, and its
 * cache directory, which is created if missing ($DEBUGINFOD_CACHE_PATH, else debuginfod_client in
 * $XDG_CACHE_HOME or ~/.cache).
 */
void debugfile_network(struct sandbox *s);

/*
 * As Dwfl_Callbacks.find_debuginfo, with the string that the callbacks' debuginfo_path points to.
 */
int debugfile_find(char **debug_path, Dwfl_Module *mod, void **userdata, const char *name,
    Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found);

/*
 * Attaches to d, the debug information of that file, the dwz file that it refers to. *shared is
 * the dwz file, to be freed by dwarf_end after d, or NULL. False when d must not be used: libdw
 * would search for the dwz file by itself, without our checks.
 */
bool debugfile_share(Dwarf *d, const char *file, Dwarf **shared);

#endif
