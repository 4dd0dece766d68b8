/*
 * roots: the frames that --prefix and --group-by put above a file's stacks.
 */
#ifndef ROOTS_H
#define ROOTS_H

#include "fg-merge/merge.h"

/*
 * Set each input's prefix to NAME of an operand NAME=FILE, its file name, or with base
 * its base name. Reports different files that get the same base name.
 */
void roots_by_name(struct merge *m, bool base);

/*
 * Set each input's prefix to its values of a label, `VALUE` or with key_too `KEY=VALUE`;
 * `[unknown]` stands for none. Reads the first bytes of each input, which must be a
 * regular file: otherwise exit 2.
 */
void roots_by_label(struct merge *m, const char *key, bool key_too);

/*
 * Merge the inputs of each value of a label into a file of its own: `%V` in pattern is
 * the value, percent-encoded, with %2F for a slash. columns: of --columns, or NULL.
 */
void roots_write_groups(
    struct merge *m, const char *key, const char *pattern, const char *columns, bool sorted);

#endif
