/*
 * files0: --files0-from: NUL-terminated file names from a file, as by find -print0, for more
 * than fit on a command line.
 */
#ifndef FILES0_H
#define FILES0_H

#include <stddef.h>

/*
 * Returns the names in a file, or in standard input for "-"; *n of them, then NULL. The last
 * NUL may be missing. Exits with 2 on an empty name, or on "-" in a list from standard input.
 * All names are in one allocation, list[0]; the caller frees that and the list.
 */
char **files0_read(const char *path, size_t *n);

#endif
