/*
 * keep: of the files that --interval writes, the newest stay (--keep).
 */
#ifndef RETENTION_H
#define RETENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"

/* The length of the time that stands for %T in a file's name: 20261120T131500.250Z. */
#define RETENTION_TIME 20

/*
 * Writes the header line of files whose name fg-record made up: with --interval, or on a
 * terminal without -o. Only such files are ever removed or overwritten.
 */
void retention_mark(struct output *o, unsigned columns);
/* True if that line is the first of the file. */
bool retention_is_ours(const char *path);

/*
 * Remove the oldest files that the pattern, whose last part has %T, stands for, until n
 * are left. Only regular files of this user with that line are counted and removed.
 */
void retention_newest(const char *pattern, size_t n);

#endif
