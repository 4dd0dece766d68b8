/*
 * debugfile: the separate files of a program's debug information. They are looked for beside
 * the program and where its own root folder has them, which may be anybody's: what lies there
 * is looked at before it is opened (symsource_open_regular), since nobody comes back from a FIFO.
 */
#ifndef DEBUGFILE_H
#define DEBUGFILE_H

#include <stdbool.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "base/sandbox.h"

/*
 * Adds what debuginfod needs to the table: sockets, and its cache, which is made where it is
 * missing ($DEBUGINFOD_CACHE_PATH, else debuginfod_client in $XDG_CACHE_HOME or ~/.cache).
 */
void debugfile_network(struct sandbox *s);

/*
 * Dwfl_Callbacks.find_debuginfo; the callbacks' debuginfo_path and the module's userdata
 * are those of an elffile.
 */
int debugfile_find(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found);

/*
 * Give d, the debug information in that file, what dwz moved out of it; *shared is that,
 * dwarf_end it after d, or NULL. False when d should not be used: libdw would look for it
 * by itself.
 */
bool debugfile_share(Dwarf *d, const char *file, Dwarf **shared);

#endif
