/*
 * retention: keeps only the newest files that --interval writes (--keep-files).
 */
#ifndef RETENTION_H
#define RETENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"

/* Length of the time that replaces %T in a file's name: 20261120T131500.250Z. */
#define RETENTION_TIME 20

/*
 * Writes the header line of files that fg-record named: with --interval, or on a terminal
 * without -o. fg-record removes or overwrites only files with this line.
 */
void retention_mark(struct output *o, unsigned columns);
/* True if path is a regular file of this user that starts with this line. */
bool retention_is_ours(const char *path);

/* Files that a recording has written: the last parts of their names, in that order. Zero at first.
 */
struct retention {
	char **written;
	size_t n, cap;
};

/* Remembers a file of the recording. */
void retention_written(struct retention *r, const char *path);

/*
 * Removes the oldest files that match the pattern, which has %T in its last part, until n are
 * left. Counts and removes only files for which retention_is_ours is true. A file is as old as its
 * name says, unless the clock was set back: a file of r is at least as old as each later one, and
 * other files that are later than `present`, the name for the present time, are the oldest.
 */
void retention_newest(struct retention *r, const char *pattern, const char *present, size_t n);

/* Removes the oldest of these files, but not the only one; false if no file was removed. */
bool retention_make_room(struct retention *r, const char *pattern, const char *present);

#endif
