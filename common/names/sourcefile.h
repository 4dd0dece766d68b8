/*
 * sourcefile: which source files of several profiles are one file, although their paths differ:
 * in another checkout, environment or version of a package.
 */
#ifndef SOURCEFILE_H
#define SOURCEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"

/* The paths of one profile, as numbers of names, each once. */
struct sourcefile_side {
	const uint32_t *path;
	uint32_t n;
};

/* The evidence that two paths are one file, by their functions. */
enum sourcefile_evidence {
	SOURCEFILE_OTHER,
	SOURCEFILE_PERHAPS, /* all functions of one path are in the other, but many files have them
			     */
	SOURCEFILE_SAME,
};

/* Input: the evidence that two paths are one file. */
typedef enum sourcefile_evidence sourcefile_compare(
    const void *data, uint32_t path, uint32_t other);

/*
 * Returns by number of a path its file: the number of the file's first path. A path is the same
 * file on all sides. Paths of one side are different files. Of paths that only one side has, those
 * with the longest common suffix of components are one file, if no other path has it, and if they
 * are SOURCEFILE_SAME, lie below directories of such a pair, or are SOURCEFILE_PERHAPS and have
 * a name that few files have, or a directory in common. The caller frees the result.
 */
uint32_t *sourcefile_match(const struct calltree *paths, const struct sourcefile_side *side,
    size_t sides, sourcefile_compare *compare, const void *data);

/* True if two paths differ at most in versions. */
bool sourcefile_is_version(const struct calltree_name *a, const struct calltree_name *b);

/*
 * Sets shared[p] of each of n paths p: the most bytes at its end that a path of another file has,
 * too. file: by item of `path`. Each path is in `path` once.
 */
void sourcefile_shared(const struct calltree *paths, const uint32_t *path, const uint32_t *file,
    uint32_t n, uint32_t *shared);

/* True for a function that many files have: it does not show that two files are one. */
bool sourcefile_is_common(const struct calltree_name *function);

#endif
