/*
 * own: the functions of a program that are its own code, not of libraries, interpreters or the
 * kernel: functions of scripts where there are any, then functions of the source files of a
 * repository, else those of the program's modules.
 */
#ifndef OWN_H
#define OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* Paths of a repository, relative to its directory. */
struct own_files {
	struct calltree *suffixes; /* the paths, interned; NULL: no list */
};

/* Reads a list of paths with a NUL after each, as of git ls-files -z; exits with 2 on errors. */
void own_files_read(struct own_files *files, const char *path);
void own_files_free(struct own_files *files);

/*
 * Returns by name of a tree: 1 if the function is the program's own. files may be NULL. scripts:
 * the program has functions of scripts (own_has_scripts), in any of its trees. The caller frees it.
 */
uint8_t *own_match(const struct calltree *t, const struct own_files *files, bool scripts);

/* True if a function of a script that is not a library's is in the tree. */
bool own_has_scripts(const struct calltree *t, const struct own_files *files);

#endif
