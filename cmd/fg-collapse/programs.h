/*
 * programs: the programs whose symbols a format reads because an input names them. Another process
 * opens them, files of code only. A build without libdw has noprograms.c in its place, which reads
 * none.
 */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "base/sandbox.h"
#include "fg-collapse/options.h"

/*
 * Starts that process, before the sandbox and threads, and allows the files that inputs argv[first]
 * to argv[argc - 1] may need besides. Warns if it cannot start; then no program is read.
 */
void programs_begin(struct sandbox *s, const struct options *o, int argc, char **argv, int first);

/* No program is needed from here on: the process ends. */
void programs_unneeded(void);

/* Ends that process, if there is one, and waits for its end. */
void programs_end(void);

/* fileheader_file_of(path): the file to read for an operand. */
char *programs_file_of(char *path);

#endif
