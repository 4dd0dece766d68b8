/*
 * outputname: the default output file, used without -o when stdout is a terminal.
 */
#ifndef OUTPUTNAME_H
#define OUTPUTNAME_H

#include <stdbool.h>
#include <time.h>

/*
 * NAME.folded, NAME.2.folded and so on: the first that does not exist, or that an earlier fg-record
 * named (a header line shows that, see retention_mark). NAME is the subject, of a path its last
 * part, without the characters that need quotes in a shell. The caller frees it. Exits 125 if no
 * name is free.
 */
char *outputname(const char *subject, bool is_path);

/*
 * Name of an interval's file: %T is its start in UTC, as 20261120T131500.250Z. The caller frees
 * it.
 */
char *outputname_interval(const char *pattern, const struct timespec *begin);

/* True if there is a file, or a link, of that name. */
bool outputname_exists(const char *path);

/*
 * A name like it without a file: later by a millisecond for each name with one, as after the clock
 * was set back. NULL and errno EEXIST if no name is free. The caller frees it.
 */
char *outputname_new_interval(const char *pattern, const struct timespec *begin);

/*
 * Exits 125 if path ends in the suffix of a picture or another format: fg-record writes folded
 * stacks. The message shows the pipe that writes such a file.
 */
void outputname_check(const char *path);

/* True if the path of -o, which may be NULL, is standard output. */
bool outputname_is_stdout(const char *path);

#endif
