/*
 * outputname: the file that a recording started on a terminal without -o goes to.
 */
#ifndef OUTPUTNAME_H
#define OUTPUTNAME_H

#include "fg-record/options.h"

/*
 * NAME.folded, or NAME.2.folded and so on: the first that does not exist, or that an
 * earlier fg-record wrote under such a name (its header says so, see retention_mark).
 * NAME is the command, the process, the control group, or "system" with -a. The caller
 * frees it. Exits 125 when there is none to be had.
 */
char *outputname(const struct options *o);

/*
 * Exits 125 if path ends like a picture's or another format's name: fg-record writes
 * folded stacks. The message has the pipe that writes such a file.
 */
void outputname_check(const char *path);

#endif
