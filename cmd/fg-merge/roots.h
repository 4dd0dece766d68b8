/*
 * roots: the root frames that --prefix and --group-by add to the stacks of a file.
 */
#ifndef ROOTS_H
#define ROOTS_H

#include "fg-merge/merge.h"
#include "profile/labelroot.h"

/*
 * Sets each input's prefix to NAME of an operand NAME=FILE, else its file name or, with base,
 * its base name. Exits with 2 if two different files would have the same root, unless both are
 * named by operands.
 */
void roots_by_name(struct merge *m, bool base);

/*
 * Sets each input's prefix to its values of a label, `[unknown]` if it has none. Reads the first
 * bytes of each input; exits 2 if one is not a regular file.
 */
void roots_by_label(struct merge *m, const char *key);

/* Sets each input's prefix to a frame `KEY=VALUE` for each key; otherwise the same. */
void roots_by_group(struct merge *m, struct labelroot_keys *keys);

/*
 * Merges the inputs of each value of the keys into a separate file: `%V` in pattern is the value,
 * percent-encoded, with %2F for a slash. columns: argument of --columns, or NULL.
 */
void roots_write_groups(struct merge *m, struct labelroot_keys *keys, const char *pattern,
    const char *columns, bool sorted);

#endif
