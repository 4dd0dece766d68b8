/*
 * files0: --files0-from: more file names than a command line holds, each with a NUL
 * behind it, as find -print0 writes them.
 */
#ifndef FILES0_H
#define FILES0_H

#include <stddef.h>

/*
 * The names in a file, or in standard input for "-"; *n of them, and NULL. The last NUL
 * may be missing. An empty name is an error, and so is "-" in a list from standard
 * input; exits with 2. The names lie in one piece, list[0]; the caller frees that and
 * the list.
 */
char **files0_read(const char *path, size_t *n);

#endif
